#include "models/topology/json_format.hpp"

#include "models/topology/files.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace nocturne {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view format_name = "nocturne-topology";
constexpr unsigned format_version = 1;

/// A value in the document together with where it is, so that each error can say it.
class Place {
public:
    Place(const Json& value, std::string_view origin, std::string pointer)
        : value_(value), origin_(origin), pointer_(std::move(pointer))
    {
    }

    [[noreturn]] void fail(std::string_view reason) const
    {
        throw std::runtime_error(
            one_line(fmt::format("{}: {}: {}", origin_, pointer_.empty() ? "/" : pointer_, reason)));
    }

    /// Throws unless this is an object with no members but these.
    void check_members(std::initializer_list<std::string_view> known) const
    {
        if (!value_.is_object())
            fail("expected an object");
        for (const auto& [name, value] : value_.items())
            if (std::ranges::count(known, name) == 0)
                child(name, value).fail("unknown member");
    }

    bool has(const std::string& name) const { return value_.contains(name); }

    Place operator[](const std::string& name) const
    {
        if (!has(name))
            fail(fmt::format("member '{}' is missing", name));
        return child(name, value_[name]);
    }

    std::vector<Place> elements() const
    {
        if (!value_.is_array())
            fail("expected an array");
        std::vector<Place> places;
        for (std::size_t i = 0; i < value_.size(); ++i)
            places.push_back(child(std::to_string(i), value_[i]));
        return places;
    }

    std::string text() const
    {
        if (!value_.is_string())
            fail("expected a string");
        return value_.get<std::string>();
    }

    bool truth() const
    {
        if (!value_.is_boolean())
            fail("expected true or false");
        return value_.get<bool>();
    }

    unsigned number(unsigned least) const
    {
        constexpr unsigned most = std::numeric_limits<unsigned>::max();
        if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > most ||
            value_.get<std::uint64_t>() < least)
            fail(fmt::format("expected a whole number from {} to {}", least, most));
        return value_.get<unsigned>();
    }

    double real() const
    {
        if (!value_.is_number())
            fail("expected a number");
        return value_.get<double>();
    }

    /// Turns what a Topology refuses into an error at this place.
    template <class Action>
    auto here(Action action) const
    {
        try {
            return action();
        } catch (const std::invalid_argument& error) {
            fail(error.what());
        }
    }

private:
    Place child(const std::string& name, const Json& value) const
    {
        return Place(value, origin_, (Json::json_pointer(pointer_) / name).to_string());
    }

    const Json& value_;
    std::string_view origin_;
    std::string pointer_;
};

std::optional<Position> read_position(const Place& router)
{
    if (!router.has("x") && !router.has("y"))
        return std::nullopt;
    return Position{router["x"].real(), router["y"].real()};
}

Channel read_channel(const Place& place)
{
    place.check_members({"source", "target", "latency_cycles", "width_bytes", "length"});
    Channel channel{place["source"].number(0), place["target"].number(0)};
    if (place.has("latency_cycles"))
        channel.latency_cycles = place["latency_cycles"].number(1);
    if (place.has("width_bytes"))
        channel.width_bytes = place["width_bytes"].number(0);
    if (place.has("length")) {
        channel.length = place["length"].real();
        if (channel.length < 0)
            place["length"].fail("a length is not negative");
    }
    return channel;
}

TagDigit read_digit(const Place& place)
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

void read_metadata(const Place& root, Topology& topology)
{
    const Place ports = root["default_ports"];
    topology.set_default_ports(ports.here([&] { return parse_port_model(ports.text()); }));
    if (root.has("grid")) {
        const Place place = root["grid"];
        place.check_members({"extent", "wraps"});
        Grid grid{{}, place["wraps"].truth()};
        for (const Place& extent : place["extent"].elements())
            grid.extent.push_back(extent.number(1));
        place.here([&] { topology.set_grid(std::move(grid)); });
    }
    if (root.has("tag_digits")) {
        std::vector<TagDigit> digits;
        for (const Place& digit : root["tag_digits"].elements())
            digits.push_back(read_digit(digit));
        topology.set_tag_digits(std::move(digits));
    }
    topology.set_switches(usual_switches(topology));
    if (root.has("switches")) {
        const Place kind = root["switches"];
        topology.set_switches(kind.here([&] { return parse_switch_kind(kind.text()); }));
    }
}

Json parse(std::string_view text, std::string_view origin)
{
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: ...": the bracket is of no use
        // to anybody
        std::string reason = error.what();
        reason.erase(0, std::min(reason.find("] ") + 2, reason.size()));
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(reason)));
    }
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
    return json;
}

/// Bytes that are not UTF-8, in the name of a vertex of a foreign file, must not make a topology impossible
/// to write.
std::string dump(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
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

std::string to_json(const Topology& topology)
{
    std::vector<OrderedJson> routers, processors, channels, digits;
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        OrderedJson& router = routers.emplace_back(OrderedJson{{"name", topology.router_name(r)}});
        if (const auto place = topology.position(r))
            router.update({{"x", place->x}, {"y", place->y}});
    }
    for (const Processor& p : topology.processors())
        processors.push_back({{"name", p.name}, {"injection", p.injection}, {"ejection", p.ejection}});
    for (const Channel& channel : topology.channels())
        channels.push_back(describe(channel));
    for (const TagDigit& digit : topology.tag_digits())
        digits.push_back({{"radix", digit.radix}, {"divisor", digit.divisor}, {"free", digit.free}});

    std::string text = fmt::format(
        "{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"name\": {},\n  \"default_ports\": \"{}\"",
        format_name, format_version, dump(topology.name()), to_string(topology.default_ports()));
    text += lines("routers", routers) + lines("processors", processors) + lines("channels", channels);
    if (const auto& grid = topology.grid())
        text += fmt::format(",\n  \"grid\": {}",
                            OrderedJson{{"extent", grid->extent}, {"wraps", grid->wraps}}.dump());
    if (!digits.empty())
        text += lines("tag_digits", digits);
    if (topology.switches() != usual_switches(topology))
        text += fmt::format(",\n  \"switches\": \"{}\"", to_string(topology.switches()));
    return text + "\n}\n";
}

Topology topology_from_json(std::string_view text, std::string_view origin)
{
    const Json document = parse(text, origin);
    const Place root(document, origin, "");
    // First of all: a file of another format has other members, which are not what is wrong with it.
    if (root["format"].text() != format_name)
        root["format"].fail(fmt::format("expected \"{}\"", format_name));
    root.check_members({"format", "version", "name", "default_ports", "routers", "processors", "channels",
                        "grid", "tag_digits", "switches"});
    if (root["version"].number(0) != format_version)
        root["version"].fail(fmt::format("this program reads version {}", format_version));

    Topology topology(root["name"].text());
    const std::vector<Place> routers = root["routers"].elements();
    const std::vector<Place> processors = root["processors"].elements();
    const std::vector<Place> channels = root["channels"].elements();
    root.here([&] { check_size(topology.name(), {processors.size(), routers.size(), channels.size()}); });
    for (const Place& place : routers) {
        place.check_members({"name", "x", "y"});
        place.here([&] { topology.add_router(place["name"].text(), read_position(place)); });
    }
    for (const Place& place : processors) {
        place.check_members({"name", "injection", "ejection"});
        place.here([&] {
            topology.add_processor(place["injection"].number(0), place["ejection"].number(0),
                                   place["name"].text());
        });
    }
    for (const Place& place : channels)
        place.here([&] { topology.add_channel(read_channel(place)); });
    read_metadata(root, topology);
    return topology;
}

} // namespace nocturne
