#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/packed_text.hpp"

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;

void add_certificate(OrderedJson& json, const Bound& bound)
{
    if (const auto* const cut = std::get_if<NodeCut>(&bound.certificate))
        json["cut"] = cut->nodes;
    if (const auto* const lengths = std::get_if<LinkLengths>(&bound.certificate))
        json["lengths"] = lengths->lengths;
    if (const auto* const receptions = std::get_if<Receptions>(&bound.certificate);
        receptions != nullptr && !receptions->boxes.empty())
        json["boxes"] = receptions->boxes;
}

OrderedJson rounds_to_json(const Bound& bound)
{
    OrderedJson json{{"kind", kind_of(bound)},
                     {"rounds", {bound.rounds.numerator, bound.rounds.denominator}}};
    add_certificate(json, bound);
    return json;
}

OrderedJson cycles_to_json(const Bound& bound)
{
    const auto* const pair = std::get_if<FarthestPair>(&bound.certificate);
    const bool is_of_rounds = Ratio{} < bound.rounds;
    const bool is_of_cut = std::holds_alternative<NodeCut>(bound.certificate);
    OrderedJson json{{"kind", is_of_rounds ? "rounds"
                              : is_of_cut  ? "crossing"
                                           : kind_of(bound)},
                     {"cycles", bound.cycles},
                     {"bytes_per_weight", bound.cost.bytes_per_weight}};
    if (bound.cost.start_cycles != 0)
        json["start_cycles"] = bound.cost.start_cycles;
    if (bound.cost.latency_holds_link)
        json["latency_holds_link"] = true;
    if (bound.holds_for_any_parts)
        json["any_parts"] = true;
    if (bound.released_from > 0)
        json["released_from"] = bound.released_from;
    if (pair != nullptr) {
        json["from"] = pair->from;
        json["to"] = pair->to;
    } else if (is_of_rounds) {
        json["rounds"] = rounds_to_json(bound);
    } else {
        add_certificate(json, bound);
    }
    return json;
}

NodeCut read_cut(const JsonPlace& place)
{
    NodeCut cut;
    for (const JsonPlace& node : place.elements())
        cut.nodes.push_back(node.number(0));
    return cut;
}

/// A cut, lengths or receptions by that name; nothing for others.
std::optional<Certificate> read_certificate(const std::string& kind, const JsonPlace& place)
{
    if (kind == kind_of(NodeCut{}))
        return read_cut(place["cut"]);
    if (kind == kind_of(LinkLengths{})) {
        LinkLengths lengths;
        for (const JsonPlace& length : place["lengths"].elements())
            lengths.lengths.push_back(length.word());
        return lengths;
    }
    if (kind != kind_of(Receptions{}))
        return std::nullopt;
    Receptions receptions;
    if (place.has("boxes"))
        for (const JsonPlace& box : place["boxes"].elements())
            receptions.boxes.push_back(read_cut(box).nodes);
    return receptions;
}

/// Rounds and what proves them, of a bound of either measure.
void read_rounds(const JsonPlace& place, Bound& bound)
{
    place.check_members({"kind", "rounds", "cut", "lengths", "boxes"});
    auto certificate = read_certificate(place["kind"].text(), place);
    if (!certificate)
        place["kind"].fail("expected cut, lengths or receptions");
    bound.certificate = std::move(*certificate);
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
                         "any_parts", "released_from", "from", "to", "cut", "lengths", "boxes", "rounds"});
    Bound bound{.measure = Measure::cycles};
    const std::string kind = place["kind"].text();
    if (kind == "reach") {
        bound.certificate = read_pair(place);
    } else if (kind == "rounds") {
        read_rounds(place["rounds"], bound);
        if (bound.rounds == Ratio{})
            place["rounds"].fail("0 rounds take no time");
    } else if (auto certificate = read_certificate(kind == "crossing" ? "cut" : kind, place)) {
        bound.certificate = std::move(*certificate);
    } else {
        place["kind"].fail("expected reach, crossing, lengths, receptions or rounds");
    }
    bound.cycles = place["cycles"].positive_real();
    bound.cost.bytes_per_weight = place["bytes_per_weight"].positive_real();
    if (place.has("start_cycles"))
        bound.cost.start_cycles = place["start_cycles"].positive_real();
    if (place.has("latency_holds_link"))
        bound.cost.latency_holds_link = place["latency_holds_link"].truth();
    if (place.has("any_parts"))
        bound.holds_for_any_parts = place["any_parts"].truth();
    if (place.has("released_from"))
        bound.released_from = place["released_from"].word();
    return bound;
}

} // namespace

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
                                              .certificate = InfeasibilityProof{unpacked_in(shape["proof"])},
                                              .measure = Measure::rounds_in_steps,
                                              .rounds = {std::uint64_t{shape["rounds"].number(1)} + 1}});
        }
    if (place.has("time"))
        bounds.cycles = read_cycles(place["time"]);
    return bounds;
}

} // namespace nocturne
