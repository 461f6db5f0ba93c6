#include "models/topology/planes.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nocturne {

namespace {

/// Adds a router for each of the first plane, below all others in a drawing; the first of them.
RouterId add_layer(Topology& whole, const PlacedPart& plane, const std::string& name)
{
    constexpr double gap = 2;
    const auto first = static_cast<RouterId>(whole.router_count());
    double top = 0, bottom = 0;
    bool has_places = true;
    for (RouterId r = 0; r < first; ++r) {
        const auto place = whole.position(r);
        has_places = has_places && place;
        bottom = std::max(bottom, place ? place->y : 0);
    }
    const auto routers = static_cast<RouterId>(plane.network->router_count());
    for (RouterId r = 0; has_places && r < routers; ++r)
        top = r == 0 ? whole.position(r)->y : std::min(top, whole.position(r)->y);
    for (RouterId r = 0; r < routers; ++r) {
        std::optional<Position> place;
        if (has_places)
            place = Position{whole.position(r)->x, whole.position(r)->y - top + bottom + gap};
        whole.add_router(fmt::format("{}/{}", name, plane.network->router_name(r)), place);
    }
    return first;
}

bool says_shared(const JsonPlace& place)
{
    if (!place.has("interfaces"))
        return false;
    const std::string text = place["interfaces"].text();
    if (text != "separate" && text != "shared")
        place["interfaces"].fail(
            unknown_name("kind of interfaces", text, std::array<std::string, 2>{"separate", "shared"}));
    return text == "shared";
}

void check_planes(std::span<const PlacedPart> planes, bool is_shared, const JsonPlace& place)
{
    const PlacedPart& one = planes.front();
    for (const PlacedPart& other : planes) {
        if (other.network->router_count() != one.network->router_count())
            place.fail(fmt::format("{} has {} routers, {} {}: planes have one at each tile", one.name,
                                   one.network->router_count(), other.name, other.network->router_count()));
        if (is_shared && !std::ranges::equal(other.network->processors(), one.network->processors()))
            place.fail(
                fmt::format("{} has other processors than {}, and they share them", other.name, one.name));
    }
}

} // namespace

void join_planes(Topology& whole, std::span<const PlacedPart> planes, const JsonPlace& place)
{
    place.check_members({"tiles", "interfaces", "latency_cycles", "latency", "width_bytes", "width", "length",
                         "buffer_flits", "buffers", "vcs"});
    const std::string tiles = place["tiles"].text();
    const bool is_shared = says_shared(place);
    check_planes(planes, is_shared, place);
    const Topology& network = *planes.front().network;
    const std::size_t routers = network.router_count(), layers = planes.size() + (is_shared ? 2 : 1);
    const std::size_t joints = planes.size() * routers * (is_shared ? 2 : 1);
    place.here([&] { check_size("composition", {0, layers * routers, whole.channel_count() + joints}); });

    Channel channel = read_channel_properties(place);
    const auto join = [&](RouterId from, RouterId to) {
        channel.source = from;
        channel.target = to;
        whole.add_channel(channel);
    };
    const RouterId in = place.here([&] { return add_layer(whole, planes.front(), tiles + "_in"); });
    const RouterId out =
        is_shared ? place.here([&] { return add_layer(whole, planes.front(), tiles + "_out"); }) : in;
    for (const PlacedPart& plane : planes)
        for (RouterId r = 0; r < routers; ++r) {
            join(plane.first + r, in + r);
            if (is_shared)
                join(out + r, plane.first + r);
        }
    for (const PlacedPart& plane : planes) {
        if (is_shared && &plane != &planes.front())
            break;
        for (const Processor& each : plane.network->processors())
            if (is_shared)
                whole.add_processor(out + each.injection, in + each.ejection,
                                    fmt::format("{}/{}", tiles, each.name));
            else if (plane.has_processors)
                whole.add_processor(plane.first + each.injection, in + each.ejection,
                                    fmt::format("{}/{}", plane.name, each.name));
    }
    if (!place.has("interfaces"))
        InputLog::remark(fmt::format(
            "{}: defaults for what it does not say: interfaces of the planes (separate: a processor for each "
            "plane at a tile)",
            whole.name()));
    whole.set_default_ports(is_shared ? all_port : parse_port_model("1"));
    const bool have_one_grid = std::ranges::all_of(
        planes, [&](const PlacedPart& each) { return each.network->grid() == network.grid(); });
    if (std::optional<Grid> grid = network.grid(); grid && have_one_grid) {
        grid->extent.insert(grid->extent.begin(), static_cast<unsigned>(layers));
        whole.set_grid(std::move(*grid));
        return;
    }
    std::vector<Plane> shapes;
    for (const PlacedPart& each : planes)
        shapes.push_back({each.first, static_cast<RouterId>(routers), each.network->grid(),
                          each.network->routers_per_group()});
    whole.set_planes(std::move(shapes));
}

} // namespace nocturne
