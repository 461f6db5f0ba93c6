#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/replay/replay.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/random_chunks.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace nocturne::chunk_replay_test {

using Catch::Contains;

namespace {

struct RandomCase {
    Topology topology;
    LinkNetwork network;
    Schedule schedule;
    SimulationOptions options;
};

/// Without barriers, put in steps, of the fewest steps, or what the portfolio finds; with chunks in all kinds
/// of places.
Schedule random_schedule(SplitMix64& random, const LinkNetwork& network)
{
    const SplitMix64 drawn(random());
    const Collective whole = test::random_chunk_collective(drawn, network.processor_count(), 1);
    const auto form = random.below(4);
    if (form == 3 && !whole.demands.empty())
        return *find_schedule(ChunkProblem{.network = network,
                                           .collective = whole,
                                           .objective = static_cast<ChunkObjective>(random.below(3)),
                                           .bytes = 4096},
                              {.budget = std::chrono::milliseconds(30), .workers = 1})
                    .schedule;
    if (form == 0)
        if (auto front = find_front(network, whole,
                                    {.most_parts = 1,
                                     .extra_rounds = 4,
                                     .extra_steps = 0,
                                     .tree_parts = 2,
                                     .conflicts_each = 500});
            !front.empty())
            return std::move(front.front().schedule);
    Schedule schedule = search_by_time(network, in_parts(whole, 1 + random.below(4)),
                                       {.cost = {.bytes_per_weight = 256}, .seed = random(), .runs = 1})
                            .value()
                            .schedule;
    if (form == 1)
        schedule = test::put_in_steps(schedule, network);
    return test::with_places_renamed(schedule, random);
}

RandomCase random_case(std::uint64_t seed)
{
    SplitMix64 random(seed);
    Topology topology = test::random_chunk_network(random, false);
    LinkNetwork network = link_network_of(topology);
    Schedule schedule = random_schedule(random, network);
    SimulationOptions options;
    options.hardware.flit_bytes = 16;
    options.hardware.t0_ns = random.below(2) * 20;
    options.hardware.buffer_flits = 0;
    options.hardware.vcs = 2;
    options.message_bytes = 4 * (1 + random.below(100));
    options.contents.element = random.below(2) == 0 ? ChunkElement::int32 : ChunkElement::float32;
    options.seed = seed;
    for (Chunk& chunk : schedule.collective.chunks)
        chunk.release_cycles = seed % 3 == 0 ? random.below(400) : 0;
    return {std::move(topology), std::move(network), std::move(schedule), options};
}

/// How many cases; a variable of the environment asks for more.
std::uint64_t case_count()
{
    const char* const asked = std::getenv("NOCTURNE_REPLAY_CASES");
    return asked != nullptr ? std::strtoull(asked, nullptr, 10) : 60;
}

} // namespace

TEST_CASE("random collectives on random networks: every byte is right, in the time of the formula",
          "[replay][chunks]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    CAPTURE(to_string(model));
    std::vector<Job> jobs;
    for (std::uint64_t seed = 0; seed < case_count(); ++seed)
        jobs.emplace_back([seed, model] {
            RandomCase it = random_case(seed);
            it.options.model = model;
            it.options.contents.payload = PayloadForm::held;
            const ReplayResult result =
                replay_in_this_process(it.schedule, it.topology, Synchronization::barrier, it.options);
            const std::string reason = result.run.stall ? result.run.stall->reason : "";
            return nlohmann::json{
                {"right", result.run.memory_ok},
                {"owed", result.run.messages_owed},
                {"time", result.run.time_ns},
                {"expected", result.unblocked_ns.value()},
                {"blocked", result.run.blocked_cycles.value_or(0) + result.run.head_wait_cycles.value_or(0)},
                {"stall", reason},
                {"switches", it.network.node_count() > it.network.processor_count()}};
        });
    const auto results = run_jobs(jobs, {.workers = 2});
    std::size_t unblocked = 0, owed = 0;
    for (std::size_t seed = 0; seed < results.size(); ++seed) {
        INFO("seed " << seed << ": " << results[seed].dump());
        CHECK(results[seed]["stall"] == "");
        CHECK(results[seed]["right"] == true);
        owed += results[seed]["owed"].get<std::size_t>();
        CHECK(results[seed]["time"] >= results[seed]["expected"]);
        if (results[seed]["blocked"] == 0) {
            ++unblocked;
            // A head that waits a cycle in a switch is not counted.
            if (results[seed]["switches"] == false)
                CHECK(results[seed]["time"] == results[seed]["expected"]);
        }
    }
    CHECK(unblocked > results.size() / 5);
    CHECK(owed > results.size());
}

TEST_CASE("behind barriers the time is that of the slowest transfer of each step", "[replay][chunks]")
{
    const Topology topology = make_topology("ring:5");
    const LinkNetwork network = link_network_of(topology);
    const Schedule schedule =
        decide_steps(network, allgather({.processors = 5, .parts = 1}), {.shape = {2, 2}}).schedule.value();
    SimulationOptions options;
    options.model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    options.hardware.t0_ns = 0;
    options.message_bytes = 400;
    const ReplayResult result = replay(schedule, topology, Synchronization::barrier, options);
    CHECK(result.run.memory_ok);
    // Two steps of one hop each, 100 flits: 5 H + 2 + 99 cycles with H = 2 routers.
    CHECK(result.run.time_ns == 2 * (5 * 2 + 2 + 99) * options.hardware.cycle_ns);
    CHECK(result.unblocked_ns == result.run.time_ns);
    CHECK(result.run.blocked_cycles.value_or(0) + result.run.head_wait_cycles.value_or(0) == 0);
    CHECK(result.staging_bytes == 0U);
}

TEST_CASE("what cannot be replayed is refused in words", "[replay][chunks]")
{
    const Topology topology = make_topology("ring:4");
    const LinkNetwork network = link_network_of(topology);
    Schedule schedule =
        search_by_time(network, allreduce({.processors = 4, .parts = 4}), {}).value().schedule;
    SimulationOptions options;
    SECTION("no whole words")
    {
        options.message_bytes = 6;
        CHECK_THROWS_WITH(replay(schedule, topology, Synchronization::barrier, options),
                          Contains("no whole words"));
    }
    SECTION("not valid")
    {
        schedule.steps.back().pop_back();
        CHECK_FALSE(replay(schedule, topology, Synchronization::barrier, options).valid);
    }
    SECTION("an element that does not exist")
    {
        CHECK_THROWS_AS(parse_chunk_element("int8"), std::invalid_argument);
        CHECK(parse_chunk_element(to_string(ChunkElement::float32)) == ChunkElement::float32);
    }
}

} // namespace nocturne::chunk_replay_test
