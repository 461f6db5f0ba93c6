#include "models/network/fault_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

void check_faults(const Topology& topology, const Faults& faults, const DownTime& down)
{
    if (down.until <= down.from)
        throw std::invalid_argument(
            fmt::format("{}: a fault from cycle {} to cycle {}", topology.name(), down.from, down.until));
    for (const ChannelId id : faults.channels)
        if (id >= topology.channel_count())
            throw std::invalid_argument(fmt::format("{}: channel {} does not exist", topology.name(), id));
    for (const RouterId id : faults.routers)
        if (id >= topology.router_count())
            throw std::invalid_argument(fmt::format("{}: router {} does not exist", topology.name(), id));
}

} // namespace

std::vector<LinkDown> links_down(const LinkPlan& plan, const Faults& faults, DownTime down)
{
    check_faults(plan.topology(), faults, down);
    std::vector<LinkDown> result;
    for (const ChannelId id : faults.channels)
        result.push_back({id, down});
    for (const RouterId router : faults.routers) {
        const std::vector<std::uint32_t> out_of = plan.links_out_of(router);
        unsigned slowest_link = 1;
        for (const std::uint32_t link : out_of)
            slowest_link = std::max(
                {slowest_link, plan.timing(link).cycles_per_flit, plan.timing(link).rate.longest_gap()});
        const std::uint64_t back = std::max(down.until, down.from + plan.most_router_cycles() + slowest_link);
        for (const std::uint32_t link : plan.links_into(router))
            result.push_back({link, {down.from == 0 ? 0 : down.from - 1, back}});
        for (const std::uint32_t link : out_of)
            result.push_back({link, {down.from, back}});
    }
    return result;
}

} // namespace nocturne
