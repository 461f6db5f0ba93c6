// Schedules of chunks as messages in steps: judged by the validator of steps, and carried out.
#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/asked_number.hpp"
#include "tests/schedules/schedule/edit_transfers.hpp"
#include "tests/schedules/schedule/plain_executor.hpp"
#include "tests/schedules/schedule/random_chunks.hpp"
#include "tests/schedules/schedule/ring_schedules.hpp"

#include <algorithm>
#include <map>

namespace nocturne::chunk_steps_test {

namespace {

using Catch::Contains;

std::string first_of(const std::vector<Violation>& violations)
{
    return violations.empty() ? "" : violations.front().text;
}

/// Word for word, where paths lead over switches only: one place a message, a round a step.
Schedule as_written(const Schedule& schedule, const LinkNetwork& network)
{
    Schedule result = schedule;
    result.rounds.assign(schedule.steps.size(), 1);
    for (Step& step : result.steps)
        for (Transfer& transfer : step)
            transfer.path = links_of(transfer, network);
    return result;
}

/// What must hold of the schedule in steps that chunks became.
void check_steps(const Schedule& steps, const Schedule& chunks, const Topology& topology,
                 const LinkNetwork& network, SplitMix64& random)
{
    CHECK(first_of(validate(steps, topology)) == "");
    CHECK(count_transfers(steps) <= count_transfers(chunks));
    CHECK(steps.ports == topology.default_ports());
    CHECK(
        std::none_of(steps.steps.begin(), steps.steps.end(), [](const Step& step) { return step.empty(); }));
    CHECK(test::execute(as_written(steps, network), network, random).failure == "");
    const Schedule back = chunks_of_steps(steps, network);
    const auto violations = validate(back, network);
    CHECK((violations.empty() ? "" : violations.front().text) == "");
    CHECK(test::failure_of(back, network, random) == "");
}

bool has_equal_weights(const Collective& collective)
{
    return std::all_of(collective.chunks.begin(), collective.chunks.end(),
                       [&](const Chunk& chunk) { return chunk.weight == collective.chunks.front().weight; });
}

/// Of a random collective on a random network: by an engine, with or without barriers.
std::optional<Schedule> random_schedule(const LinkNetwork& network, SplitMix64& random)
{
    const SplitMix64 drawn(random());
    ChunkProblem problem{.network = network,
                         .collective = test::random_chunk_collective(drawn, network.processor_count(), 1)};
    if (problem.collective.demands.empty())
        return std::nullopt;
    problem.parts = 1 + random.below(3);
    problem.objective = static_cast<ChunkObjective>(random.below(3));
    const PortfolioOptions options{
        .budget = std::chrono::duration<double>(0.03), .seed = random(), .workers = 1};
    Schedule schedule;
    if (random.below(2) == 0) {
        schedule = *find_schedule(problem, options).schedule;
    } else {
        const auto found = search_by_time(network, in_parts(problem.collective, *problem.parts),
                                          {.cost = {.bytes_per_weight = 64}, .seed = random(), .runs = 1});
        schedule = random.below(2) == 0 ? found->schedule : test::put_in_steps(found->schedule, network);
    }
    return random.below(2) == 0 ? test::with_places_renamed(schedule, random) : schedule;
}

} // namespace

TEST_CASE("what engines find in chunks is valid in steps, and does the same", "[chunks][conversion]")
{
    std::map<std::string, int> refused;
    std::uint64_t converted = 0;
    const std::uint64_t first = test::asked_number("NOCTURNE_CHUNK_FIRST", 0);
    for (std::uint64_t seed = first; seed < first + test::asked_number("NOCTURNE_CHUNK_CONVERSIONS", 40);
         ++seed) {
        INFO("seed " << seed);
        SplitMix64 random(seed);
        const Topology topology = test::random_chunk_network(random, true);
        const LinkNetwork network = link_network_of(topology);
        const auto chunks = random_schedule(network, random);
        if (!chunks)
            continue;
        try {
            check_steps(steps_of_chunks(*chunks, topology, network), *chunks, topology, network, random);
            ++converted;
        } catch (const std::invalid_argument& error) {
            const std::string why = error.what();
            if (!has_equal_weights(chunks->collective)) {
                CHECK_THAT(why, Contains("chunks of unequal weights"));
                continue;
            }
            CHECK(reduces(chunks->collective)); // what only copies always has steps
            CHECK_THAT(why, Contains("keeps sums of chunk") || Contains("exchange sums at once"));
            ++refused[why.substr(0, 40)];
        }
    }
    std::uint64_t sums = 0;
    for (const auto& [why, count] : refused)
        sums += static_cast<std::uint64_t>(count);
    INFO(converted << " converted, " << sums << " refused");
    CHECK(converted > 4 * sums);
}

TEST_CASE("every collective is converted on networks of every form", "[chunks][conversion]")
{
    const std::string name = GENERATE("mesh:2x3", "star:5", "omega:8", "ring:5", "torus:3x3", "fattree:8");
    const Topology topology = make_topology(name);
    const LinkNetwork network = link_network_of(topology);
    SplitMix64 random(1);
    for (int kind = 0; kind < static_cast<int>(CollectiveKind::multicast); ++kind)
        for (const ChunkObjective objective : {ChunkObjective::bandwidth, ChunkObjective::time}) {
            const auto of_kind = static_cast<CollectiveKind>(kind);
            const ChunkProblem problem{
                .network = network,
                .collective = make_collective(of_kind, CollectiveShape{network.processor_count()},
                                              has_root(of_kind) ? std::optional{1U} : std::nullopt),
                .parts = 2,
                .objective = objective,
                .topology = topology};
            INFO(name << ", " << to_string(of_kind) << ", " << to_string(objective));
            const PortfolioResult found =
                find_schedule(problem, {.budget = std::chrono::duration<double>(0.05), .workers = 1});
            REQUIRE(found.schedule);
            try {
                check_steps(steps_of_chunks(*found.schedule, topology, network), *found.schedule, topology,
                            network, random);
            } catch (const std::invalid_argument& error) {
                CHECK_THAT(error.what(),
                           Contains("keeps sums of chunk") || Contains("exchange sums at once"));
                CHECK((of_kind == CollectiveKind::allreduce || of_kind == CollectiveKind::scan));
            }
        }
}

TEST_CASE("a step of one round and links of one unit stays what it is", "[chunks][conversion]")
{
    const std::uint32_t nodes = GENERATE(3U, 4U, 6U);
    const Topology topology = make_topology("ring:" + std::to_string(nodes));
    const LinkNetwork network = link_network_of(topology);
    Schedule chunks = test::ring_allreduce(nodes);
    for (Step& step : chunks.steps)
        for (Transfer& transfer : step) // the links of this network
            transfer.path = {only_link(network, transfer.source, transfer.destination).value()};
    REQUIRE(validate(chunks, network).empty());
    const Schedule steps = steps_of_chunks(chunks, topology, network);
    CHECK(steps.steps == chunks.steps);
}

TEST_CASE("two that exchange what they add do so in one step, and scratch for it is not needed",
          "[chunks][conversion]")
{
    const Topology line = make_topology("mesh:1x2");
    const LinkNetwork network = link_network_of(line);
    const LinkId there = network.links_from(0).front();
    const LinkId back = network.links_from(1).front();
    Schedule chunks;
    chunks.collective = allreduce({2});
    const auto send = [](NodeId from, LinkId link, PlaceId to, Operation operation) {
        return ListedTransfer{{{0, to}, from, 1 - from, Path{link}, operation}};
    };
    SECTION("in a step")
    {
        chunks.rounds = {1};
        set_transfers(chunks, {send(0, there, 0, Operation::add), send(1, back, 0, Operation::add)});
    }
    SECTION("under dependencies, through scratch")
    {
        chunks.synchronization = ScheduleSynchronization::dependencies;
        const auto added = [](NodeId node) {
            return ListedTransfer{{{1, 0}, node, node, Path{}, Operation::add}, 0, {0, 1}};
        };
        set_transfers(chunks, {send(0, there, 1, Operation::copy), send(1, back, 1, Operation::copy),
                               added(0), added(1)});
    }
    REQUIRE(validate(chunks, network).empty());
    const Schedule steps = steps_of_chunks(chunks, line, network);
    REQUIRE(steps.steps.size() == 1);
    REQUIRE(steps.steps[0].size() == 2);
    CHECK(steps.steps[0][0].operation == Operation::add);
    CHECK(steps.steps[0][1].operation == Operation::add);
    CHECK(first_of(validate(steps, line)) == "");
}

TEST_CASE("what a processor gets twice is sent once", "[chunks][conversion]")
{
    const Topology line = make_topology("mesh:1x2");
    const LinkNetwork network = link_network_of(line);
    Schedule chunks;
    chunks.collective = broadcast({2}, 0);
    chunks.rounds = {1, 1};
    for (std::uint32_t step = 0; step < 2; ++step)
        test::add_transfer(chunks, {{0, 0, 1, Path{network.links_from(0).front()}}, step});
    REQUIRE(validate(chunks, network).empty());
    const Schedule steps = steps_of_chunks(chunks, line, network);
    CHECK(count_transfers(steps) == 1);
    CHECK(first_of(validate(steps, line)) == "");
}

TEST_CASE("unequal weights, and sums that are kept apart, are no schedule in steps", "[chunks][conversion]")
{
    const Topology line = make_topology("mesh:1x3");
    const LinkNetwork network = link_network_of(line);
    const auto link = [&](NodeId from, NodeId to) { return only_link(network, from, to).value(); };
    Schedule chunks;
    chunks.collective.processors = 3;
    SECTION("unequal weights")
    {
        chunks.collective.chunks = {{1, {0}}, {2, {0}}};
        chunks.collective.demands.push_back({0, 1, {0}});
        chunks.collective.demands.push_back({1, 1, {0}});
        chunks.rounds = {3};
        for (PlaceId chunk = 0; chunk < 2; ++chunk)
            test::add_transfer(chunks, {{chunk, 0, 1, Path{link(0, 1)}}});
        REQUIRE(validate(chunks, network).empty());
        CHECK_THROWS_WITH(steps_of_chunks(chunks, line, network), Contains("chunks of unequal weights"));
    }
    SECTION("what is released at some time")
    {
        chunks.collective.chunks = {{1, {0}, 5}};
        chunks.collective.demands.push_back({0, 1, {0}});
        chunks.rounds = {1};
        test::add_transfer(chunks, {{0, 0, 1, Path{link(0, 1)}}});
        CHECK_THROWS_WITH(steps_of_chunks(chunks, line, network), Contains("messages have no release"));
    }
    SECTION("its own contribution, beside a sum with it that is sent before")
    {
        chunks.collective.chunks = {{1, {0, 1}}};
        chunks.collective.demands.push_back({0, 0, {1}});
        chunks.collective.demands.push_back({0, 2, {0, 1}});
        chunks.rounds = {1, 1, 1};
        set_transfers(chunks, {{{{0, 1}, 0, 1, Path{link(0, 1)}}},
                               {{{0, 1}, 1, 1, Path{}, Operation::add}},
                               {{{1, 0}, 1, 2, Path{link(1, 2)}}, 1},
                               {{0, 1, 0, Path{link(1, 0)}}, 2}});
        REQUIRE(validate(chunks, network).empty());
        CHECK_THROWS_WITH(steps_of_chunks(chunks, line, network), Contains("01 keeps sums of chunk 0 apart"));
        // In the same step it is sent first, and what comes is added afterwards.
        chunks.rounds = {1, 1};
        chunks.steps[1].push_back(chunks.steps[2].back());
        chunks.steps.pop_back();
        REQUIRE(validate(chunks, network).empty());
        const Schedule steps = steps_of_chunks(chunks, line, network);
        CHECK(first_of(validate(steps, line)) == "");
        CHECK(count_transfers(steps) == 3);
    }
}

} // namespace nocturne::chunk_steps_test
