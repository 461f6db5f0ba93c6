#include "models/routing/random.hpp"
#include "schedules/constructions/min_cost_flow.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace nocturne::min_cost_flow_test {

namespace {

struct TestArc {
    std::uint32_t from, to;
    std::int32_t capacity, cost;
};

/// Reference: one unit after the other over a cheapest residual path (Bellman and Ford).
std::pair<std::int64_t, std::int64_t> flow_and_cost(const std::vector<TestArc>& arcs, std::uint32_t vertices)
{
    std::vector<std::int32_t> flow(arcs.size());
    std::int64_t total = 0, cost = 0;
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 2;
    while (true) {
        std::vector<std::int64_t> distance(vertices, far);
        std::vector<std::pair<std::size_t, int>> by(vertices);
        distance[0] = 0;
        for (std::uint32_t round = 0; round < vertices; ++round)
            for (std::size_t i = 0; i < arcs.size(); ++i) {
                const auto& [from, to, capacity, price] = arcs[i];
                if (flow[i] < capacity && distance[from] < far && distance[from] + price < distance[to]) {
                    distance[to] = distance[from] + price;
                    by[to] = {i, 1};
                }
                if (flow[i] > 0 && distance[to] < far && distance[to] - price < distance[from]) {
                    distance[from] = distance[to] - price;
                    by[from] = {i, -1};
                }
            }
        if (distance[1] == far)
            return {total, cost};
        ++total;
        cost += distance[1];
        for (std::uint32_t at = 1; at != 0;) {
            const auto [i, sign] = by[at];
            flow[i] += sign;
            at = sign > 0 ? arcs[i].from : arcs[i].to;
        }
    }
}

} // namespace

TEST_CASE("a flow is as large as it can be, and then as cheap", "[constructions]")
{
    const auto seed = GENERATE(range(1u, 80u));
    SplitMix64 random(seed);
    const std::uint32_t vertices = 2 + random.below(9), count = random.below(40);
    std::vector<TestArc> arcs;
    FlowNetwork network(vertices);
    for (std::uint32_t i = 0; i < count; ++i) {
        arcs.push_back({random.below(vertices), random.below(vertices),
                        static_cast<std::int32_t>(random.below(4)),
                        static_cast<std::int32_t>(random.below(4))});
        CHECK(network.add_arc(arcs[i].from, arcs[i].to, arcs[i].capacity, arcs[i].cost) == i);
    }
    const auto [most, least_cost] = flow_and_cost(arcs, vertices);
    CHECK(network.send(0, 1) == most);

    std::vector<std::int64_t> surplus(vertices);
    std::int64_t cost = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::int32_t flow = network.flow(i);
        CHECK((flow >= 0 && flow <= arcs[i].capacity));
        surplus[arcs[i].from] -= flow;
        surplus[arcs[i].to] += flow;
        cost += std::int64_t{flow} * arcs[i].cost;
    }
    CHECK(surplus[1] == most);
    surplus[0] += most;
    surplus[1] -= most;
    CHECK(std::count(surplus.begin(), surplus.end(), 0) == vertices);
    CHECK(cost == least_cost);
}

} // namespace nocturne::min_cost_flow_test
