// The memory images of a workload on DMA engines that are SystemC modules: as in the machine that runs
// schedules, to the cycle.
#include "models/hardware/kernel.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/execution/compile_dma_programs.hpp"
#include "sim/execution/simulate.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/schedules/schedule/sum_schedules.hpp"
#include "tests/sim/execution/dma_system.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

namespace nocturne::dma_system_test {

using namespace nocturne::test;

namespace {

constexpr std::uint64_t message_bytes = 72;

/// By step: from the first engine's begin to the last one's end.
std::vector<double> step_times_of_modules(const Example& example, const Workload& workload)
{
    prepare_kernel();
    const Collective& collective = example.schedule.collective;
    const auto compiled = compile_dma_programs(workload, collective, message_bytes);
    System system("system", example.topology, example.schedule.ports, workload, compiled);
    for (ProcessorId id = 0; id < collective.processors; ++id)
        system.memory(id).load(0, initial_memory(compiled[id], id, collective, message_bytes, 1));
    run_kernel();
    if (system.host().done() != collective.processors)
        throw std::logic_error("not done");
    std::vector<double> begins;
    std::vector<double> ends;
    for (ProcessorId id = 0; id < collective.processors; ++id) {
        const auto& times = system.engine(id).step_times();
        begins.resize(times.size(), 1e9);
        ends.resize(times.size(), 0);
        for (std::size_t step = 0; step < times.size(); ++step) {
            begins[step] = std::min(begins[step], in_ns(times[step].begin));
            ends[step] = std::max(ends[step], in_ns(times[step].end));
        }
    }
    std::ranges::transform(ends, begins, ends.begin(), std::minus());
    for (const Demand& demand : collective.demands) { // of one contributor, or of words
        const auto owed = owed_content(collective, demand, message_bytes, {.seed = 1});
        const auto place =
            system.memory(demand.receiver)
                .contents()
                .subspan(compiled[demand.receiver].address_of(demand.chunk).value(), message_bytes);
        if (!std::ranges::equal(bytes_of(owed, message_bytes), place))
            throw std::logic_error(
                "wrong memory"); // what fails in a worker reaches its parent as an exception
    }
    return ends;
}

} // namespace

TEST_CASE("DMA engines as modules run memory images in the time of the machine", "[execution][dma]")
{
    const auto mode = GENERATE(Synchronization::barrier, Synchronization::self_timed);
    for (const Example& example : {printed("octagon8_aas.json"), printed("omega8_aab.json"), xor_scatter(3),
                                   recursive_doubling(3), ring_reduce_scatter(5)}) {
        INFO(example.schedule.name << ", " << to_string(mode));
        const Workload workload = workload_of(example.schedule, example.topology, mode);
        const std::vector<Job> jobs{
            [&] { return nlohmann::json(step_times_of_modules(example, workload)); },
            [&] {
                SimulationOptions options;
                options.ports = example.schedule.ports;
                options.message_bytes = message_bytes;
                return nlohmann::json(
                    simulate(example.topology, example.schedule.collective, workload, options).step_times_ns);
            }};
        const std::vector<nlohmann::json> times = run_jobs(jobs);
        CHECK(times[0].size() == example.schedule.steps.size());
        CHECK(times[0] == times[1]);
    }
}

} // namespace nocturne::dma_system_test
