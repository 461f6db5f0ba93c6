#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/timed_schedules.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

namespace nocturne::scan_chain_test {

TEST_CASE("a scan over a chain is valid on whatever network, for whatever group", "[chunks][scan]")
{
    SplitMix64 random{GENERATE(range(1U, 41U))};
    const LinkNetwork network = test::random_links(
        random,
        {.least_processors = 3, .most_processors = 7, .most_switches = 2, .copies = true, .most_latency = 8});
    const std::vector<std::uint32_t> group{2, 0, 1};
    for (const std::uint32_t parts : {1U, 2U, 5U})
        for (const bool is_of_all : {true, false}) {
            CollectiveShape shape{.processors = network.processor_count(), .parts = parts};
            if (!is_of_all)
                shape.group = group;
            const Collective collective = scan(shape);
            const auto order = scan_order(collective);
            CHECK(order.size() == (is_of_all ? network.processor_count() : 3));
            const auto schedule = scan_over_chain(network, collective, {.start_cycles = 1});
            REQUIRE(schedule);
            CHECK(test::first_violation(*schedule, network) == "");
        }
}

TEST_CASE("many parts of a scan come near the load of the fullest link", "[chunks][scan]")
{
    const auto rounds = [](const char* name) {
        const LinkNetwork network = link_network_of(make_topology(name));
        const Collective collective = scan({.processors = network.processor_count(), .parts = 256});
        const auto unit = static_cast<double>(network.unit_bytes_per_cycle());
        const AlphaBeta cost{.bytes_per_weight = 1024 * unit};
        return time_of(scan_over_chain(network, collective, cost).value(), network, cost) / 1024 / 256;
    };
    CHECK(rounds("ring:8") == Approx(1).epsilon(0.05));
    CHECK(rounds("mesh:4x4") == Approx(1).epsilon(0.15)); // which is the bound: a row is left in each
    CHECK(rounds("star:8") == Approx(1).epsilon(0.05));
}

TEST_CASE("other collectives are no scans, nor are there ways that do not exist", "[chunks][scan]")
{
    CHECK(scan_order(allreduce({.processors = 4})).empty());
    CHECK(scan_order(reduce({.processors = 4}, 0)).empty());
    CHECK(scan_order(alltoall({.processors = 4})).empty());
    // As many sums as a scan of two has, but of other chunks, to another, and without its own contribution.
    const Chunk of_two{1, {0, 2}}, of_three{1, {1, 2, 3}};
    const auto owed = [](std::vector<Chunk> chunks, std::vector<Demand> demands) {
        return scan_order(
            {.processors = 4, .chunks = std::move(chunks), .demands = Demands(std::move(demands))});
    };
    CHECK(owed({of_two}, {{0, 0, {0, 2}}}) == std::vector<std::uint32_t>{2, 0});
    CHECK(owed({of_two, of_three}, {{0, 0, {0, 2}}, {1, 3, {2}}}).empty());
    CHECK(owed({of_two}, {{0, 3, {0, 2}}}).empty());
    CHECK(owed({of_two}, {{0, 0, {2}}}).empty());
    CHECK(owed({of_three}, {{0, 1, {2}}, {0, 2, {1, 2}}}).empty());
    LinkNetwork one_way{"one way", 3};
    one_way.add_link({0, 1, 1, 0});
    CHECK_FALSE(scan_over_chain(one_way, scan({.processors = 3}), {}));
}

} // namespace nocturne::scan_chain_test
