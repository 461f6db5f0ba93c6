#include "schedules/certificate/check_dominator.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace nocturne {
namespace {

using RouterSet = std::vector<bool>;

/// What `from` reaches when `removed` is not there.
RouterSet reached(const Topology& topology, RouterId from, RouterId removed)
{
    RouterSet seen(topology.router_count());
    std::vector<RouterId> open;
    const auto visit = [&](RouterId router) {
        if (router != removed && !seen[router]) {
            seen[router] = true;
            open.push_back(router);
        }
    };
    visit(from);
    while (!open.empty()) {
        const RouterId at = open.back();
        open.pop_back();
        for (const ChannelId channel : topology.channels_from(at))
            visit(topology.channel(channel).target);
    }
    return seen;
}

struct Part {
    RouterSet routers;
    std::size_t size = 0;
    std::size_t channels_in = 0;
    bool is_closed = true;
    std::vector<unsigned> ports; ///< of the processors that receive within, most first
    std::size_t needed = 0;
    std::size_t informed = 0;
    std::size_t around = 0; ///< index of the smallest part that has it within
};

/// `everything`: what the message reaches at all; no channel brings it from elsewhere.
Part part_of(const Problem& problem, const RouterSet& everything, RouterSet routers)
{
    const Topology& topology = problem.topology;
    const Message& message = problem.collective.messages().front();
    Part part{.routers = std::move(routers), .ports = {}};
    part.size = static_cast<std::size_t>(std::ranges::count(part.routers, true));
    for (const Channel& channel : topology.channels())
        part.channels_in +=
            everything[channel.source] && part.routers[channel.target] && !part.routers[channel.source] ? 1
                                                                                                        : 0;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        if (!part.routers[topology.processor(id).ejection]) {
            part.is_closed = part.is_closed && !part.routers[topology.processor(id).injection];
            continue;
        }
        part.ports.push_back(send_ports(topology, id, problem.ports));
        const bool receives = std::ranges::binary_search(message.receivers, id);
        part.informed += id == message.origin ? 1 : 0;
        part.needed += id == message.origin || receives ? 1 : 0;
    }
    std::ranges::sort(part.ports, std::greater<>());
    return part;
}

/// Parts from the largest to the smallest: each comes behind the one around it.
std::vector<Part> parts_of(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const RouterId origin = topology.processor(problem.collective.messages().front().origin).injection;
    const RouterSet everything = reached(topology, origin, ~0u);
    std::vector<Part> parts;
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        if (!everything[router])
            continue;
        RouterSet dominated = reached(topology, origin, router);
        for (RouterId other = 0; other < topology.router_count(); ++other)
            dominated[other] = everything[other] && !dominated[other];
        parts.push_back(part_of(problem, everything, std::move(dominated)));
    }
    std::ranges::stable_sort(parts, [](const Part& a, const Part& b) { return a.size > b.size; });
    // Two parts are apart or one is within the other, and no two are equal: any router of it tells.
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto any = std::ranges::find(parts[i].routers, true) - parts[i].routers.begin();
        for (std::size_t j = 0; j < i; ++j)
            if (parts[j].routers[static_cast<std::size_t>(any)])
                parts[i].around = j;
    }
    return parts;
}

/// The fewest informed processors of the part that can be `needed` one step later.
std::size_t needed_before(const Part& part)
{
    std::size_t after = part.channels_in;
    std::size_t informed = 0;
    while (after < part.needed)
        after += 1 + part.ports[informed++];
    return part.is_closed ? informed : 0;
}

bool is_enough(const std::vector<Part>& parts)
{
    return std::ranges::all_of(parts, [](const Part& part) { return part.needed <= part.informed; });
}

} // namespace

unsigned steps_by_dominators(const Problem& problem)
{
    if (problem.collective.messages().size() != 1 ||
        problem.collective.messages().front().receivers.size() < 2)
        return 0;
    std::vector<Part> parts = parts_of(problem);
    const RouterSet& everything = parts.front().routers;
    for (const Processor& processor : problem.topology.processors())
        if (!everything[processor.injection] || !everything[processor.ejection])
            return 0;
    unsigned steps = 0;
    for (; !is_enough(parts); ++steps) {
        std::vector<std::size_t> within(parts.size());
        for (std::size_t i = parts.size(); i-- > 0;) {
            parts[i].needed = std::max(needed_before(parts[i]), within[i]);
            if (i > 0)
                within[parts[i].around] += parts[i].needed;
        }
    }
    return steps;
}

} // namespace nocturne
