#include "schedules/certificate/bound_json.hpp"

#include "models/topology/plain_numbers.hpp"
#include "schedules/certificate/packed_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

namespace nocturne {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

// Writing.

bool has_parallel(const Topology& topology, ChannelId id)
{
    const auto channels = topology.channels_from(topology.channel(id).source);
    return std::count_if(channels.begin(), channels.end(), [&](ChannelId other) {
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

OrderedJson certificate_to_json(const InfeasibilityProof& proof_of_infeasibility, const Topology&)
{
    return {{"proof", pack(proof_of_infeasibility.proof)}};
}

OrderedJson certificate_to_json(std::monostate, const Topology&)
{
    return nullptr;
}

// Reading.

/// Turns JSON into a bound.
class Reader {
public:
    Reader(const Topology& topology, std::string_view origin) : topology_(topology), origin_(origin) {}

    Bound bound(const Json& json);

private:
    Certificate certificate(BoundKind kind, const Json& json, const Pointer& at);
    InfeasibilityProof proof_of_infeasibility(const Json& json, const Pointer& at) const;
    ChannelLengths lengths(const Json& json, const Pointer& at);
    std::vector<std::int64_t> channels(const Json& json, const Pointer& at);
    std::vector<std::int64_t> ports(const Json& json, const Pointer& at);
    VertexSet set(const Json& json, const Pointer& at);

    ChannelId channel(const Json& json, const Pointer& at);
    RouterId router(const Json& json, const Pointer& at);
    ProcessorId processor(const Json& json, const Pointer& at);
    std::int64_t length(const Json& json, const Pointer& at) const;
    std::string text(const Json& json, const Pointer& at) const;
    const Json& array(const Json& json, const Pointer& at) const;

    /// The members of an object that has those of `required`, and no others but those of `optional`.
    void require_members(const Json& json, const Pointer& at, std::vector<std::string_view> required,
                         const std::vector<std::string_view>& optional) const;

    [[noreturn]] void fail(const Pointer& at, std::string_view reason) const
    {
        throw std::runtime_error(fmt::format("{}: {}: {}", origin_, at.to_string(), reason));
    }

    /// Of a text, which `find` looks up.
    template <class Find>
    auto named(const Json& json, const Pointer& at, Find find)
    {
        try {
            return (numbers_.*find)(json.get_ref<const std::string&>());
        } catch (const std::invalid_argument& error) {
            fail(at, error.what());
        }
    }

    const Topology& topology_;
    std::string_view origin_;
    PlainNumbers numbers_{topology_, "vertices"};
};

Bound Reader::bound(const Json& json)
{
    const Pointer root;
    require_members(json, root, {"steps", "kind", "reason"}, {"slack", "certificate", "origin"});
    constexpr auto most = std::numeric_limits<unsigned>::max();
    const Json& steps = json["steps"];
    if (!steps.is_number_unsigned() || steps.get<std::uint64_t>() == 0 || steps.get<std::uint64_t>() > most)
        fail(root / "steps", fmt::format("{} is not a number of steps from 1 to {}", steps.dump(), most));
    Bound bound{steps.get<unsigned>(), BoundKind::port, text(json["reason"], root / "reason"), {}};
    try {
        bound.kind = parse_bound_kind(text(json["kind"], root / "kind"));
    } catch (const std::invalid_argument& error) {
        fail(root / "kind", error.what());
    }
    bound.certificate = certificate(bound.kind, json.value("certificate", Json()), root / "certificate");
    if (json.contains("origin"))
        bound.origin = processor(json["origin"], root / "origin");
    return bound;
}

Certificate Reader::certificate(BoundKind kind, const Json& json, const Pointer& at)
{
    switch (kind) {
    case BoundKind::flow:
        return lengths(json, at);
    case BoundKind::vertex_set:
        return set(json, at);
    case BoundKind::infeasibility:
        require_members(json, at, {"proof"}, {});
        return proof_of_infeasibility(json["proof"], at / "proof");
    case BoundKind::port:
    case BoundKind::growth:
    case BoundKind::dominator:
    case BoundKind::distance:
        break;
    }
    if (!json.is_null())
        fail(at, fmt::format("a {} bound has none", to_string(kind)));
    return {};
}

InfeasibilityProof Reader::proof_of_infeasibility(const Json& json, const Pointer& at) const
{
    const std::string packed = text(json, at);
    try {
        return {unpack(packed)};
    } catch (const std::runtime_error& error) {
        fail(at, fmt::format("the proof is damaged: {}", error.what()));
    }
}

ChannelLengths Reader::lengths(const Json& json, const Pointer& at)
{
    require_members(json, at, {"channels"}, {"injections", "ejections"});
    return {channels(json["channels"], at / "channels"),
            ports(json.value("injections", Json::array()), at / "injections"),
            ports(json.value("ejections", Json::array()), at / "ejections")};
}

std::vector<std::int64_t> Reader::channels(const Json& json, const Pointer& at)
{
    std::vector<std::int64_t> result(topology_.channel_count(), 0);
    for (std::size_t i = 0; i < array(json, at).size(); ++i) {
        const Json& entry = array(json[i], at / i);
        if (entry.size() != 2 && entry.size() != 3)
            fail(at / i, "expected [from, to, length] or [channel index, length]");
        const ChannelId id = channel(entry, at / i);
        if (result[id] != 0)
            fail(at / i, fmt::format("{} has a length already", describe_channel(topology_, id)));
        result[id] = length(entry.back(), at / i / (entry.size() - 1));
    }
    return result;
}

std::vector<std::int64_t> Reader::ports(const Json& json, const Pointer& at)
{
    std::vector<std::int64_t> result(topology_.processor_count(), 0);
    for (std::size_t i = 0; i < array(json, at).size(); ++i) {
        const Json& entry = array(json[i], at / i);
        if (entry.size() != 2)
            fail(at / i, "expected [processor, length]");
        const ProcessorId id = processor(entry[0], at / i / 0);
        if (result[id] != 0)
            fail(at / i, fmt::format("processor {} has a length already", topology_.processor(id).name));
        result[id] = length(entry[1], at / i / 1);
    }
    return result;
}

VertexSet Reader::set(const Json& json, const Pointer& at)
{
    require_members(json, at, {"routers", "direction"}, {});
    VertexSet set;
    const Json& routers = array(json["routers"], at / "routers");
    for (std::size_t i = 0; i < routers.size(); ++i)
        set.routers.push_back(router(routers[i], at / "routers" / i));
    std::sort(set.routers.begin(), set.routers.end());
    if (const auto twice = std::adjacent_find(set.routers.begin(), set.routers.end());
        twice != set.routers.end())
        fail(at / "routers", fmt::format("router {} appears twice", topology_.router_name(*twice)));
    const std::string direction = text(json["direction"], at / "direction");
    if (direction != "entering" && direction != "leaving")
        fail(at / "direction", fmt::format("'{}' is neither entering nor leaving", direction));
    set.direction = direction == "entering" ? Direction::entering : Direction::leaving;
    return set;
}

/// The channel of `[from, to, length]` or `[index, length]`.
ChannelId Reader::channel(const Json& json, const Pointer& at)
{
    if (json.size() == 2) {
        if (!json[0].is_number_unsigned() || json[0].get<std::uint64_t>() >= topology_.channel_count())
            fail(at / 0, fmt::format("{} has no channel {}", topology_.name(), json[0].dump()));
        return json[0].get<ChannelId>();
    }
    const RouterId from = router(json[0], at / 0);
    const RouterId to = router(json[1], at / 1);
    std::vector<ChannelId> between;
    for (const ChannelId id : topology_.channels_from(from))
        if (topology_.channel(id).target == to)
            between.push_back(id);
    if (between.size() != 1)
        fail(at, fmt::format("{} channels lead from {} to {}{}", between.size(), topology_.router_name(from),
                             topology_.router_name(to),
                             between.empty() ? "" : "; write [channel index, length]"));
    return between.front();
}

RouterId Reader::router(const Json& json, const Pointer& at)
{
    std::optional<RouterId> found;
    if (json.is_string())
        found = named(json, at, &PlainNumbers::find_router);
    else if (json.is_number_unsigned() && json.get<std::uint64_t>() < topology_.router_count())
        found = json.get<RouterId>();
    if (!found)
        fail(at, fmt::format("{} has no router {}", topology_.name(), json.dump()));
    return *found;
}

ProcessorId Reader::processor(const Json& json, const Pointer& at)
{
    std::optional<ProcessorId> found;
    if (json.is_string())
        found = named(json, at, &PlainNumbers::find_processor);
    else if (json.is_number_unsigned() && json.get<std::uint64_t>() < topology_.processor_count())
        found = json.get<ProcessorId>();
    if (!found)
        fail(at, fmt::format("{} has no processor {}", topology_.name(), json.dump()));
    return *found;
}

std::int64_t Reader::length(const Json& json, const Pointer& at) const
{
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::uint64_t{most})
        fail(at, fmt::format("{} is not a length, a whole number from 0", json.dump()));
    return json.get<std::int64_t>();
}

std::string Reader::text(const Json& json, const Pointer& at) const
{
    if (!json.is_string())
        fail(at, fmt::format("expected a text, not {}", json.type_name()));
    return json.get<std::string>();
}

const Json& Reader::array(const Json& json, const Pointer& at) const
{
    if (!json.is_array())
        fail(at, fmt::format("expected a list, not {}", json.type_name()));
    return json;
}

void Reader::require_members(const Json& json, const Pointer& at, std::vector<std::string_view> required,
                             const std::vector<std::string_view>& optional) const
{
    if (!json.is_object())
        fail(at, fmt::format("expected an object, not {}", json.type_name()));
    for (const std::string_view name : required)
        if (!json.contains(name))
            fail(at, fmt::format("'{}' is missing", name));
    required.insert(required.end(), optional.begin(), optional.end());
    for (const auto& [name, value] : json.items())
        if (std::find(required.begin(), required.end(), name) == required.end())
            fail(at, fmt::format("'{}' is not known", name));
}

} // namespace

nlohmann::ordered_json to_json(const Bound& bound, const Topology& topology)
{
    OrderedJson json{{"steps", bound.steps}, {"kind", to_string(bound.kind)}, {"reason", bound.reason}};
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
    return Reader(topology, origin).bound(json);
}

} // namespace nocturne
