// Schedules in steps that add, on the simulated hardware: right in memory, and in the time of copies.
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/execution/compile_dma_programs.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/schedule/sum_schedules.hpp"
#include "tests/sim/execution/runs.hpp"

#include <cstdlib>

namespace nocturne::replay_sums_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// NOCTURNE_SUMS=1000 for more random schedules than every run of the tests looks at.
unsigned random_schedules()
{
    const char* const count = std::getenv("NOCTURNE_SUMS");
    return count != nullptr ? static_cast<unsigned>(std::atoi(count)) : 16;
}

std::vector<Example> summing_schedules()
{
    std::vector<Example> examples{recursive_doubling(3), hillis_steele(6), hillis_steele(8),
                                  ring_reduce_scatter(5)};
    const char* const networks[] = {"mesh:3x3",    "torus:3x3", "kautz:2,2", "fat_octagon:8",
                                    "hypercube:3", "omega:8",   "petersen",  "complete:6"};
    for (unsigned seed = 0; seed < random_schedules(); ++seed) {
        const char* const network = networks[seed % std::size(networks)];
        examples.push_back(random_sums(network, seed));
        examples.push_back(random_reduce(network, seed, seed % 3 != 0));
    }
    return examples;
}

/// Every mode, level and form of payload.
std::vector<ReplayCase> all_cases(const Example& example, unsigned turn)
{
    std::vector<ReplayCase> cases;
    for (const Synchronization mode : {Synchronization::barrier, Synchronization::self_timed})
        for (const PayloadForm payload : {PayloadForm::held, PayloadForm::digest}) {
            ReplayCase each{example.schedule, example.topology, mode, {}};
            each.options.message_bytes = 4 * (1 + turn % 50);
            each.options.hardware.buffer_flits = 64; // whole messages: none waits with its tail in the way
            each.options.seed = turn;
            each.options.contents.payload = payload;
            cases.push_back(each);
        }
    return cases;
}

/// At the message level.
ReplayResult replay_worm(ReplayCase each)
{
    each.options.model = NetworkModel::worm;
    return replay_in_this_process(each.schedule, each.topology, each.synchronization, each.options);
}

/// A run without the validator.
RunResult simulate_unjudged(const Example& example, SimulationOptions options)
{
    options.ports = example.schedule.ports;
    return in_worker([&] {
        return simulate(example.topology, example.schedule.collective,
                        workload_of(example.schedule, example.topology, Synchronization::barrier), options)
            .run;
    });
}

} // namespace

TEST_CASE("schedules that add replay right at both levels, with and without barriers, in the time of copies",
          "[replay][sums]")
{
    std::vector<ReplayCase> cases;
    unsigned turn = 0;
    for (const Example& example : summing_schedules()) {
        CAPTURE(example.schedule.name, turn);
        for (const Violation& violation : validate(example.schedule, example.topology))
            FAIL(violation.text);
        if (!example.schedule.collective.demands.empty())
            for (ReplayCase& each : all_cases(example, turn))
                cases.push_back(std::move(each));
        ++turn;
    }
    const std::vector<ReplayResult> replays = replay_all(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(i, cases[i].schedule.name, replays[i].mode, cases[i].options.message_bytes);
        const ReplayResult worm = replay_worm(cases[i]);
        for (const ReplayResult* replay : {&replays[i], &worm}) {
            CAPTURE(replay->run.model);
            REQUIRE_FALSE(replay->run.stall);
            REQUIRE(replay->run.memory_ok);
            REQUIRE(replay->run.messages_owed == cases[i].schedule.collective.demands.size());
            if (cases[i].synchronization == Synchronization::barrier)
                REQUIRE(replay->run.time_ns ==
                        Approx(replay->model_time_ns + replay->hop_overhead_ns.value()));
        }
        // The same but for what lies in memories.
        if (cases[i].options.contents.payload == PayloadForm::digest)
            REQUIRE(replays[i] == replays[i - 1]);
    }
}

TEST_CASE("a contribution that is missing, counted twice or replaced is seen in memory", "[replay][sums]")
{
    Example example = recursive_doubling(2);
    SimulationOptions options;
    options.message_bytes = 64;
    options.model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    options.contents.payload = GENERATE(PayloadForm::held, PayloadForm::digest);
    REQUIRE(simulate_unjudged(example, options).memory_ok);
    std::size_t right = 4;
    SECTION("missing: all that 0 sent in the last step")
    {
        example.schedule.steps[1].erase(example.schedule.steps[1].begin());
        right = 3;
    }
    SECTION("replaced: 1 forgets its own")
    {
        example.schedule.steps[0][0].operation = Operation::copy;
        right = 2; // 1 and 3 have it from there
    }
    SECTION("twice: the last step once more")
    {
        example.schedule.steps.push_back(example.schedule.steps[1]);
        right = 0;
    }
    CHECK(simulate_unjudged(example, options).messages_delivered == right);
}

TEST_CASE("sums are of whole words, and said to be in one line", "[replay][sums]")
{
    const Example example = recursive_doubling(2);
    SimulationOptions options;
    options.message_bytes = 10;
    options.model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    CHECK_THROWS_WITH(
        simulate_unjudged(example, options),
        Contains("messages of 10 bytes: sums are of words of 4 bytes, and messages of whole words"));
}

TEST_CASE("what comes for a place that holds something has a staging buffer, and what is copied to an empty "
          "place has none",
          "[replay][sums]")
{
    // 0 and 1 contribute; 2 gets a copy, and then another one that has more in it.
    Collective collective{.kind = CollectiveKind::custom, .processors = 3, .chunks = {{1, {0, 1}}}};
    collective.demands.push_back({0, 2, {0, 1}});
    const Topology topology = make_topology("complete:3");
    const auto transfer = [&](ProcessorId from, ProcessorId to, Operation operation) {
        return Transfer{0, from, to, test::path_over(topology, {from, to}), operation};
    };
    const Schedule schedule{.name = "three",
                            .source = {},
                            .topology = topology.name(),
                            .collective = collective,
                            .ports = one_port,
                            .steps = {{transfer(0, 2, Operation::copy), transfer(1, 0, Operation::add)},
                                      {transfer(0, 2, Operation::copy)}}};
    REQUIRE(validate(schedule, topology).empty());
    const auto engines =
        compile_dma_programs(workload_of(schedule, topology, Synchronization::barrier), collective, 64);
    using Opcode = DmaDescriptor::Opcode;
    const auto combinations = [&](ProcessorId id) {
        std::vector<DmaDescriptor> lines;
        for (const DmaDescriptor& line : engines[id].program)
            if (line.opcode == Opcode::copy || line.opcode == Opcode::add)
                lines.push_back(line);
        return lines;
    };
    REQUIRE(combinations(0).size() == 1);
    CHECK(combinations(0)[0].opcode == Opcode::add);
    CHECK(combinations(0)[0].remote_address == engines[0].address_of(0));
    CHECK(combinations(0)[0].local_address >= engines[0].address_of(0).value() + 64);
    CHECK(engines[0].memory_bytes == combinations(0)[0].local_address + 64);
    CHECK(combinations(1).empty());
    REQUIRE(combinations(2).size() == 1);
    CHECK(combinations(2)[0].opcode == Opcode::copy);
    CHECK(combinations(2)[0].step == 1);
    // The sends know where it is to go.
    CHECK(engines[0].program[0].remote_address == engines[2].address_of(0));
    CHECK(engines[0].program[3].remote_address == combinations(2)[0].local_address);
    CHECK(engines[1].program[0].remote_address == combinations(0)[0].local_address);
}

} // namespace nocturne::replay_sums_test
