#include "models/topology/make_topology.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/certificate/crossings.hpp"
#include "tests/catch.hpp"

namespace nocturne::check_rounds_test {

TEST_CASE("a cut proves what must leave it, and no more", "[chunks][bound]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:6"));
    const CollectiveShape shape{.processors = 6, .parts = 2};
    const NodeCut half{{0, 1, 2}};
    // Two links leave half a ring.
    CHECK(proven_rounds(half, network, allgather(shape)) == Ratio{3, 1});
    CHECK(proven_rounds(half, network, reduce_scatter(shape)) == Ratio{3, 1});
    CHECK(proven_rounds(half, network, allreduce(shape)) == Ratio{1, 1});
    CHECK(proven_rounds(half, network, alltoall(shape)) == Ratio{9, 1});
    CHECK(proven_rounds(half, network, broadcast(shape, 5)) == Ratio{0, 1});
    Bound claimed{.certificate = half, .measure = Measure::rounds, .rounds = {3, 1}};
    CHECK_FALSE(refute(claimed, network, allgather(shape)));
    claimed.rounds = {31, 10};
    CHECK(refute(claimed, network, allgather(shape)) ==
          "the cut proves 3 rounds of the collective in 2 parts, not 31/10");
    claimed.certificate = NodeCut{{0, 6}};
    CHECK(refute(claimed, network, allgather(shape)) == "node 6 of the cut does not exist");
}

TEST_CASE("sums that do not make up each other leave a set one by one", "[chunks][bound]")
{
    const LinkNetwork network = link_network_of(make_topology("complete:4"));
    const auto crossings = [](const Collective& collective, const std::vector<bool>& inside) {
        return least_crossings(collective, inside);
    };
    const Collective prefixes = scan({.processors = 4, .parts = 2});
    CHECK(crossings(prefixes, {true, false, true, false}) == std::vector<std::uint32_t>{2, 2}); // 0, 0+2
    CHECK(crossings(prefixes, {true, true, false, false}) == std::vector<std::uint32_t>{1, 1});
    CHECK(crossings(prefixes, {false, false, false, true}) == std::vector<std::uint32_t>{0, 0});
    CHECK(proven_rounds(NodeCut{{0, 2}}, network, prefixes) == Ratio{1, 1});
    // 0+1, 1+2 and 0+2 are each the sum of the others where what is added twice vanishes.
    Collective pairs{CollectiveKind::custom, 6, 1, {{1, {0, 1, 2}}}, {}};
    pairs.demands.push_back({0, 3, {0, 1}});
    pairs.demands.push_back({0, 4, {1, 2}});
    pairs.demands.push_back({0, 5, {0, 2}});
    CHECK(crossings(pairs, {true, true, true, false, false, false}) == std::vector<std::uint32_t>{2});
    CHECK(crossings(pairs, {true, false, false, false, false, false}) == std::vector<std::uint32_t>{1});
}

TEST_CASE("lengths prove how far all travel, receptions how often sums are received", "[chunks][bound]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:4"));
    const CollectiveShape shape{.processors = 4, .parts = 1};
    const LinkLengths ones{std::vector<std::uint64_t>(8, 1)};
    CHECK(proven_rounds(ones, network, alltoall(shape)) == Ratio{2, 1}); // 4 (1 + 2 + 1) / 8
    CHECK(proven_rounds(ones, network, allreduce(shape)) == Ratio{1, 4});
    CHECK(proven_rounds(Receptions{}, network, allreduce(shape)) == Ratio{3, 4}); // 2 (4 - 1) / 8
    LinkLengths short_of = ones;
    short_of.lengths.pop_back();
    const Bound damaged{.certificate = short_of, .measure = Measure::rounds, .rounds = {1}};
    CHECK(refute(damaged, network, alltoall(shape)) == "7 lengths for 8 links");
    const Bound too_much{.certificate = Receptions{}, .measure = Measure::rounds, .rounds = {4, 4}};
    CHECK(refute(too_much, network, allreduce(shape)) ==
          "the receptions prove 3/4 rounds of the collective in 1 part, not 4/4");
    // Two boxes of neighbours: two links come into each.
    const Receptions boxes{{{0, 1}, {2, 3}}};
    CHECK(proven_rounds(boxes, network, allreduce(shape)) == Ratio{1, 2});                // 2 (2 - 1) / 4
    CHECK(proven_rounds(Receptions{{{0, 1}}}, network, allreduce(shape)) == Ratio{2, 3}); // 2 (3 - 1) / 6
    // What is for one processor comes into as many boxes as are on its way.
    CHECK(proven_rounds(Receptions{}, network, alltoall(shape)) == Ratio{2, 1});
    CHECK(proven_rounds(boxes, network, alltoall(shape)) == Ratio{2, 1}); // 8 / 4
    const LinkNetwork longer = link_network_of(make_topology("ring:8"));
    const Receptions pairs{{{0, 1}, {2, 3}, {4, 5}, {6, 7}}};
    CHECK(proven_rounds(pairs, longer, alltoall({.processors = 8})) == Ratio{8, 1}); // 8 (4 + 4) / 8
    const Collective both = at_once(alltoall({.processors = 8}), allreduce({.processors = 8}));
    CHECK(proven_rounds(pairs, longer, both) == Ratio{35, 4}); // and 6 / 8
    CHECK_THROWS_AS(proven_rounds(Receptions{{{0, 1}, {1, 2}}}, network, allreduce(shape)),
                    std::invalid_argument);
    CHECK_THROWS_AS(proven_rounds(Receptions{{{0, 4}}}, network, allreduce(shape)), std::invalid_argument);
    for (const Certificate& certificate :
         {Certificate(ones), Certificate(Receptions{}), Certificate(boxes)}) {
        const Bounds bounds{
            .rounds = Bound{.certificate = certificate, .measure = Measure::rounds, .rounds = {2, 3}}};
        const nlohmann::json json = to_json(bounds);
        CHECK(read_bounds(JsonPlace(json, "here")) == bounds);
    }
}

TEST_CASE("certificates of messages prove no rounds", "[chunks][bound]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:4"));
    const auto [certificate, kind] =
        GENERATE(table<Certificate, std::string>({{PortCount{}, "port"},
                                                  {MessageGrowth{}, "growth"},
                                                  {Dominators{}, "dominator"},
                                                  {FarthestReceiver{}, "distance"},
                                                  {VertexSet{{0}}, "vertex-set"},
                                                  {ChannelLengths{}, "flow"},
                                                  {InfeasibilityProof{"0\n"}, "infeasibility"},
                                                  {FarthestPair{0, 1}, "reach"}}));
    const Bound bound{.certificate = certificate, .measure = Measure::rounds, .rounds = {1, 4}};
    CHECK(refute(bound, network, alltoall({.processors = 4})) ==
          "a certificate of the kind " + kind + " says nothing of links");
}

} // namespace nocturne::check_rounds_test
