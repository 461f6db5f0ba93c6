#include "models/routing/random.hpp"
#include "schedules/flows/network_flow.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace nocturne::min_cost_flow_test {

namespace {

/// Reference: one unit after the other over a cheapest residual path (Bellman and Ford).
std::pair<std::int64_t, std::int64_t> flow_and_cost(const std::vector<CostArc>& arcs, std::uint32_t vertices)
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

TEST_CASE("a flow of so much is as cheap as it can be", "[flows]")
{
    const auto seed = GENERATE(range(1u, 80u));
    SplitMix64 random(seed);
    const std::uint32_t vertices = 2 + random.below(9), count = random.below(40);
    std::vector<CostArc> arcs;
    for (std::uint32_t i = 0; i < count; ++i)
        arcs.push_back({random.below(vertices), random.below(vertices),
                        static_cast<std::int32_t>(random.below(4)),
                        static_cast<std::int32_t>(random.below(4))});
    const auto [most, least_cost] = flow_and_cost(arcs, vertices);
    CHECK_FALSE(cheapest_flow(vertices, arcs, 0, 1, static_cast<std::int32_t>(most) + 1));
    const auto flow = cheapest_flow(vertices, arcs, 0, 1, static_cast<std::int32_t>(most));
    REQUIRE(flow);

    std::vector<std::int64_t> surplus(vertices);
    std::int64_t cost = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        CHECK(((*flow)[i] >= 0 && (*flow)[i] <= arcs[i].capacity));
        surplus[arcs[i].from] -= (*flow)[i];
        surplus[arcs[i].to] += (*flow)[i];
        cost += std::int64_t{(*flow)[i]} * arcs[i].cost;
    }
    CHECK(surplus[1] == most);
    surplus[0] += most;
    surplus[1] -= most;
    CHECK(std::count(surplus.begin(), surplus.end(), 0) == vertices);
    CHECK(cost == least_cost);
}

} // namespace nocturne::min_cost_flow_test
