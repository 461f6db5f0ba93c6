#include "tests/schedules/constructions/constructed.hpp"

#include "models/routing/distances.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

namespace nocturne {

Topology random_network(SplitMix64& random)
{
    const std::uint32_t routers = 2 + random.below(9);
    Topology topology("random");
    for (std::uint32_t r = 0; r < routers; ++r)
        topology.add_router();
    const bool directed = random.below(2) == 0;
    for (RouterId r = 0; r < routers; ++r)
        if (directed)
            topology.add_channel(r, (r + 1) % routers);
        else if (r > 0)
            topology.add_link(random.below(r), r);
    for (std::uint32_t extra = random.below(2 * routers); extra > 0; --extra)
        if (const RouterId a = random.below(routers), b = random.below(routers); a != b)
            topology.add_channel(a, b);
    for (std::uint32_t count = 2 + random.below(9); count > 0; --count) {
        const RouterId router = random.below(routers);
        topology.add_processor(router, random.below(8) == 0 ? random.below(routers) : router,
                               fmt::format("p{}", count));
    }
    return topology;
}

std::size_t valid_steps(const std::optional<Schedule>& schedule, const Problem& problem)
{
    INFO(describe(problem));
    REQUIRE(schedule);
    CHECK(schedule->collective == problem.collective);
    CHECK(schedule->ports == problem.ports);
    CHECK(schedule->switching == problem.switching);
    const std::vector<Violation> violations = validate(*schedule, problem.topology);
    CHECK(violations.empty());
    if (!violations.empty())
        FAIL(violations.front().text);
    std::vector<std::vector<std::uint32_t>> distances(problem.topology.router_count());
    for (const Step& step : schedule->steps)
        for (const Transfer& transfer : step) {
            const Endpoints ends = endpoints(problem.topology, transfer.source, transfer.destination);
            if (distances[ends.source].empty())
                distances[ends.source] = distances_from(problem.topology, ends.source);
            if (problem.slack &&
                transfer.path->size() > distances[ends.source][ends.destination] + *problem.slack)
                FAIL("a path is longer than the slack allows");
        }
    return schedule->steps.size();
}

} // namespace nocturne
