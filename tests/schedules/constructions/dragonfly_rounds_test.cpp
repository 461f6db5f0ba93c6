#include "models/routing/random.hpp"
#include "schedules/constructions/constructions.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne::dragonfly_rounds_test {

namespace {

/// A balanced dragonfly with global channels at random routers; without those between the last `unjoined`
/// groups.
Topology random_dragonfly(unsigned h, SplitMix64& random, unsigned unjoined = 0)
{
    const unsigned routers = 2 * h, groups = routers * h + 1;
    Topology topology("dragonfly");
    for (unsigned i = 0; i < groups * routers; ++i) {
        const RouterId id = topology.add_router();
        for (unsigned j = 0; j < h; ++j)
            topology.add_processor(id, id);
    }
    std::vector<std::vector<RouterId>> ends(groups); // by group, one for each other group
    for (unsigned group = 0; group < groups; ++group) {
        for (unsigned a = 0; a < routers; ++a)
            for (unsigned b = a + 1; b < routers; ++b)
                topology.add_link(group * routers + a, group * routers + b);
        for (unsigned i = 0; i + 1 < groups; ++i)
            ends[group].push_back(group * routers + i / h);
        std::shuffle(ends[group].begin(), ends[group].end(), random);
    }
    for (unsigned a = 0; a < groups - unjoined; ++a)
        for (unsigned b = a + 1; b < groups; ++b)
            topology.add_link(ends[a][b - 1], ends[b][a]);
    topology.set_default_ports(one_port);
    return topology;
}

Problem scatter_on(Topology topology)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(std::move(topology), alltoall({processors}));
}

} // namespace

TEST_CASE("a dragonfly scatters in one step for each other processor", "[constructions][dragonfly]")
{
    const auto h = GENERATE(1u, 2u, 3u);
    SplitMix64 random(GENERATE(1u, 2u, 3u));
    const Problem problem = scatter_on(random_dragonfly(h, random));
    CAPTURE(h);
    CHECK(valid_steps(dragonfly_rounds(problem), problem) == problem.topology.processor_count() - 1);
}

TEST_CASE("no dragonfly rounds where they do not apply", "[constructions][dragonfly]")
{
    SplitMix64 random(1);
    CHECK_FALSE(dragonfly_rounds(scatter_on(random_dragonfly(2, random, 2))));
    Problem problem = scatter_on(random_dragonfly(2, random));
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(dragonfly_rounds(problem));
    problem.switching = Switching::wormhole;
    problem.collective = allgather({72});
    CHECK_FALSE(dragonfly_rounds(problem));
}

} // namespace nocturne::dragonfly_rounds_test
