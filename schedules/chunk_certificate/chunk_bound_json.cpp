#include "schedules/chunk_certificate/chunk_bound_json.hpp"

namespace nocturne {

nlohmann::ordered_json to_json(const ChunkBound& bound)
{
    nlohmann::ordered_json json{{"kind", to_string(bound.kind)},
                                {"rounds", {bound.rounds.numerator, bound.rounds.denominator}}};
    if (bound.kind == ChunkBoundKind::cut)
        json["cut"] = bound.cut;
    if (bound.kind == ChunkBoundKind::lengths)
        json["lengths"] = bound.lengths;
    return json;
}

ChunkBound read_chunk_bound(const JsonPlace& place)
{
    place.check_members({"kind", "rounds", "cut", "lengths"});
    ChunkBound bound;
    const std::string kind = place["kind"].text();
    if (kind == to_string(ChunkBoundKind::cut)) {
        for (const JsonPlace& node : place["cut"].elements())
            bound.cut.push_back(node.number(0));
    } else if (kind == to_string(ChunkBoundKind::lengths)) {
        bound.kind = ChunkBoundKind::lengths;
        for (const JsonPlace& length : place["lengths"].elements())
            bound.lengths.push_back(length.word());
    } else if (kind == to_string(ChunkBoundKind::receptions)) {
        bound.kind = ChunkBoundKind::receptions;
    } else {
        place["kind"].fail("expected cut, lengths or receptions");
    }
    const std::vector<JsonPlace> rounds = place["rounds"].elements();
    if (rounds.size() != 2)
        place["rounds"].fail("expected numerator and denominator");
    bound.rounds = place["rounds"].here([&] { return make_ratio(rounds[0].word(), rounds[1].word()); });
    return bound;
}

} // namespace nocturne
