// The claim of the whole: a valid schedule takes (t0 + m t1) * steps and the hop overhead, to the cycle.
#include "sim/replay/compare.hpp"
#include "sim/replay/fit.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/sim/execution/runs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nocturne::printed_schedules_test {

using namespace nocturne::test;

namespace {

const char* const printed_files[]{"omega8_aab.json", "fat_tree8_aas.json", "octagon8_aas.json"};

/// Cycles between the start and the end of a step, t0 and the last flit's serialization left out: interface,
/// H routers or switches, H + 1 links, less the cycle that the first flit's transfer is counted as.
std::uint64_t overhead_cycles(const HardwareConfig& config, const Pipeline& pipeline, std::size_t hops)
{
    const std::size_t routers = hops + 1;
    return config.interface_cycles + routers * pipeline.cycles() + (routers + 1) * config.link_cycles - 1;
}

/// What the printed schedules should take; all their channels have latency 1.
std::uint64_t expected_cycles(const Example& example, const HardwareConfig& config, std::uint64_t bytes)
{
    const Pipeline& pipeline = config.pipeline_of(example.topology);
    std::uint64_t cycles = 0;
    for (const std::size_t hops : longest_hops(example.schedule))
        cycles += static_cast<std::uint64_t>(std::lround(config.t0_ns / config.cycle_ns)) +
                  (bytes + config.flit_bytes - 1) / config.flit_bytes +
                  overhead_cycles(config, pipeline, hops);
    return cycles;
}

void check_perfect(const ReplayResult& replay)
{
    CHECK(replay.valid);
    CHECK(replay.violations.empty());
    CHECK_FALSE(replay.run.stall);
    CHECK(replay.run.blocked_cycles == 0);
    CHECK(replay.run.memory_ok);
    CHECK(replay.run.messages_owed == 56);
    CHECK(replay.run.messages_delivered == 56);
    CHECK(replay.step_times_ns.size() == replay.steps);
    CHECK(std::accumulate(replay.step_times_ns.begin(), replay.step_times_ns.end(), 0.0) ==
          Approx(replay.run.time_ns).epsilon(1e-12));
}

HardwareConfig random_hardware(std::uint32_t seed)
{
    Random random(seed);
    const auto from = [&](unsigned least, unsigned most) {
        return least + static_cast<unsigned>(below(random, most - least + 1));
    };
    HardwareConfig config;
    config.cycle_ns = std::vector{0.5, 0.833, 1.0, 2.5}[below(random, 4)];
    config.flit_bytes = 1u << from(0, 5);
    config.t0_ns = config.cycle_ns * from(0, 2000);
    for (Pipeline* stages : {&config.router, &config.crossbar})
        *stages = {from(0, 3), from(1, 3), from(0, 3), from(0, 3)};
    config.link_cycles = from(1, 4);
    config.credit_cycles = from(0, 3);
    config.interface_cycles = from(1, 5);
    config.buffer_flits = 0; // as deep as full rate needs
    config.vcs = from(1, 4);
    return config;
}

} // namespace

TEST_CASE("the printed schedules replay without a blocked cycle and in exactly the model's time", "[replay]")
{
    const std::uint64_t sizes[]{1, 3, 4, 64, 1000, 8192};
    std::vector<Example> examples;
    std::vector<ReplayCase> cases;
    for (const char* file : printed_files)
        for (const std::uint64_t bytes : sizes)
            for (const auto mode : {Synchronization::barrier, Synchronization::self_timed}) {
                examples.push_back(printed(file));
                cases.push_back({examples.back().schedule, examples.back().topology, mode, {}});
                cases.back().options.message_bytes = bytes;
            }
    const std::vector<ReplayResult> replays = replay_all(cases);
    for (std::size_t i = 0; i < replays.size(); ++i) {
        const std::uint64_t bytes = cases[i].options.message_bytes;
        INFO(replays[i].schedule << ", " << bytes << " bytes, " << replays[i].mode);
        const auto cycles = static_cast<double>(expected_cycles(examples[i], {}, bytes));
        if (cases[i].synchronization == Synchronization::barrier) {
            check_perfect(replays[i]);
            CHECK(replays[i].run.time_ns == cycles * 2);
            if (bytes % 4 == 0) // the model knows no flits
                CHECK(replays[i].run.time_ns ==
                      replays[i].model_time_ns + replays[i].hop_overhead_ns.value());
        } else {
            CHECK(replays[i].valid);
            CHECK(replays[i].run.memory_ok);
            CHECK(replays[i].run.time_ns <= cycles * 2);
            CHECK(replays[i].run.time_ns > 0);
        }
    }
}

TEST_CASE("whatever the hardware, the printed schedules take exactly the model's time", "[replay]")
{
    std::vector<Example> examples;
    std::vector<ReplayCase> cases;
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        examples.push_back(printed(printed_files[seed % 3]));
        cases.push_back({examples.back().schedule, examples.back().topology, Synchronization::barrier, {}});
        cases.back().options.hardware = random_hardware(seed);
        cases.back().options.message_bytes = std::uint64_t{32} * seed * seed;
    }
    const std::vector<ReplayResult> replays = replay_all(cases);
    for (std::size_t i = 0; i < replays.size(); ++i) {
        INFO("seed " << i + 1 << ": " << replays[i].schedule);
        const SimulationOptions& options = cases[i].options;
        check_perfect(replays[i]);
        CHECK(
            replays[i].run.time_ns / options.hardware.cycle_ns ==
            Approx(static_cast<double>(expected_cycles(examples[i], options.hardware, options.message_bytes)))
                .epsilon(1e-12));
        CHECK(replays[i].run.time_ns ==
              Approx(replays[i].model_time_ns + replays[i].hop_overhead_ns.value()).epsilon(1e-12));
    }
}

} // namespace nocturne::printed_schedules_test
