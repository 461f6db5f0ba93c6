#include "models/topology/json_format.hpp"

#include "models/text/json_text.hpp"
#include "models/text/number.hpp"
#include "models/topology/attribute_names.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace nocturne {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view format_name = "nocturne-topology";
constexpr unsigned format_version = 1;

std::optional<Position> read_position(const JsonPlace& router)
{
    if (!router.has("x") && !router.has("y"))
        return std::nullopt;
    return Position{router["x"].real(), router["y"].real()};
}

/// The member under either of its two names, if it is there.
template <std::size_t count>
std::optional<JsonPlace> either(const JsonPlace& place, const std::array<AttributeName, count>& known,
                                std::string_view name)
{
    const AttributeName& names = *std::ranges::find(known, name, &AttributeName::name);
    const std::string first(names.name), second(names.longer);
    if (place.has(first) && place.has(second))
        place.fail(fmt::format("'{}' and '{}' are one member: which of them?", first, second));
    if (place.has(first))
        return place[first];
    return place.has(second) ? std::optional(place[second]) : std::nullopt;
}

Channel read_channel(const JsonPlace& place)
{
    place.check_members({"source", "target", "latency_cycles", "width_bytes", "length", "latency", "width",
                         "buffer_flits", "buffers", "vcs"});
    Channel channel = read_channel_properties(place);
    channel.source = place["source"].number(0);
    channel.target = place["target"].number(0);
    return channel;
}

/// What a router has of its own; numbers may be numbers.
void read_part(const JsonPlace& place, Topology& topology, RouterId router)
{
    RouterPart part;
    for (const char* const name : router_properties) {
        const auto member = either(place, router_attributes, name);
        if (!member)
            continue;
        const bool is_number = member->value().is_number();
        member->here(
            [&] { set_property(part, name, is_number ? json_text(member->value()) : member->text()); });
    }
    if (part != RouterPart{})
        topology.set_part(router, part);
}

TagDigit read_digit(const JsonPlace& place)
{
    place.check_members({"radix", "divisor", "free"});
    TagDigit digit{place["radix"].number(1)};
    if (place.has("divisor"))
        digit.divisor = place["divisor"].number(1);
    if (place.has("free"))
        digit.free = place["free"].truth();
    return digit;
}

/// Where a file does not say.
SwitchKind usual_switches(const Topology& topology)
{
    return topology.tag_digits().empty() ? SwitchKind::router : SwitchKind::crossbar;
}

Grid read_grid(const JsonPlace& place)
{
    place.check_members({"extent", "wraps"});
    Grid grid{{}, place["wraps"].truth()};
    for (const JsonPlace& extent : place["extent"].elements())
        grid.extent.push_back(extent.number(1));
    return grid;
}

Plane read_plane(const JsonPlace& place)
{
    place.check_members({"first", "routers", "grid", "routers_per_group"});
    Plane plane{place["first"].number(0), place["routers"].number(1)};
    if (place.has("grid"))
        plane.grid = read_grid(place["grid"]);
    if (place.has("routers_per_group"))
        plane.routers_per_group = place["routers_per_group"].number(1);
    return plane;
}

void read_metadata(const JsonPlace& root, Topology& topology)
{
    const auto given_ports = either(root, network_attributes, "ports");
    const JsonPlace ports = given_ports ? *given_ports : root["default_ports"];
    topology.set_default_ports(ports.here([&] { return parse_port_model(ports.text()); }));
    if (root.has("grid")) {
        const JsonPlace place = root["grid"];
        Grid grid = read_grid(place);
        place.here([&] { topology.set_grid(std::move(grid)); });
    }
    if (root.has("routers_per_group")) {
        const JsonPlace place = root["routers_per_group"];
        place.here([&] { topology.set_routers_per_group(place.number(1)); });
    }
    if (root.has("planes")) {
        const JsonPlace place = root["planes"];
        std::vector<Plane> planes;
        for (const JsonPlace& plane : place.elements())
            planes.push_back(read_plane(plane));
        place.here([&] { topology.set_planes(std::move(planes)); });
    }
    if (root.has("tag_digits")) {
        std::vector<TagDigit> digits;
        for (const JsonPlace& digit : root["tag_digits"].elements())
            digits.push_back(read_digit(digit));
        topology.set_tag_digits(std::move(digits));
    }
    if (root.has("failed")) {
        const JsonPlace failed = root["failed"];
        failed.check_members({"routers", "processors"});
        for (const JsonPlace& name : failed["routers"].elements())
            topology.retire_router_name(name.text());
        for (const JsonPlace& name : failed["processors"].elements())
            topology.retire_processor_name(name.text());
    }
    topology.set_switches(usual_switches(topology));
    if (root.has("switches")) {
        const JsonPlace kind = root["switches"];
        topology.set_switches(kind.here([&] { return parse_switch_kind(kind.text()); }));
    }
}

OrderedJson describe(const Grid& grid)
{
    return {{"extent", grid.extent}, {"wraps", grid.wraps}};
}

OrderedJson describe(const Plane& plane)
{
    OrderedJson json{{"first", plane.first}, {"routers", plane.routers}};
    if (plane.grid)
        json["grid"] = describe(*plane.grid);
    if (plane.routers_per_group != 0)
        json["routers_per_group"] = plane.routers_per_group;
    return json;
}

OrderedJson describe(const Channel& channel)
{
    OrderedJson json{{"source", channel.source}, {"target", channel.target}};
    const Channel plain{channel.source, channel.target};
    if (channel.latency_cycles != plain.latency_cycles)
        json["latency_cycles"] = channel.latency_cycles;
    if (channel.width_bytes != plain.width_bytes)
        json["width_bytes"] = channel.width_bytes;
    if (channel.length != plain.length)
        json["length"] = channel.length;
    if (channel.buffer_flits != plain.buffer_flits)
        json["buffer_flits"] = channel.buffer_flits;
    if (channel.vcs != plain.vcs)
        json["vcs"] = channel.vcs;
    return json;
}

/// Bytes that are not UTF-8, in the name of a vertex of a foreign file, must not make a topology impossible
/// to write.
std::string dump(const OrderedJson& json)
{
    return json_text_replacing(json);
}

/// A member whose value is an array with one element a line: long files stay readable and comparable.
std::string lines(std::string_view member, const std::vector<OrderedJson>& elements)
{
    std::string text = fmt::format(",\n  \"{}\": [", member);
    for (std::size_t i = 0; i < elements.size(); ++i)
        text += fmt::format("{}\n    {}", i == 0 ? "" : ",", dump(elements[i]));
    return text + (elements.empty() ? "]" : "\n  ]");
}

} // namespace

Channel read_channel_properties(const JsonPlace& place)
{
    Channel channel{};
    if (const auto latency = either(place, channel_attributes, "latency"))
        channel.latency_cycles = latency->number(1);
    if (const auto width = either(place, channel_attributes, "width"))
        channel.width_bytes = width->number(0);
    if (place.has("length")) {
        channel.length = place["length"].real();
        if (channel.length < 0)
            place["length"].fail("a length is not negative");
    }
    const auto own = [&](const char* name, unsigned most) {
        const auto member = either(place, channel_attributes, name);
        if (member && member->number(1) > most)
            member->fail(fmt::format("expected a whole number from 1 to {}", most));
        return member ? member->number(1) : 0;
    };
    channel.buffer_flits = own("buffers", most_buffer_flits);
    channel.vcs = own("vcs", most_vcs);
    return channel;
}

std::string to_json(const Topology& topology)
{
    std::vector<OrderedJson> routers, processors, channels, planes, digits;
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        OrderedJson& router = routers.emplace_back(OrderedJson{{"name", topology.router_name(r)}});
        if (const auto place = topology.position(r))
            router.update({{"x", place->x}, {"y", place->y}});
        if (topology.copies(r))
            router["copies"] = true;
        for (const auto& [name, value] : properties_of(topology.part(r)))
            if (const auto number = number_of<double>(value); number && name != "clock")
                router[name == "buffers" ? "buffer_flits" : name] = json_from_text(value);
            else
                router[name] = value;
    }
    for (const Processor& p : topology.processors())
        processors.push_back({{"name", p.name}, {"injection", p.injection}, {"ejection", p.ejection}});
    for (const Channel& channel : topology.channels())
        channels.push_back(describe(channel));
    for (const Plane& plane : topology.planes())
        planes.push_back(describe(plane));
    for (const TagDigit& digit : topology.tag_digits())
        digits.push_back({{"radix", digit.radix}, {"divisor", digit.divisor}, {"free", digit.free}});

    std::string text = fmt::format(
        "{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"name\": {},\n  \"default_ports\": \"{}\"",
        format_name, format_version, dump(topology.name()), to_string(topology.default_ports()));
    text += lines("routers", routers) + lines("processors", processors) + lines("channels", channels);
    if (const auto& grid = topology.grid())
        text += fmt::format(",\n  \"grid\": {}", json_text(describe(*grid)));
    if (topology.routers_per_group() != 0)
        text += fmt::format(",\n  \"routers_per_group\": {}", topology.routers_per_group());
    if (!planes.empty())
        text += lines("planes", planes);
    if (!digits.empty())
        text += lines("tag_digits", digits);
    if (const auto lost = topology.lost_routers(), lost_too = topology.lost_processors();
        !lost.empty() || !lost_too.empty())
        text += fmt::format(",\n  \"failed\": {}",
                            dump({{"routers", std::vector(lost.begin(), lost.end())},
                                  {"processors", std::vector(lost_too.begin(), lost_too.end())}}));
    if (topology.switches() != usual_switches(topology))
        text += fmt::format(",\n  \"switches\": \"{}\"", to_string(topology.switches()));
    return text + "\n}\n";
}

Topology topology_from_json(std::string_view text, std::string_view origin)
{
    return topology_from_document(parse_json(text, origin), origin);
}

Topology topology_from_document(const nlohmann::json& document, std::string_view origin)
{
    const JsonPlace root(document, origin, "");
    // First of all: a file of another format has other members, which are not what is wrong with it.
    if (root["format"].text() != format_name)
        root["format"].fail(
            fmt::format("it is \"{}\", \"{}\" is wanted", root["format"].text(), format_name));
    root.check_members({"format", "version", "name", "default_ports", "routers", "processors", "channels",
                        "grid", "routers_per_group", "planes", "tag_digits", "switches", "failed", "ports"});
    if (root["version"].number(0) != format_version)
        root["version"].fail(fmt::format("this program reads version {}", format_version));

    Topology topology(root["name"].text());
    const std::vector<JsonPlace> routers = root["routers"].elements();
    const std::vector<JsonPlace> processors = root["processors"].elements();
    const std::vector<JsonPlace> channels = root["channels"].elements();
    root.here([&] { check_size(topology.name(), {processors.size(), routers.size(), channels.size()}); });
    for (const JsonPlace& place : routers) {
        place.check_members({"name", "x", "y", "copies", "pipeline", "buffer_flits", "buffers", "pool", "vcs",
                             "packets", "arbiter", "clock", "injection", "ejection"});
        const RouterId router =
            place.here([&] { return topology.add_router(place["name"].text(), read_position(place)); });
        if (place.has("copies") && place["copies"].truth())
            topology.set_copying(router);
        read_part(place, topology, router);
    }
    for (const JsonPlace& place : processors) {
        place.check_members({"name", "injection", "ejection"});
        place.here([&] {
            topology.add_processor(place["injection"].number(0), place["ejection"].number(0),
                                   place["name"].text());
        });
    }
    for (const JsonPlace& place : channels)
        place.here([&] { topology.add_channel(read_channel(place)); });
    read_metadata(root, topology);
    return topology;
}

} // namespace nocturne
