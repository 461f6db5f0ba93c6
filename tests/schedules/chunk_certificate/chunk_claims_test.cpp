#include "models/topology/make_topology.hpp"
#include "schedules/chunk_certificate/chunk_claims_json.hpp"

#include <catch2/catch.hpp>

namespace nocturne::chunk_claims_test {

using Catch::Matchers::Contains;

namespace {

/// Two processors on a switch, in at 8 bytes a cycle and out at 4, 3 and 5 cycles away.
LinkNetwork switched(NodeKind kind)
{
    LinkNetwork network{"switched", 3};
    const NodeId hub = network.add_switch(kind, "s");
    for (const NodeId processor : {0u, 1u, 2u}) {
        network.add_link({processor, hub, 8, 3});
        network.add_link({hub, processor, 4, 5});
    }
    return network;
}

} // namespace

TEST_CASE("steps are proven by a way, whatever switches it crosses", "[chunks][claims]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:6"));
    const Collective owed = allgather({.processors = 6});
    CHECK_FALSE(refute(StepClaim{3, 0, 3}, ring, owed));
    CHECK(refute(StepClaim{3, 0, 2}, ring, owed) == "from 0 to 2 it is 2 transfers, not 3");
    CHECK(refute(StepClaim{1, 0, 0}, ring, owed) == "nothing of processor 0 is owed to processor 0");
    CHECK(refute(StepClaim{1, 0, 6}, ring, owed) == "nothing of processor 0 is owed to processor 6");
    CHECK(refute(StepClaim{3, 0, 3}, ring, broadcast({.processors = 6}, 1)));
    for (const NodeKind kind : {NodeKind::plain_switch, NodeKind::copying_switch})
        CHECK(refute(StepClaim{2, 0, 1}, switched(kind), allgather({.processors = 3})) ==
              "from 0 to 1 it is 1 transfers, not 2");
}

TEST_CASE("a time is proven to the last digit, and not beyond", "[chunks][claims]")
{
    const LinkNetwork network = switched(NodeKind::plain_switch);
    const Collective owed = allgather({.processors = 3, .parts = 5});
    TimeClaim claim{.cost = {.bytes_per_weight = 16, .start_cycles = 0.5}};
    SECTION("reach: 0.5 + 3 + 5 + 16 / 8")
    {
        claim.to = 2;
        claim.cycles = 10.5;
    }
    SECTION("crossing: ten chunks enter a processor, every 4 cycles, the first after 0.5 + 5 + 4")
    {
        claim.kind = TimeClaimKind::crossing;
        claim.cut = {0, 1, 3};
        claim.cycles = 9.5 + 9 * 4;
    }
    SECTION("crossing, where the latency holds the link: every 9.5 cycles")
    {
        claim.kind = TimeClaimKind::crossing;
        claim.cost.latency_holds_link = true;
        claim.cut = {0, 1, 3};
        claim.cycles = 95;
    }
    SECTION("rounds: 10 chunks enter over one unit of 4 bytes")
    {
        claim.kind = TimeClaimKind::rounds;
        claim.rounds = ChunkBound{.rounds = {10, 1}, .cut = {0, 1, 3}};
        claim.cycles = 10 * 4;
    }
    CHECK_FALSE(refute(claim, network, owed));
    TimeClaim later = claim;
    later.cycles = std::nextafter(claim.cycles, 1e9);
    CHECK(refute(later, network, owed));
    const nlohmann::json json = to_json(ChunkClaims{.time = claim});
    CHECK(read_chunk_claims(JsonPlace(json, "here")) == ChunkClaims{.time = claim});
}

TEST_CASE("chunks of different sizes cross in parts", "[chunks][claims]")
{
    const LinkNetwork network = switched(NodeKind::plain_switch);
    const std::vector<std::uint32_t> weights{3, 1, 2};
    const Collective owed = allgather({.processors = 3}, weights);
    TimeClaim claim{.kind = TimeClaimKind::crossing,
                    .cycles = 5 + 5, // weights 3 and 2 enter processor 1, one a cycle
                    .cost = {.bytes_per_weight = 4, .latency_holds_link = true},
                    .cut = {0, 2, 3}};
    CHECK_FALSE(refute(claim, network, owed));
    claim.cycles += 1e-9;
    CHECK(refute(claim, network, owed) == "by then all that must leave the cut can have left it");
    claim.cut = {0, 1, 2, 3};
    CHECK(refute(claim, network, owed) == "nothing must leave the cut");
}

TEST_CASE("what is no time is refuted in words", "[chunks][claims]")
{
    const LinkNetwork network = switched(NodeKind::plain_switch);
    const Collective owed = allgather({.processors = 3});
    TimeClaim claim{.cycles = 1, .cost = {}, .to = 1};
    SECTION("negative")
    {
        claim.cost.start_cycles = -1;
        CHECK_THAT(refute(claim, network, owed).value(), Contains("finite numbers of 0 or more"));
    }
    SECTION("without a bound on rounds")
    {
        claim.kind = TimeClaimKind::rounds;
        CHECK(refute(claim, network, owed) == "a time for rounds has no bound on them");
    }
    SECTION("for another network")
    {
        CHECK_THAT(refute(claim, network, allgather({.processors = 4})).value(),
                   Contains("for 4 processors"));
    }
    SECTION("chunks that take no time")
    {
        claim.kind = TimeClaimKind::crossing;
        claim.cost.bytes_per_weight = 0;
        claim.cycles = 100;
        claim.cut = {0};
        CHECK_THAT(refute(claim, network, owed).value(), Contains("takes no time"));
    }
}

TEST_CASE("an empty proof proves what propagation sees, and nothing else", "[chunks][claims]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:4"));
    const Collective owed = allgather({.processors = 4});
    // In one step nothing gets to the other side.
    const ShapeClaim one_step{{1, 3}, "0\n"};
    CHECK_FALSE(refute(one_step, ring, owed));
    CHECK_FALSE(refute(one_step, ring, reduce_scatter({.processors = 4})));
    CHECK(refute(ShapeClaim{{2, 2}, "0\n"}, ring, owed));
    CHECK(refute(one_step, ring, allreduce({.processors = 4})));
    const ChunkClaims claims{.steps = StepClaim{3, 0, 2},
                             .rounds = ChunkBound{.rounds = {2, 1}, .cut = {0}},
                             .shapes = {one_step}};
    CHECK(refutations(claims, ring, owed) ==
          std::vector<std::string>{"steps: from 0 to 2 it is 2 transfers, not 3",
                                   "rounds: the cut prove 1/2 rounds, not 2"});
    const nlohmann::json json = to_json(claims);
    CHECK(read_chunk_claims(JsonPlace(json, "here")) == claims);
}

TEST_CASE("claims that are damaged are refused in one line that says where", "[chunks][claims]")
{
    const auto [text, message] = GENERATE(table<std::string, std::string>(
        {{R"({"time": {"kind": "soon"}})", "here: /time/kind: expected reach, crossing or rounds"},
         {R"({"shapes": [{"steps": 1, "rounds": 1, "proof": "?"}]})", "here: /shapes/0/proof: "},
         {R"({"steps": {"steps": -1, "from": 0, "to": 1}})", "here: /steps/steps: "},
         {R"({"speed": 1})", "here: "}}));
    const nlohmann::json json = nlohmann::json::parse(text);
    CHECK_THROWS_WITH(read_chunk_claims(JsonPlace(json, "here")), Catch::Matchers::StartsWith(message));
}

} // namespace nocturne::chunk_claims_test
