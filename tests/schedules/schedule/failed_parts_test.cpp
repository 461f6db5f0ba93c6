#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/failed_parts.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <set>

namespace nocturne::failed_parts_test {

TEST_CASE("a fault hits what starts, ends or leads there", "[schedule][faults]")
{
    const Topology topology = make_topology("mesh:3x3");
    SplitMix64 random(3);
    for (unsigned round = 0; round < 200; ++round) {
        // Transfers along a row and a column, of one step.
        Schedule schedule;
        schedule.collective = alltoall({.processors = 9});
        Step& step = schedule.steps.emplace_back();
        for (unsigned i = 0; i < 6; ++i) {
            RouterId at = random.below(9);
            const RouterId from = at;
            Path path;
            for (unsigned hops = 1 + random.below(3); hops > 0; --hops) {
                const auto out = topology.channels_from(at);
                const ChannelId channel = out[random.below(static_cast<std::uint32_t>(out.size()))];
                path.push_back(channel);
                at = topology.channel(channel).target;
            }
            step.emplace_back(0, from, at, path);
        }
        const RouterId one = random.below(9);
        const auto out = topology.channels_from(one);
        const RouterId other = topology.channel(out.front()).target;
        const std::vector<std::string> fault{round % 2 == 0 ? "node:" + topology.router_name(one)
                                                            : "link:" + topology.router_name(one) + "-" +
                                                                  topology.router_name(other)};
        // Router by router, from the definition.
        std::set<std::size_t> expected;
        for (std::size_t i = 0; i < step.size(); ++i) {
            std::vector<RouterId> routers{step[i].source};
            for (const ChannelId channel : *step[i].path)
                routers.push_back(topology.channel(channel).target);
            for (std::size_t k = 0; k < routers.size(); ++k)
                if (round % 2 == 0
                        ? routers[k] == one
                        : k > 0 && std::minmax(routers[k], routers[k - 1]) == std::minmax(one, other))
                    expected.insert(i);
        }
        std::set<std::size_t> found;
        for (const Violation& violation :
             transfers_hit_by(schedule, topology, parse_faults(topology, fault))) {
            CHECK(violation.rule == Rule::failed_part);
            found.insert(violation.transfer.value());
        }
        CHECK(found == expected);
    }
}

} // namespace nocturne::failed_parts_test
