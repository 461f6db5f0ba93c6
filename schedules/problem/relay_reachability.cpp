#include "schedules/problem/relay_reachability.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

std::vector<bool> processors_reached(const Topology& topology, ProcessorId origin)
{
    if (origin >= topology.processor_count())
        throw std::invalid_argument(fmt::format("{}: processor {} does not exist", topology.name(), origin));
    std::vector<bool> has_message(topology.processor_count(), false);
    std::vector<bool> seen(topology.router_count(), false);
    std::vector<RouterId> open;
    const auto visit = [&](RouterId router) {
        if (!seen[router])
            open.push_back(router);
        seen[router] = true;
    };
    has_message[origin] = true;
    visit(topology.processor(origin).injection);
    while (!open.empty()) {
        const RouterId at = open.back();
        open.pop_back();
        for (const ChannelId id : topology.channels_from(at))
            visit(topology.channel(id).target);
        for (const ProcessorId relay : topology.processors_ejected_by(at)) {
            has_message[relay] = true;
            visit(topology.processor(relay).injection);
        }
    }
    return has_message;
}

} // namespace nocturne
