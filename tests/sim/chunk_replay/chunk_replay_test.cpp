#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/chunk_replay/chunk_replay.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace nocturne::chunk_replay_test {

using Catch::Matchers::Contains;

namespace {

/// A connected network of 2 to 6 processors with links of 4, 8 or 16 bytes a cycle and any latency.
Topology random_network(SplitMix64& random)
{
    const std::uint32_t routers = 2 + random.below(5);
    Topology topology("random");
    for (RouterId router = 0; router < routers; ++router)
        topology.add_processor(topology.add_router(std::to_string(router)));
    const auto join = [&](RouterId a, RouterId b) {
        const unsigned latency = 1 + random.below(7);
        const unsigned width = 4U << random.below(3);
        topology.add_channel({.source = a, .target = b, .latency_cycles = latency, .width_bytes = width});
        topology.add_channel({.source = b, .target = a, .latency_cycles = latency, .width_bytes = width});
    };
    for (RouterId router = 1; router < routers; ++router)
        join(router, random.below(router));
    for (std::uint32_t extra = random.below(4); extra > 0; --extra) {
        const RouterId a = random.below(routers), b = random.below(routers);
        if (a != b)
            join(a, b);
    }
    return topology;
}

ChunkedCollective random_collective(SplitMix64& random, std::uint32_t processors)
{
    const auto kind = static_cast<ChunkedKind>(random.below(9));
    ChunkedShape shape{.processors = processors, .parts = 1 + random.below(4)};
    if (random.below(3) == 0)
        for (std::uint32_t member = 0; member < processors; ++member)
            if (member < 2 || random.below(2) == 0)
                shape.group.push_back(member);
    return make_chunked_collective(kind, shape,
                                   needs_root(kind) ? std::optional{random.below(2)} : std::nullopt);
}

struct RandomCase {
    Topology topology;
    LinkNetwork network;
    ChunkedSchedule schedule;
    ChunkReplayOptions options;
};

RandomCase random_case(std::uint64_t seed)
{
    SplitMix64 random(seed);
    Topology topology = random_network(random);
    LinkNetwork network = link_network_of(topology);
    const ChunkedCollective collective = random_collective(random, network.processor_count());
    TimedConfig config;
    config.seed = seed;
    config.runs = 1;
    config.cost.bytes_per_weight = 256;
    ChunkedSchedule schedule = search_by_time(network, collective, config).value().schedule;
    ChunkReplayOptions options;
    options.hardware.flit_bytes = 16;
    options.hardware.t0_ns = random.below(2) * 20;
    options.hardware.buffer_flits = 0;
    options.hardware.vcs = 2;
    options.bytes_per_weight = 4 * (1 + random.below(100));
    options.element = random.below(2) == 0 ? ChunkElement::int32 : ChunkElement::float32;
    options.seed = seed;
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
          "[chunk_replay]")
{
    std::vector<Job> jobs;
    for (std::uint64_t seed = 0; seed < case_count(); ++seed)
        jobs.emplace_back([seed] {
            const RandomCase it = random_case(seed);
            const ChunkReplayResult result =
                replay_chunks_in_this_process(it.schedule, it.topology, it.network, it.options);
            std::string reason = result.stall ? result.stall->reason : "";
            return nlohmann::json{{"right", result.memory_ok()},      {"owed", result.results_owed},
                                  {"time", result.time_ns},           {"expected", result.expected_ns},
                                  {"blocked", result.blocked_cycles}, {"stall", reason}};
        });
    const auto results = run_jobs(jobs, {.workers = 2});
    std::size_t unblocked = 0;
    for (std::size_t seed = 0; seed < results.size(); ++seed) {
        INFO("seed " << seed << ": " << results[seed].dump());
        CHECK(results[seed]["stall"] == "");
        CHECK(results[seed]["right"] == true);
        CHECK(results[seed]["owed"] > 0);
        CHECK(results[seed]["time"] >= results[seed]["expected"]);
        if (results[seed]["blocked"] == 0) {
            ++unblocked;
            CHECK(results[seed]["time"] == results[seed]["expected"]);
        }
    }
    CHECK(unblocked > results.size() / 5);
}

TEST_CASE("behind barriers the time is that of the slowest transfer of each step", "[chunk_replay]")
{
    const Topology topology = make_topology("ring:5");
    const LinkNetwork network = link_network_of(topology);
    const ChunkedSchedule schedule =
        decide_steps(network, chunked_allgather({.processors = 5, .parts = 1}), {.shape = {2, 2}})
            .schedule.value();
    ChunkReplayOptions options;
    options.hardware.t0_ns = 0;
    options.bytes_per_weight = 400;
    const ChunkReplayResult result = replay_chunks(schedule, topology, network, options);
    CHECK(result.memory_ok());
    // Two steps of one hop each, 100 flits: 5 H + 2 + 99 cycles with H = 2 routers.
    CHECK(result.time_ns == 2 * (5 * 2 + 2 + 99) * options.hardware.cycle_ns);
    CHECK(result.expected_ns == result.time_ns);
    CHECK(result.blocked_cycles == 0);
}

TEST_CASE("what cannot be replayed is refused in words", "[chunk_replay]")
{
    const Topology topology = make_topology("ring:4");
    const LinkNetwork network = link_network_of(topology);
    ChunkedSchedule schedule =
        search_by_time(network, chunked_allreduce({.processors = 4, .parts = 4}), {}).value().schedule;
    ChunkReplayOptions options;
    SECTION("no whole words")
    {
        options.bytes_per_weight = 6;
        CHECK_THROWS_WITH(replay_chunks(schedule, topology, network, options), Contains("no whole words"));
    }
    SECTION("not valid")
    {
        schedule.transfers.pop_back();
        CHECK_THROWS_WITH(replay_chunks(schedule, topology, network, options), Contains("is not valid"));
    }
    SECTION("an element that does not exist")
    {
        CHECK_THROWS_AS(parse_chunk_element("int8"), std::invalid_argument);
        CHECK(parse_chunk_element(to_string(ChunkElement::float32)) == ChunkElement::float32);
    }
}

} // namespace nocturne::chunk_replay_test
