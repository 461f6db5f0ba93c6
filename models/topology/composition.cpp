#include "models/topology/composition.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/part_rows.hpp"
#include "models/topology/planes.hpp"
#include "models/topology/size.hpp"
#include "models/topology/turned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

namespace nocturne {

namespace {

constexpr unsigned most_parts = 65536;

/// The parts of a name: neighbours in the list of all.
struct PartKind {
    std::string name;
    std::size_t first;
    std::size_t count;
};

struct Parts {
    std::vector<PlacedPart> all;
    std::vector<PartKind> kinds;
    NetworkSize size{0, 0, 0};
};

/// `with`: rows of properties (part_rows.hpp), whose patterns are of the part's own names.
Topology with_rows(const JsonPlace& place, Topology network)
{
    if (!place.has("with"))
        return network;
    const JsonPlace with = place["with"];
    std::vector<std::string> rows;
    for (const JsonPlace& row : with.elements())
        rows.push_back(row.text());
    return with.here([&] { return with_parts(std::move(network), rows); });
}

/// `network`, its channels the other way round if it is `reversed`.
Topology network_of(const JsonPlace& place, const PartNetwork& part_network)
{
    const Topology network = part_network(place["network"].text());
    return place.has("reversed") && place["reversed"].truth() ? turned(network) : network;
}

void add_parts(Parts& parts, const JsonPlace& place, const PartNetwork& part_network)
{
    place.check_members({"name", "count", "network", "processors", "places", "reversed", "with"});
    const std::string name = place["name"].text();
    if (name.empty() || name.find_first_of("/*") != std::string::npos)
        place["name"].fail("a part has a name without / and *");
    const unsigned count = place.has("count") ? place["count"].number(1) : 1;
    if (count > most_parts - parts.all.size())
        place.fail(fmt::format("more than {} parts", most_parts));
    const JsonPlace network_place = place["network"];
    const auto network = std::make_shared<const Topology>(
        network_place.here([&] { return with_rows(place, network_of(place, part_network)); }));
    const bool has_processors = !place.has("processors") || place["processors"].truth();
    const NetworkSize one = size_of(*network);
    parts.size.routers += saturating_product({count, one.routers});
    parts.size.channels += saturating_product({count, one.channels});
    parts.size.processors += has_processors ? saturating_product({count, one.processors}) : 0;
    place.here([&] { check_size("composition", parts.size); });
    std::vector<Position> places;
    if (place.has("places")) {
        for (const JsonPlace& each : place["places"].elements()) {
            const std::vector<JsonPlace> numbers = each.elements();
            if (numbers.size() != 2)
                each.fail("expected [x, y]");
            places.push_back({numbers[0].real(), numbers[1].real()});
        }
        if (places.size() != count)
            place["places"].fail(fmt::format("{} places for {} parts", places.size(), count));
    }
    parts.kinds.push_back({name, parts.all.size(), count});
    auto first = static_cast<RouterId>(parts.size.routers - saturating_product({count, one.routers}));
    for (unsigned i = 0; i < count; ++i, first += static_cast<RouterId>(one.routers)) {
        parts.all.push_back(
            {count == 1 ? name : fmt::format("{}{}", name, i), network, first, has_processors});
        if (!places.empty())
            parts.all.back().place = places[i];
    }
}

/// What a drawing of a part covers: its upper left corner and its extent. Nothing if a router has no place.
struct Box {
    Position corner;
    Position extent;
};

std::optional<Box> box_of(const Topology& network)
{
    Position least{0, 0}, most{0, 0};
    for (RouterId r = 0; r < network.router_count(); ++r) {
        const auto place = network.position(r);
        if (!place)
            return std::nullopt;
        least = r == 0 ? *place : Position{std::min(least.x, place->x), std::min(least.y, place->y)};
        most = r == 0 ? *place : Position{std::max(most.x, place->x), std::max(most.y, place->y)};
    }
    return Box{least, {most.x - least.x, most.y - least.y}};
}

/// In rows beside each other, for those whose place is not given.
void place_parts(std::vector<PlacedPart>& parts)
{
    constexpr double gap = 2;
    const auto in_row = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(parts.size()))));
    Position next{0, 0};
    double bottom = 0;
    std::size_t placed = 0;
    for (PlacedPart& part : parts)
        if (part.place)
            if (const auto box = box_of(*part.network))
                next.y = std::max(next.y, part.place->y + box->extent.y + gap);
    for (PlacedPart& part : parts) {
        const auto box = box_of(*part.network);
        if (part.place || !box)
            continue;
        if (placed > 0 && placed % in_row == 0)
            next = {0, bottom + gap};
        part.place = next;
        next.x += box->extent.x + gap;
        bottom = std::max(bottom, next.y + box->extent.y);
        ++placed;
    }
}

void add_network(Topology& whole, const PlacedPart& part, bool has_places, bool has_processors)
{
    const Topology& network = *part.network;
    const Position corner = has_places ? box_of(network)->corner : Position{0, 0};
    const auto named = [&](const std::string& name) { return fmt::format("{}/{}", part.name, name); };
    for (RouterId r = 0; r < network.router_count(); ++r) {
        std::optional<Position> place;
        if (has_places)
            place = Position{part.place->x + network.position(r)->x - corner.x,
                             part.place->y + network.position(r)->y - corner.y};
        const RouterId router = whole.add_router(named(network.router_name(r)), place);
        if (network.copies(r))
            whole.set_copying(router);
        whole.set_part(router, network.part(r));
    }
    if (has_processors && part.has_processors)
        for (const Processor& processor : network.processors())
            whole.add_processor(part.first + processor.injection, part.first + processor.ejection,
                                named(processor.name));
    for (Channel channel : network.channels()) {
        channel.source += part.first;
        channel.target += part.first;
        whole.add_channel(channel);
    }
}

/// The routers of a side of a grid, in their order; throws std::invalid_argument if there is no such side.
std::vector<RouterId> side_of(const PlacedPart& part, std::string_view side)
{
    const auto& grid = part.network->grid();
    if (!grid)
        throw std::invalid_argument(fmt::format("{} is no grid, it has no sides", part.name));
    const bool is_row = side == "top" || side == "bottom", is_column = side == "left" || side == "right";
    if (!is_row && !is_column)
        throw std::invalid_argument(
            unknown_name("side", side, std::vector<std::string>{"top", "bottom", "left", "right"}));
    if (is_row && grid->extent.size() < 2)
        throw std::invalid_argument(
            fmt::format("{} has one dimension, its sides are left and right", part.name));
    const std::size_t dimension = grid->extent.size() - (is_row ? 2 : 1);
    const unsigned wanted = side == "top" || side == "left" ? 0 : grid->extent[dimension] - 1;
    std::vector<RouterId> routers;
    for (RouterId r = 0; r < part.network->router_count(); ++r)
        if (part.network->coordinates(r)[dimension] == wanted)
            routers.push_back(part.first + r);
    return routers;
}

std::vector<RouterId> routers_in(const PlacedPart& part, std::string_view text)
{
    std::vector<RouterId> routers;
    if (text == "*") {
        for (RouterId r = 0; r < part.network->router_count(); ++r)
            routers.push_back(part.first + r);
        return routers;
    }
    if (text.starts_with('[') && text.ends_with(']'))
        return side_of(part, text.substr(1, text.size() - 2));
    const auto found = part.network->find_router(text);
    if (!found)
        throw std::invalid_argument(
            fmt::format("{} ({}) has no router {}", part.name, part.network->name(), text));
    return {part.first + *found};
}

/// An end of a joint: routers part by part.
using JointEnd = std::vector<std::vector<RouterId>>;

/// The parts that a text names, and what it says of their routers.
struct NamedParts {
    std::size_t first;
    std::size_t count;
    std::string routers;
};

NamedParts parts_named(const Parts& parts, const std::string& text)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos)
        throw std::invalid_argument(
            fmt::format("'{}': expected PART/ROUTER, PART/* or PART/[side]", shortened(text)));
    const std::string name = text.substr(0, slash);
    NamedParts named{0, 0, text.substr(slash + 1)};
    std::vector<std::string> known;
    for (const PartKind& kind : parts.kinds) {
        known.push_back(kind.name);
        if (kind.name == name)
            return {kind.first, kind.count, named.routers};
    }
    for (std::size_t i = 0; i < parts.all.size(); ++i)
        if (parts.all[i].name == name)
            return {i, 1, named.routers};
    throw std::invalid_argument(unknown_name("part", name, known));
}

JointEnd joint_end(const Parts& parts, const JsonPlace& place)
{
    JointEnd end;
    const auto add = [&](const JsonPlace& each) {
        each.here([&] {
            const NamedParts named = parts_named(parts, each.text());
            for (std::size_t i = named.first; i < named.first + named.count; ++i)
                end.push_back(routers_in(parts.all[i], named.routers));
        });
    };
    if (!place.value().is_array())
        add(place);
    else
        for (const JsonPlace& each : place.elements())
            add(each);
    return end;
}

std::vector<RouterId> flat(const JointEnd& end)
{
    std::vector<RouterId> routers;
    for (const std::vector<RouterId>& each : end)
        routers.insert(routers.end(), each.begin(), each.end());
    return routers;
}

using Pairs = std::vector<std::pair<RouterId, RouterId>>;

void pair_up(Pairs& pairs, const std::vector<RouterId>& from, const std::vector<RouterId>& to)
{
    if (from.size() != to.size())
        throw std::invalid_argument(fmt::format("{} routers one to one with {}", from.size(), to.size()));
    for (std::size_t i = 0; i < from.size(); ++i)
        pairs.emplace_back(from[i], to[i]);
}

Pairs pairs_of_pattern(const JointEnd& from, const JointEnd& to, const std::string& pattern)
{
    Pairs pairs;
    if (pattern == "one-to-one") {
        pair_up(pairs, flat(from), flat(to));
    } else if (pattern == "all-to-all") {
        const std::vector<RouterId> targets = flat(to);
        if (saturating_product({flat(from).size(), targets.size()}) > largest_network.channels)
            throw std::invalid_argument(fmt::format("more than {} links", largest_network.channels));
        for (const RouterId a : flat(from))
            for (const RouterId b : targets)
                pairs.emplace_back(a, b);
    } else if (pattern == "ring" || pattern == "chain") {
        if (from.size() != to.size() || from.size() < 2)
            throw std::invalid_argument(
                fmt::format("a {} joins two parts or more, the same at both ends", pattern));
        const std::size_t count = from.size();
        for (std::size_t i = 0; i + (pattern == "chain" ? 1 : 0) < count; ++i)
            pair_up(pairs, from[i], to[(i + 1) % count]);
    } else {
        throw std::invalid_argument(unknown_name(
            "pattern", pattern, std::vector<std::string>{"one-to-one", "all-to-all", "ring", "chain"}));
    }
    return pairs;
}

Pairs pairs_of(const Parts& parts, const JsonPlace& place)
{
    if (!place.has("pairs")) {
        const std::string pattern = place.has("pattern") ? place["pattern"].text() : "one-to-one";
        const JointEnd from = joint_end(parts, place["from"]), to = joint_end(parts, place["to"]);
        return place.here([&] { return pairs_of_pattern(from, to, pattern); });
    }
    for (const char* const other : {"from", "to", "pattern"})
        if (place.has(other))
            place.fail(fmt::format("'pairs' and '{}': one of them", other));
    Pairs pairs;
    for (const JsonPlace& each : place["pairs"].elements()) {
        if (!each.value().is_array() || each.value().size() != 2)
            each.fail("expected two ends");
        const std::vector<JsonPlace> ends = each.elements();
        each.here([&] { pair_up(pairs, flat(joint_end(parts, ends[0])), flat(joint_end(parts, ends[1]))); });
    }
    return pairs;
}

void add_joint(Topology& whole, const Parts& parts, const JsonPlace& place)
{
    place.check_members({"from", "to", "pattern", "pairs", "one_way", "count", "latency_cycles", "latency",
                         "width_bytes", "width", "length", "buffer_flits", "buffers", "vcs"});
    Channel channel = read_channel_properties(place);
    const bool is_one_way = place.has("one_way") && place["one_way"].truth();
    const unsigned count = place.has("count") ? place["count"].number(1) : 1;
    const Pairs pairs = pairs_of(parts, place);
    const std::uint64_t more = saturating_product({pairs.size(), count, is_one_way ? 1u : 2u});
    place.here([&] { check_size("composition", {0, 0, whole.channel_count() + more}); });
    for (const auto& [a, b] : pairs) {
        if (a == b)
            place.fail(fmt::format("{} is joined to itself", whole.router_name(a)));
        for (unsigned i = 0; i < count; ++i) {
            channel.source = a;
            channel.target = b;
            whole.add_channel(channel);
            if (is_one_way)
                continue;
            std::swap(channel.source, channel.target);
            whole.add_channel(channel);
        }
    }
}

void set_ports(Topology& whole, const Parts& parts, const JsonPlace& root)
{
    if (root.has("ports")) {
        const JsonPlace place = root["ports"];
        whole.set_default_ports(place.here([&] { return parse_port_model(place.text()); }));
        return;
    }
    std::optional<PortModel> common;
    for (const PlacedPart& part : parts.all) {
        if (!part.has_processors || part.network->processor_count() == 0)
            continue;
        if (common && *common != part.network->default_ports())
            root.fail("the parts differ in their ports: say which with 'ports'");
        common = part.network->default_ports();
    }
    whole.set_default_ports(common.value_or(all_port));
}

} // namespace

Topology compose(const JsonPlace& root, const PartNetwork& part_network)
{
    root.check_members({"format", "version", "name", "parts", "planes", "joints", "ports", "with"});
    if (root["version"].number(0) != 1)
        root["version"].fail("this program reads version 1");
    Topology whole(root["name"].text());
    Parts parts;
    for (const JsonPlace& place : root["parts"].elements())
        add_parts(parts, place, part_network);
    if (parts.all.empty())
        root["parts"].fail("a composition has at least one part");
    std::set<std::string> names;
    for (const PlacedPart& part : parts.all)
        if (!names.insert(part.name).second)
            root["parts"].fail(fmt::format("two parts called {}", part.name));

    place_parts(parts.all);
    const bool has_places = std::ranges::all_of(
        parts.all, [](const PlacedPart& part) { return box_of(*part.network).has_value(); });
    for (const PlacedPart& part : parts.all)
        add_network(whole, part, has_places, !root.has("planes"));
    whole.set_switches(std::ranges::all_of(parts.all,
                                           [](const PlacedPart& part) {
                                               return part.network->switches() == SwitchKind::crossbar;
                                           })
                           ? SwitchKind::crossbar
                           : SwitchKind::router);
    if (root.has("planes"))
        join_planes(whole, parts.all, root["planes"]);
    if (root.has("ports") || !root.has("planes"))
        set_ports(whole, parts, root);
    if (root.has("joints"))
        for (const JsonPlace& place : root["joints"].elements())
            add_joint(whole, parts, place);
    whole = with_rows(root, std::move(whole));
    whole.set_name(root["name"].text());
    return whole;
}

} // namespace nocturne
