#include "models/topology/faults.hpp"

#include "models/topology/plain_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

struct RouterPair {
    RouterId from;
    RouterId to;
};

/// `00-01`, the dash where both sides are routers: names may hold dashes of their own.
std::optional<RouterPair> parse_pair(const Topology& topology, PlainNumbers& numbers, std::string_view text)
{
    for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
        const std::string_view from = text.substr(0, dash);
        const std::string_view to = text.substr(dash + 1);
        if (topology.find_router(from) && topology.find_router(to))
            return RouterPair{*numbers.find_router(from), *numbers.find_router(to)};
    }
    return std::nullopt;
}

/// Adds the channels from one router to another; false if there are none.
bool add_channels(const Topology& topology, RouterPair pair, std::vector<ChannelId>& channels)
{
    const std::size_t before = channels.size();
    for (const ChannelId id : topology.channels_from(pair.from))
        if (topology.channel(id).target == pair.to)
            channels.push_back(id);
    return channels.size() > before;
}

/// Which processors a processor reaches.
std::vector<bool> reached_from(const Topology& topology, ProcessorId source)
{
    std::vector<bool> seen(topology.router_count());
    std::vector<RouterId> open{topology.processor(source).injection};
    seen[open.back()] = true;
    while (!open.empty()) {
        const RouterId at = open.back();
        open.pop_back();
        for (const ChannelId id : topology.channels_from(at))
            if (const RouterId next = topology.channel(id).target; !seen[next]) {
                seen[next] = true;
                open.push_back(next);
            }
    }
    std::vector<bool> reached;
    for (const Processor& processor : topology.processors())
        reached.push_back(seen[processor.ejection]);
    return reached;
}

/// How many routers a walk from router 0 along, or against, the channels comes to.
std::size_t count_reached(const Topology& topology, RouterId Channel::* far_end)
{
    std::vector<bool> is_reached(topology.router_count());
    std::vector<RouterId> reached{0};
    is_reached[0] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const bool follows = far_end == &Channel::target;
        for (const ChannelId id :
             follows ? topology.channels_from(reached[i]) : topology.channels_to(reached[i]))
            if (const RouterId next = topology.channel(id).*far_end; !is_reached[next]) {
                is_reached[next] = true;
                reached.push_back(next);
            }
    }
    return reached.size();
}

/// Does every router reach every other one? Then no pair of processors need be looked at.
bool is_strongly_connected(const Topology& topology)
{
    const std::size_t routers = topology.router_count();
    return routers == 0 || (count_reached(topology, &Channel::target) == routers &&
                            count_reached(topology, &Channel::source) == routers);
}

} // namespace

Faults parse_faults(const Topology& topology, std::span<const std::string> faults)
{
    Faults result;
    PlainNumbers numbers(topology, "faults");
    for (const std::string& fault : faults) {
        const std::size_t colon = fault.find(':');
        const std::string_view kind = std::string_view(fault).substr(0, colon);
        const std::string_view place =
            colon == std::string::npos ? "" : std::string_view(fault).substr(colon + 1);
        const auto refuse = [&](std::string_view reason) {
            throw std::invalid_argument(fmt::format("{}: fault '{}': {}", topology.name(), fault, reason));
        };
        if (kind == "node") {
            const auto router = numbers.find_router(place);
            if (!router)
                refuse(fmt::format("node {} does not exist", place));
            result.routers.push_back(*router);
        } else if (kind == "link" || kind == "channel") {
            const auto pair = parse_pair(topology, numbers, place);
            if (!pair || !add_channels(topology, *pair, result.channels))
                refuse(fmt::format("{} {} does not exist", kind, place));
            if (kind == "link" && !add_channels(topology, {pair->to, pair->from}, result.channels))
                refuse(fmt::format("there is a channel {} but none back; say channel:{}", place, place));
        } else {
            // Parts of a network are named so: links with arrows (part_rows.hpp), routers alone.
            const std::size_t both = fault.find("--"), one = fault.find("->");
            const auto meant = [&](std::string_view word, std::size_t arrow) {
                return fmt::format("; did you mean {}:{}-{}?", word, fault.substr(0, arrow),
                                   fault.substr(arrow + 2));
            };
            refuse("expected channel:A-B, link:A-B or node:A" +
                   (both != std::string::npos              ? meant("link", both)
                    : one != std::string::npos             ? meant("channel", one)
                    : topology.find_router(fault)          ? fmt::format("; did you mean node:{}?", fault)
                    : parse_pair(topology, numbers, fault) ? fmt::format("; did you mean link:{}?", fault)
                                                           : std::string()));
        }
    }
    return result;
}

Topology with_faults(const Topology& topology, const Faults& faults, std::string_view described)
{
    const auto has_failed = [&](RouterId id) {
        return std::find(faults.routers.begin(), faults.routers.end(), id) != faults.routers.end();
    };
    std::vector<bool> channel_failed(topology.channel_count());
    for (const ChannelId id : faults.channels)
        channel_failed[id] = true;

    Topology rest(fmt::format("{} without {}", topology.name(), described));
    for (const std::string& name : topology.lost_routers())
        rest.retire_router_name(name);
    for (const std::string& name : topology.lost_processors())
        rest.retire_processor_name(name);
    std::vector<std::optional<RouterId>> kept(topology.router_count());
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (has_failed(id))
            rest.retire_router_name(topology.router_name(id));
        else
            kept[id] = rest.add_router(topology.router_name(id), topology.position(id));
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (kept[id] && topology.copies(id))
            rest.set_copying(*kept[id]);
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id)
        if (kept[id])
            rest.set_part(*kept[id], topology.part(id));
    for (const Processor& processor : topology.processors())
        if (kept[processor.injection] && kept[processor.ejection])
            rest.add_processor(*kept[processor.injection], *kept[processor.ejection], processor.name);
        else
            rest.retire_processor_name(processor.name);
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        Channel channel = topology.channel(id);
        if (channel_failed[id] || !kept[channel.source] || !kept[channel.target])
            continue;
        channel.source = *kept[channel.source];
        channel.target = *kept[channel.target];
        rest.add_channel(channel);
    }
    if (rest.router_count() == topology.router_count()) {
        if (topology.grid())
            rest.set_grid(*topology.grid());
        rest.set_routers_per_group(topology.routers_per_group());
        rest.set_planes({topology.planes().begin(), topology.planes().end()});
    }
    if (rest.channel_count() == topology.channel_count())
        rest.set_tag_digits({topology.tag_digits().begin(), topology.tag_digits().end()});
    rest.set_switches(topology.switches());
    rest.set_default_ports(topology.default_ports());
    if (rest.processor_count() < 2)
        throw std::invalid_argument(fmt::format("{}: fewer than two processors are left", rest.name()));
    return rest;
}

Topology with_faults(const Topology& topology, std::span<const std::string> faults)
{
    if (faults.empty())
        return topology;
    return with_faults(topology, parse_faults(topology, faults), fmt::format("{}", fmt::join(faults, ", ")));
}

void require_connected(const Topology& topology)
{
    if (is_strongly_connected(topology))
        return;
    if (!topology.tag_digits().empty() && is_too_large_for_pairs(size_of(topology)))
        return; // with_faults() leaves no tags where a channel has failed
    require_pairwise_size(topology, "the check that a network of one-way channels does not fall apart");
    for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
        const std::vector<bool> reached = reached_from(topology, source);
        if (std::find(reached.begin(), reached.end(), false) == reached.end())
            continue;
        std::vector<std::string> with;
        std::vector<std::string> without;
        for (ProcessorId id = 0; id < topology.processor_count(); ++id)
            (reached[id] ? with : without).push_back(topology.processor(id).name);
        throw std::invalid_argument(
            fmt::format("{}: the network falls apart: {} reaches {{{}}} but not {{{}}}", topology.name(),
                        topology.processor(source).name, fmt::join(with, ", "), fmt::join(without, ", ")));
    }
}

} // namespace nocturne
