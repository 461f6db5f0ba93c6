#include "models/routing/random.hpp"
#include "schedules/flows/network_flow.hpp"
#include "tests/catch.hpp"

#include <vector>

namespace nocturne::max_flow_test {
namespace {

struct TestArc {
    std::uint32_t from, to;
    std::int64_t capacity;
};

std::int64_t capacity_out_of(std::uint32_t set, const std::vector<TestArc>& arcs)
{
    std::int64_t capacity = 0;
    for (const TestArc& arc : arcs)
        capacity += (set >> arc.from & 1) != 0 && (set >> arc.to & 1) == 0 ? arc.capacity : 0;
    return capacity;
}

} // namespace

TEST_CASE("a maximum flow is the minimum cut, and the cut is the one nearest to the source", "[flows]")
{
    SplitMix64 random(GENERATE(range(1U, 200U)));
    const std::uint32_t vertices = 2 + random.below(8);
    std::vector<TestArc> arcs;
    MaxFlow flow(vertices);
    for (std::uint32_t i = random.below(30); i > 0; --i) {
        arcs.push_back({random.below(vertices), random.below(vertices),
                        random.below(9) == 0 ? MaxFlow::unlimited : random.below(5)});
        flow.add_arc(arcs.back().from, arcs.back().to, arcs.back().capacity);
    }
    const std::int64_t most = flow.run(0, 1);
    std::uint32_t side = 0;
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
        side |= flow.is_on_source_side(vertex) ? 1U << vertex : 0;
    CHECK((side & 3) == 1);
    CHECK(capacity_out_of(side, arcs) == most);
    for (std::uint32_t set = 1; set < 1U << vertices; ++set) {
        if ((set & 3) != 1)
            continue;
        const std::int64_t capacity = capacity_out_of(set, arcs);
        CHECK(capacity >= most);
        if (capacity == most)
            CHECK((side & ~set) == 0);
    }
}

} // namespace nocturne::max_flow_test
