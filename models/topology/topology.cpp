#include "models/topology/topology.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

/// The decimal index in `text`, if it is one and below `count`.
std::optional<std::uint32_t> parse_index(std::string_view text, std::size_t count)
{
    const auto index = number_of<std::uint32_t>(text);
    return index && *index < count ? index : std::nullopt;
}

/// `#5` is an index, whatever names there are.
bool is_numbered(std::string_view text)
{
    return text.starts_with('#') && number_of<std::uint64_t>(text.substr(1));
}

void require_name(const std::string& network, std::string_view what, std::string_view name)
{
    if (is_numbered(name))
        throw std::invalid_argument(
            fmt::format("{}: a {} is called '{}', which says the number of one", network, what, name));
}

std::optional<std::uint32_t> find_vertex(const std::unordered_map<std::string, std::uint32_t>& by_name,
                                         std::string_view text, std::size_t count, bool has_lost_some)
{
    if (is_numbered(text))
        return parse_index(text.substr(1), count);
    if (const auto found = by_name.find(std::string(text)); found != by_name.end())
        return found->second < count ? std::optional(found->second) : std::nullopt;
    return has_lost_some ? std::nullopt : parse_index(text, count);
}

void retire(const std::string& name, std::unordered_map<std::string, std::uint32_t>& by_name,
            std::vector<std::string>& lost)
{
    constexpr std::uint32_t nowhere = ~0u;
    if (by_name.emplace(name, nowhere).second)
        lost.push_back(name);
}

} // namespace

void Topology::retire_router_name(const std::string& name)
{
    retire(name, router_by_name_, lost_routers_);
}

void Topology::retire_processor_name(const std::string& name)
{
    retire(name, processor_by_name_, lost_processors_);
}

RouterId Topology::add_router(std::string name, std::optional<Position> position)
{
    const auto id = static_cast<RouterId>(router_names_.size());
    if (name.empty())
        name = std::to_string(id);
    require_name(name_, "router", name);
    if (!router_by_name_.emplace(name, id).second)
        throw std::invalid_argument(fmt::format("{}: two routers are called '{}'", name_, name));
    router_names_.push_back(std::move(name));
    positions_.push_back(position);
    copying_.push_back(false);
    from_.emplace_back();
    to_.emplace_back();
    injecting_.emplace_back();
    ejected_.emplace_back();
    return id;
}

ProcessorId Topology::add_processor(RouterId injection, RouterId ejection, std::string name)
{
    const auto id = static_cast<ProcessorId>(processors_.size());
    for (const RouterId router : {injection, ejection})
        if (router >= router_count())
            throw std::invalid_argument(
                fmt::format("{}: processor {}: router {} does not exist", name_, id, router));
    if (name.empty())
        name = std::to_string(id);
    require_name(name_, "processor", name);
    if (!processor_by_name_.emplace(name, id).second)
        throw std::invalid_argument(fmt::format("{}: two processors are called '{}'", name_, name));
    processors_.push_back({injection, ejection, std::move(name)});
    injecting_[injection].push_back(id);
    ejected_[ejection].push_back(id);
    return id;
}

void Topology::check_channel(ChannelId id, const Channel& channel) const
{
    const auto refuse = [&](const std::string& reason) {
        throw std::invalid_argument(fmt::format("{}: channel {}: {}", name_, id, reason));
    };
    for (const RouterId router : {channel.source, channel.target})
        if (router >= router_count())
            refuse(fmt::format("router {} does not exist", router));
    if (channel.latency_cycles == 0)
        refuse("latency 0, it takes at least 1 cycle");
    if (channel.buffer_flits > most_buffer_flits)
        refuse(fmt::format("buffers of {} flits, at most {}", channel.buffer_flits, most_buffer_flits));
    if (channel.vcs > most_vcs)
        refuse(fmt::format("{} virtual channels, at most {}", channel.vcs, most_vcs));
}

ChannelId Topology::add_channel(const Channel& channel)
{
    const auto id = static_cast<ChannelId>(channels_.size());
    check_channel(id, channel);
    channels_.push_back(channel);
    from_[channel.source].push_back(id);
    to_[channel.target].push_back(id);
    return id;
}

void Topology::set_channel(ChannelId id, const Channel& channel)
{
    check_channel(id, channel);
    if (channel.source != channels_[id].source || channel.target != channels_[id].target)
        throw std::invalid_argument(fmt::format("{}: channel {}: other ends", name_, id));
    channels_[id] = channel;
}

void Topology::set_part(RouterId router, const RouterPart& part)
{
    const auto refuse = [&](const std::string& reason) {
        throw std::invalid_argument(fmt::format("{}: router {}: {}", name_, router_names_[router], reason));
    };
    if (part.buffer_flits > most_buffer_flits)
        refuse(fmt::format("buffers of {} flits, at most {}", part.buffer_flits, most_buffer_flits));
    if (part.vcs > most_vcs)
        refuse(fmt::format("{} virtual channels, at most {}", part.vcs, most_vcs));
    if (part.packets > most_vcs)
        refuse(fmt::format("{} packets at a time, at most {}", part.packets, most_vcs));
    try {
        part.pipeline.value_or(Pipeline{}).validate();
    } catch (const std::invalid_argument& error) {
        refuse(error.what());
    }
    if (router >= parts_.size() && part == no_part)
        return;
    if (parts_.size() <= router)
        parts_.resize(router + 1);
    parts_[router] = part;
    while (!parts_.empty() && parts_.back() == no_part)
        parts_.pop_back();
}

ChannelId Topology::add_link(RouterId a, RouterId b)
{
    const ChannelId id = add_channel(a, b);
    add_channel(b, a);
    return id;
}

void Topology::set_routers_per_group(unsigned routers)
{
    if (routers != 0 && router_count() % routers != 0)
        throw std::invalid_argument(
            fmt::format("{}: {} routers are no groups of {}", name_, router_count(), routers));
    routers_per_group_ = routers;
}

void Topology::require_places(const Grid& grid, std::size_t routers) const
{
    std::uint64_t places = 1;
    for (const unsigned extent : grid.extent) // stops before it could overflow: router_count() is below 2^32
        places = places > routers ? places : places * extent;
    if (places != routers || places == 0)
        throw std::invalid_argument(
            fmt::format("{}: a grid of {} does not have a place for each of {} routers", name_,
                        fmt::join(grid.extent, "x"), routers));
}

void Topology::set_grid(Grid grid)
{
    require_places(grid, router_count());
    grid_ = std::move(grid);
}

void Topology::set_planes(std::vector<Plane> planes)
{
    std::size_t end = 0;
    for (const auto& [first, routers, grid, per_group] : planes) {
        if (first < end || first >= router_count() || routers == 0 || routers > router_count() - first)
            throw std::invalid_argument(fmt::format("{}: a plane of {} routers from router {} on: planes are "
                                                    "apart, in order, and of the routers that there are",
                                                    name_, routers, first));
        if (grid)
            require_places(*grid, routers);
        if (per_group != 0 && routers % per_group != 0)
            throw std::invalid_argument(
                fmt::format("{}: {} routers of a plane are no groups of {}", name_, routers, per_group));
        end = std::size_t{first} + routers;
    }
    planes_ = std::move(planes);
}

std::vector<unsigned> Topology::coordinates(RouterId id) const
{
    std::vector<unsigned> result(grid_->extent.size());
    for (std::size_t d = result.size(); d-- > 0; id /= grid_->extent[d])
        result[d] = id % grid_->extent[d];
    return result;
}

std::optional<RouterId> Topology::find_router(std::string_view text) const
{
    return find_vertex(router_by_name_, text, router_count(), !lost_routers_.empty());
}

std::optional<ProcessorId> Topology::find_processor(std::string_view text) const
{
    return find_vertex(processor_by_name_, text, processor_count(), !lost_processors_.empty());
}

SwitchKind parse_switch_kind(std::string_view text)
{
    return value_named("switches", text, {SwitchKind::router, SwitchKind::crossbar});
}

std::string_view to_string(SwitchKind kind)
{
    return kind == SwitchKind::router ? "router" : "crossbar";
}

std::string describe_channel(const Topology& topology, ChannelId id)
{
    if (id >= topology.channel_count())
        return fmt::format("channel {}", id);
    const Channel& channel = topology.channel(id);
    return fmt::format("channel {} ({}->{})", id, topology.router_name(channel.source),
                       topology.router_name(channel.target));
}

unsigned send_ports(const Topology& topology, ProcessorId id, PortModel ports)
{
    if (!ports.is_all_port())
        return ports.ports;
    const auto degree = topology.channels_from(topology.processor(id).injection).size();
    return std::max(1u, static_cast<unsigned>(degree));
}

unsigned receive_ports(const Topology& topology, ProcessorId id, PortModel ports)
{
    if (!ports.is_all_port())
        return ports.ports;
    const auto degree = topology.channels_to(topology.processor(id).ejection).size();
    return std::max(1u, static_cast<unsigned>(degree));
}

NetworkSize size_of(const Topology& topology)
{
    return {topology.processor_count(), topology.router_count(), topology.channel_count()};
}

void require_pairwise_size(const Topology& topology, std::string_view what)
{
    constexpr NetworkSize most = largest_pairwise_network;
    if (is_too_large_for_pairs(size_of(topology)))
        throw std::invalid_argument(
            fmt::format("{}: {}: for at most {} processors, {} routers and {} channels", topology.name(),
                        what, most.processors, most.routers, most.channels));
}

} // namespace nocturne
