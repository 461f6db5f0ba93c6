#include "schedules/certificate/bound_json.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/plain_numbers.hpp"
#include "schedules/certificate/packed_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Writing.

bool has_parallel(const Topology& topology, ChannelId id)
{
    const auto channels = topology.channels_from(topology.channel(id).source);
    return std::ranges::count_if(channels, [&](ChannelId other) {
               return topology.channel(other).target == topology.channel(id).target;
           }) > 1;
}

OrderedJson ports_to_json(const Topology& topology, const std::vector<std::int64_t>& lengths)
{
    OrderedJson json = OrderedJson::array();
    for (ProcessorId id = 0; id < lengths.size(); ++id)
        if (lengths[id] != 0)
            json.push_back({topology.processor(id).name, lengths[id]});
    return json;
}

OrderedJson certificate_to_json(const ChannelLengths& lengths, const Topology& topology)
{
    if (lengths.channels.size() != topology.channel_count() ||
        lengths.injections.size() != topology.processor_count() ||
        lengths.ejections.size() != topology.processor_count())
        throw std::invalid_argument(
            fmt::format("lengths for another network cannot be written for {}", topology.name()));
    OrderedJson channels = OrderedJson::array();
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const std::int64_t length = lengths.channels[id];
        if (length == 0)
            continue;
        if (has_parallel(topology, id))
            channels.push_back({id, length});
        else
            channels.push_back({topology.router_name(topology.channel(id).source),
                                topology.router_name(topology.channel(id).target), length});
    }
    return {{"channels", std::move(channels)},
            {"injections", ports_to_json(topology, lengths.injections)},
            {"ejections", ports_to_json(topology, lengths.ejections)}};
}

OrderedJson certificate_to_json(const VertexSet& set, const Topology& topology)
{
    OrderedJson routers = OrderedJson::array();
    for (const RouterId router : set.routers) {
        if (router >= topology.router_count())
            throw std::invalid_argument(fmt::format("{} has no router {}", topology.name(), router));
        routers.push_back(topology.router_name(router));
    }
    return {{"routers", std::move(routers)},
            {"direction", set.direction == Direction::entering ? "entering" : "leaving"}};
}

OrderedJson certificate_to_json(const InfeasibilityProof& certificate, const Topology&)
{
    return {{"proof", pack(certificate.proof)}};
}

/// Of what is computed again. Those of chunks are not written so.
template <class Other>
OrderedJson certificate_to_json(const Other& certificate, const Topology&)
{
    if (Certificate(certificate).index() > Certificate(InfeasibilityProof{}).index() &&
        !std::is_same_v<Other, Receptions>)
        throw std::invalid_argument("a bound of chunks is not one of messages in steps");
    return nullptr;
}

// Reading.

/// Certificates with names of a topology.
class CertificateReader {
public:
    explicit CertificateReader(const Topology& topology) : topology_(topology) {}

    /// Nothing may be there where the checker computes the bound again.
    Certificate certificate(std::string_view kind, const JsonPlace& bound)
    {
        if (kind == kind_of(ChannelLengths{}))
            return lengths(bound["certificate"]);
        if (kind == kind_of(VertexSet{}))
            return set(bound["certificate"]);
        if (kind == kind_of(InfeasibilityProof{}) || kind == "exhausted") { // its name in older files
            const JsonPlace place = bound["certificate"];
            place.check_members({"proof"});
            return InfeasibilityProof{unpacked_in(place["proof"])};
        }
        for (const Certificate& again :
             {Certificate(PortCount{}), Certificate(MessageGrowth{}), Certificate(Dominators{}),
              Certificate(FarthestReceiver{}), Certificate(Receptions{})})
            if (kind == kind_of(again)) {
                if (bound.has("certificate") && !bound["certificate"].value().is_null())
                    bound["certificate"].fail(fmt::format("a {} bound has none", kind));
                return again;
            }
        bound["kind"].fail(fmt::format("no kind of bound '{}'; there are port, growth, dominator, distance, "
                                       "vertex-set, flow, infeasibility, receptions",
                                       kind));
    }

    ProcessorId processor(const JsonPlace& place)
    {
        return place.here([&] { return numbers_.processor_in(place.value()); });
    }

private:
    RouterId router(const JsonPlace& place)
    {
        return place.here([&] { return numbers_.router_in(place.value()); });
    }

    ChannelLengths lengths(const JsonPlace& place)
    {
        place.check_members({"channels", "injections", "ejections"});
        return {channels(place["channels"]), ports(place, "injections"), ports(place, "ejections")};
    }

    std::vector<std::int64_t> channels(const JsonPlace& place)
    {
        std::vector<std::int64_t> result(topology_.channel_count(), 0);
        for (const JsonPlace& entry : place.elements()) {
            const std::vector<JsonPlace> parts = entry.elements();
            if (parts.size() != 2 && parts.size() != 3)
                entry.fail("expected [from, to, length] or [channel index, length]");
            const ChannelId id = channel(entry, parts);
            if (result[id] != 0)
                entry.fail(fmt::format("{} has a length already", describe_channel(topology_, id)));
            result[id] = length(parts.back());
        }
        return result;
    }

    std::vector<std::int64_t> ports(const JsonPlace& place, const std::string& name)
    {
        std::vector<std::int64_t> result(topology_.processor_count(), 0);
        if (!place.has(name))
            return result;
        for (const JsonPlace& entry : place[name].elements()) {
            const std::vector<JsonPlace> parts = entry.elements();
            if (parts.size() != 2)
                entry.fail("expected [processor, length]");
            const ProcessorId id = processor(parts[0]);
            if (result[id] != 0)
                entry.fail(fmt::format("processor {} has a length already", topology_.processor(id).name));
            result[id] = length(parts[1]);
        }
        return result;
    }

    VertexSet set(const JsonPlace& place)
    {
        place.check_members({"routers", "direction"});
        VertexSet set;
        for (const JsonPlace& one : place["routers"].elements())
            set.routers.push_back(router(one));
        std::ranges::sort(set.routers);
        if (const auto twice = std::ranges::adjacent_find(set.routers); twice != set.routers.end())
            place["routers"].fail(fmt::format("router {} appears twice", topology_.router_name(*twice)));
        const std::string direction = place["direction"].text();
        if (direction != "entering" && direction != "leaving")
            place["direction"].fail(fmt::format("'{}' is neither entering nor leaving", direction));
        set.direction = direction == "entering" ? Direction::entering : Direction::leaving;
        return set;
    }

    /// The channel of `[from, to, length]` or `[index, length]`.
    ChannelId channel(const JsonPlace& entry, const std::vector<JsonPlace>& parts)
    {
        if (parts.size() == 2) {
            const nlohmann::json& index = parts[0].value();
            if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= topology_.channel_count())
                parts[0].fail(fmt::format("{} has no channel {}", topology_.name(), json_text(index)));
            return index.get<ChannelId>();
        }
        const RouterId from = router(parts[0]);
        const RouterId to = router(parts[1]);
        std::vector<ChannelId> between;
        for (const ChannelId id : topology_.channels_from(from))
            if (topology_.channel(id).target == to)
                between.push_back(id);
        if (between.size() != 1)
            entry.fail(fmt::format("{} channels lead from {} to {}{}", between.size(),
                                   topology_.router_name(from), topology_.router_name(to),
                                   between.empty() ? "" : "; write [channel index, length]"));
        return between.front();
    }

    static std::int64_t length(const JsonPlace& place)
    {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        const nlohmann::json& json = place.value();
        if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::uint64_t{most})
            place.fail(fmt::format("{} is not a length, a whole number from 0", json_text(json)));
        return json.get<std::int64_t>();
    }

    const Topology& topology_;
    PlainNumbers numbers_{topology_, "vertices"};
};

} // namespace

nlohmann::ordered_json to_json(const Bound& bound, const Topology& topology)
{
    OrderedJson json{{"steps", bound.steps}, {"kind", kind_of(bound)}, {"reason", bound.reason}};
    OrderedJson certificate =
        std::visit([&](const auto& each) { return certificate_to_json(each, topology); }, bound.certificate);
    if (!certificate.is_null())
        json["certificate"] = std::move(certificate);
    if (bound.origin)
        json["origin"] = topology.processor(*bound.origin).name;
    return json;
}

Bound parse_bound(const nlohmann::json& json, const Topology& topology, std::string_view origin)
{
    const JsonPlace place(json, origin);
    place.check_members({"steps", "kind", "reason", "slack", "certificate", "origin"});
    CertificateReader reader(topology);
    Bound bound{.steps = place["steps"].number(1), .reason = place["reason"].text()};
    bound.certificate = reader.certificate(place["kind"].text(), place);
    if (place.has("origin"))
        bound.origin = reader.processor(place["origin"]);
    return bound;
}

} // namespace nocturne
