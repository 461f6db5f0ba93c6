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

OrderedJson rounds_to_json(const Bound& bound)
{
    OrderedJson json{{"kind", kind_of(bound)},
                     {"rounds", {bound.rounds.numerator, bound.rounds.denominator}}};
    if (const auto* const cut = std::get_if<NodeCut>(&bound.certificate))
        json["cut"] = cut->nodes;
    if (const auto* const lengths = std::get_if<LinkLengths>(&bound.certificate))
        json["lengths"] = lengths->lengths;
    return json;
}

OrderedJson cycles_to_json(const Bound& bound)
{
    const auto* const pair = std::get_if<FarthestPair>(&bound.certificate);
    const bool is_of_rounds = Ratio{} < bound.rounds;
    OrderedJson json{{"kind", pair != nullptr ? "reach"
                              : is_of_rounds  ? "rounds"
                                              : "crossing"},
                     {"cycles", bound.cycles},
                     {"bytes_per_weight", bound.cost.bytes_per_weight}};
    if (bound.cost.start_cycles != 0)
        json["start_cycles"] = bound.cost.start_cycles;
    if (bound.cost.latency_holds_link)
        json["latency_holds_link"] = true;
    if (bound.holds_for_any_parts)
        json["any_parts"] = true;
    if (pair != nullptr) {
        json["from"] = pair->from;
        json["to"] = pair->to;
    } else if (is_of_rounds) {
        json["rounds"] = rounds_to_json(bound);
    } else {
        json["cut"] = std::get<NodeCut>(bound.certificate).nodes;
    }
    return json;
}

// Reading.

InfeasibilityProof read_proof(const JsonPlace& place)
{
    const std::string packed = place.text();
    try {
        return {unpack(packed)};
    } catch (const std::runtime_error& error) {
        place.fail(fmt::format("the proof is damaged: {}", error.what()));
    }
}

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
            return read_proof(place["proof"]);
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
        std::sort(set.routers.begin(), set.routers.end());
        if (const auto twice = std::adjacent_find(set.routers.begin(), set.routers.end());
            twice != set.routers.end())
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

NodeCut read_cut(const JsonPlace& place)
{
    NodeCut cut;
    for (const JsonPlace& node : place.elements())
        cut.nodes.push_back(node.number(0));
    return cut;
}

/// Rounds and what proves them, of a bound of either measure.
void read_rounds(const JsonPlace& place, Bound& bound)
{
    place.check_members({"kind", "rounds", "cut", "lengths"});
    const std::string kind = place["kind"].text();
    if (kind == kind_of(NodeCut{})) {
        bound.certificate = read_cut(place["cut"]);
    } else if (kind == kind_of(LinkLengths{})) {
        LinkLengths lengths;
        for (const JsonPlace& length : place["lengths"].elements())
            lengths.lengths.push_back(length.word());
        bound.certificate = std::move(lengths);
    } else if (kind == kind_of(Receptions{})) {
        bound.certificate = Receptions{};
    } else {
        place["kind"].fail("expected cut, lengths or receptions");
    }
    const std::vector<JsonPlace> rounds = place["rounds"].elements();
    if (rounds.size() != 2)
        place["rounds"].fail("expected numerator and denominator");
    bound.rounds = place["rounds"].here([&] { return make_ratio(rounds[0].word(), rounds[1].word()); });
}

FarthestPair read_pair(const JsonPlace& place)
{
    return {place["from"].number(0), place["to"].number(0)};
}

Bound read_cycles(const JsonPlace& place)
{
    place.check_members({"kind", "cycles", "bytes_per_weight", "start_cycles", "latency_holds_link",
                         "any_parts", "from", "to", "cut", "rounds"});
    Bound bound{.measure = Measure::cycles};
    const std::string kind = place["kind"].text();
    if (kind == "reach") {
        bound.certificate = read_pair(place);
    } else if (kind == "crossing") {
        bound.certificate = read_cut(place["cut"]);
    } else if (kind == "rounds") {
        read_rounds(place["rounds"], bound);
        if (bound.rounds == Ratio{})
            place["rounds"].fail("0 rounds take no time");
    } else {
        place["kind"].fail("expected reach, crossing or rounds");
    }
    bound.cycles = place["cycles"].positive_real();
    bound.cost.bytes_per_weight = place["bytes_per_weight"].positive_real();
    if (place.has("start_cycles"))
        bound.cost.start_cycles = place["start_cycles"].positive_real();
    if (place.has("latency_holds_link"))
        bound.cost.latency_holds_link = place["latency_holds_link"].truth();
    if (place.has("any_parts"))
        bound.holds_for_any_parts = place["any_parts"].truth();
    return bound;
}

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

nlohmann::ordered_json to_json(const Bounds& bounds)
{
    OrderedJson json = OrderedJson::object();
    if (bounds.steps) {
        const auto& pair = std::get<FarthestPair>(bounds.steps->certificate);
        json["steps"] = {{"steps", bounds.steps->steps}, {"from", pair.from}, {"to", pair.to}};
    }
    if (bounds.rounds)
        json["rounds"] = rounds_to_json(*bounds.rounds);
    for (const Bound& bound : bounds.rounds_in_steps)
        json["shapes"].push_back({{"steps", bound.steps},
                                  {"rounds", rounded_up(bound.rounds) - 1},
                                  {"proof", pack(std::get<InfeasibilityProof>(bound.certificate).proof)}});
    if (bounds.cycles)
        json["time"] = cycles_to_json(*bounds.cycles);
    return json;
}

Bounds read_bounds(const JsonPlace& place)
{
    place.check_members({"steps", "rounds", "shapes", "time"});
    Bounds bounds;
    if (place.has("steps")) {
        const JsonPlace steps = place["steps"];
        steps.check_members({"steps", "from", "to"});
        bounds.steps = Bound{.steps = steps["steps"].number(0), .certificate = read_pair(steps)};
    }
    if (place.has("rounds"))
        read_rounds(place["rounds"], bounds.rounds.emplace(Bound{.measure = Measure::rounds}));
    if (place.has("shapes"))
        for (const JsonPlace& shape : place["shapes"].elements()) {
            shape.check_members({"steps", "rounds", "proof"});
            bounds.rounds_in_steps.push_back({.steps = shape["steps"].number(1),
                                              .certificate = read_proof(shape["proof"]),
                                              .measure = Measure::rounds_in_steps,
                                              .rounds = {std::uint64_t{shape["rounds"].number(1)} + 1}});
        }
    if (place.has("time"))
        bounds.cycles = read_cycles(place["time"]);
    return bounds;
}

} // namespace nocturne
