// What paths hold, what it costs to make their messages go, and which steps are as cheap as can be.
#include "models/topology/make_topology.hpp"
#include "schedules/scatter/path_prices.hpp"
#include "schedules/scatter/path_resources.hpp"
#include "schedules/scatter/step_search.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::path_prices_test {

namespace {

Problem all_to_all(const std::string& spec, PortModel ports)
{
    Topology topology = make_topology(spec);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    Problem problem = make_problem(std::move(topology), alltoall({processors}));
    problem.ports = ports;
    return problem;
}

PathTable table_of(const std::vector<std::vector<std::vector<std::uint32_t>>>& messages)
{
    PathTable table;
    for (const auto& paths : messages) {
        for (const auto& path : paths)
            table.add_path(path);
        table.end_message();
    }
    return table;
}

} // namespace

TEST_CASE("paths with ports begin at the sender's and end at the receiver's", "[scatter][even]")
{
    const Problem problem = all_to_all("mesh:3x3", one_port);
    const PathTable paths = even_paths(problem, {.rounds = 6, .most_paths = 3, .seed = 4});
    const PathResources resources = path_resources(problem);
    const auto held = held_paths(resources, paths);
    REQUIRE(held);
    REQUIRE(held->message_count() == paths.message_count());
    for (MessageId id = 0; id < held->message_count(); ++id) {
        REQUIRE(held->first_path(id + 1) == paths.first_path(id + 1));
        for (auto path = held->first_path(id); path != held->first_path(id + 1); ++path) {
            const auto channels = paths.path(path), all = held->path(path);
            REQUIRE(all.size() == channels.size() + 2);
            CHECK(all.front() == resources.ports[id].front());
            CHECK(all.back() == resources.ports[id].back());
            CHECK(std::equal(channels.begin(), channels.end(), all.begin() + 1));
        }
    }
    const Problem without = all_to_all("mesh:3x3", all_port);
    CHECK_FALSE(held_paths(path_resources(without), paths));
}

TEST_CASE("the busiest resource takes as many steps as its capacity leaves", "[scatter][even]")
{
    PathResources resources;
    resources.capacity = {1, 3, 0, 0};
    resources.of_channel = {0, 1, 1, 2};
    const auto fewest = [&](const PathTable& paths) {
        return fewest_steps(resources, load_of_first_paths(resources, paths));
    };
    CHECK(fewest({}) == 1);
    // Only first paths count: resource 0 is on two of them, resource 1 on seven, what is never scarce on all.
    resources.ports.assign(7, {2, 3});
    const std::vector<std::vector<std::uint32_t>> both{{0, 1}}, one{{1, 3}, {0, 3}}, other{{2}, {0}};
    CHECK(fewest(table_of({both, both, one, one, one, other, other})) == 3);
    // Until a port is scarce.
    resources.capacity[3] = 2;
    CHECK(fewest(table_of({both, both, one, one, one, other, other})) == 4);
}

TEST_CASE("paths hold the resource that their channel is part of", "[scatter][even]")
{
    PathResources resources = path_resources(all_to_all("mesh:1x3", all_port));
    REQUIRE(resources.of_channel.size() == 4);
    resources.of_channel = {1, 1, 0, 0};
    const std::size_t messages = resources.ports.size();
    const std::vector<std::vector<std::uint32_t>> one_path{{0, 2}};
    const PathTable paths = table_of(std::vector(messages, one_path));
    const auto held = held_paths(resources, paths);
    REQUIRE(held);
    CHECK(std::vector(held->path(0).begin(), held->path(0).end()) == std::vector<std::uint32_t>{1, 0});
}

TEST_CASE("a message costs more, the more its first path takes of what is scarce", "[scatter][even]")
{
    // Resource 0 is taken by four, 1 by two that share it, so that it is as if one had it, 2 by one.
    const std::vector<std::uint32_t> capacity{1, 2, 1, 1};
    const PathTable paths = table_of({{{0}}, {{0}, {0, 1, 2}}, {{0, 1}}, {{0, 1, 2}}, {{3}}, {{3}}, {{}}});
    const auto prices = first_prices(capacity, paths, 1000);
    REQUIRE(prices.size() == 7);
    CHECK(prices[3] == 1001);      // the heaviest
    CHECK(prices[0] == prices[1]); // other paths do not count
    CHECK(prices[0] < prices[2]);
    CHECK(prices[2] < prices[3]);
    CHECK(prices[4] == prices[5]);
    CHECK(prices[4] < prices[0]); // the same number of hops, where there is room
    CHECK(prices[6] == 1);        // holds nothing
    CHECK(first_prices(capacity, table_of({}), 1000).empty());
    CHECK(first_prices({}, table_of({}), 1000).empty());
}

TEST_CASE("all places of a price are visited, in their order, and no others", "[scatter][even]")
{
    using Price = HolderTable::Price;
    // Numbers that differ from each other in a borrow or in the highest bit.
    const std::vector<Price> different{0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x0100, 0x00ff};
    std::vector<Price> costs;
    for (std::size_t i = 0; i < 40 * lane_count; ++i)
        costs.push_back(different[(i * i + i / 7) % different.size()]);
    for (const Price price : different) {
        std::vector<std::size_t> expected, visited;
        for (std::size_t i = 0; i < costs.size(); ++i)
            if (costs[i] == price)
                expected.push_back(i);
        for_each_equal(costs, price, [&](std::size_t index) { visited.push_back(index); });
        CAPTURE(price);
        CHECK(visited == expected);
    }
}

} // namespace nocturne::path_prices_test
