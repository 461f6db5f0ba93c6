#include "schedules/chunk_certificate/chunk_claims_json.hpp"

#include "schedules/certificate/packed_text.hpp"
#include "schedules/chunk_certificate/chunk_bound_json.hpp"

#include <stdexcept>

namespace nocturne {
namespace {

nlohmann::ordered_json json_of(const TimeClaim& claim)
{
    nlohmann::ordered_json json{{"kind", to_string(claim.kind)},
                                {"cycles", claim.cycles},
                                {"bytes_per_weight", claim.cost.bytes_per_weight}};
    if (claim.cost.start_cycles != 0)
        json["start_cycles"] = claim.cost.start_cycles;
    if (claim.cost.latency_holds_link)
        json["latency_holds_link"] = true;
    if (claim.holds_for_any_parts)
        json["any_parts"] = true;
    if (claim.kind == TimeClaimKind::reach) {
        json["from"] = claim.from;
        json["to"] = claim.to;
    }
    if (claim.kind == TimeClaimKind::crossing)
        json["cut"] = claim.cut;
    if (claim.rounds)
        json["rounds"] = to_json(*claim.rounds);
    return json;
}

TimeClaim read_time_claim(const JsonPlace& place)
{
    place.check_members({"kind", "cycles", "bytes_per_weight", "start_cycles", "latency_holds_link",
                         "any_parts", "from", "to", "cut", "rounds"});
    TimeClaim claim;
    const std::string kind = place["kind"].text();
    if (kind == to_string(TimeClaimKind::reach)) {
        claim.from = place["from"].number(0);
        claim.to = place["to"].number(0);
    } else if (kind == to_string(TimeClaimKind::crossing)) {
        claim.kind = TimeClaimKind::crossing;
        for (const JsonPlace& node : place["cut"].elements())
            claim.cut.push_back(node.number(0));
    } else if (kind == to_string(TimeClaimKind::rounds)) {
        claim.kind = TimeClaimKind::rounds;
        claim.rounds = read_chunk_bound(place["rounds"]);
    } else {
        place["kind"].fail("expected reach, crossing or rounds");
    }
    claim.cycles = place["cycles"].positive_real();
    claim.cost.bytes_per_weight = place["bytes_per_weight"].positive_real();
    if (place.has("start_cycles"))
        claim.cost.start_cycles = place["start_cycles"].positive_real();
    if (place.has("latency_holds_link"))
        claim.cost.latency_holds_link = place["latency_holds_link"].truth();
    if (place.has("any_parts"))
        claim.holds_for_any_parts = place["any_parts"].truth();
    return claim;
}

ShapeClaim read_shape_claim(const JsonPlace& place)
{
    place.check_members({"steps", "rounds", "proof"});
    ShapeClaim claim;
    claim.shape = {.steps = place["steps"].number(1), .rounds = place["rounds"].number(1)};
    try {
        claim.proof = unpack(place["proof"].text());
    } catch (const std::runtime_error& error) {
        place["proof"].fail(error.what());
    }
    return claim;
}

} // namespace

nlohmann::ordered_json to_json(const ChunkClaims& claims)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (claims.steps)
        json["steps"] = {
            {"steps", claims.steps->steps}, {"from", claims.steps->from}, {"to", claims.steps->to}};
    if (claims.rounds)
        json["rounds"] = to_json(*claims.rounds);
    for (const ShapeClaim& claim : claims.shapes)
        json["shapes"].push_back(
            {{"steps", claim.shape.steps}, {"rounds", claim.shape.rounds}, {"proof", pack(claim.proof)}});
    if (claims.time)
        json["time"] = json_of(*claims.time);
    return json;
}

ChunkClaims read_chunk_claims(const JsonPlace& place)
{
    place.check_members({"steps", "rounds", "shapes", "time"});
    ChunkClaims claims;
    if (place.has("steps")) {
        const JsonPlace steps = place["steps"];
        steps.check_members({"steps", "from", "to"});
        claims.steps = {steps["steps"].number(0), steps["from"].number(0), steps["to"].number(0)};
    }
    if (place.has("rounds"))
        claims.rounds = read_chunk_bound(place["rounds"]);
    if (place.has("shapes"))
        for (const JsonPlace& shape : place["shapes"].elements())
            claims.shapes.push_back(read_shape_claim(shape));
    if (place.has("time"))
        claims.time = read_time_claim(place["time"]);
    return claims;
}

} // namespace nocturne
