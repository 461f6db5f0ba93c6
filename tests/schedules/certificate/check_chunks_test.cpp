#include "models/topology/make_topology.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "tests/catch.hpp"

namespace nocturne::check_chunks_test {

using Catch::Contains;

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

Bound steps_bound(unsigned steps, std::uint32_t from, std::uint32_t to)
{
    return {.steps = steps, .certificate = FarthestPair{from, to}};
}

/// That no schedule has so few steps and rounds.
Bound shape_bound(unsigned steps, std::uint64_t rounds, std::string proof)
{
    return {.steps = steps,
            .certificate = InfeasibilityProof{std::move(proof)},
            .measure = Measure::rounds_in_steps,
            .rounds = {rounds + 1}};
}

} // namespace

TEST_CASE("steps are proven by a way, whatever switches it crosses", "[chunks][bounds]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:6"));
    const Collective owed = allgather({.processors = 6});
    CHECK_FALSE(refute(steps_bound(3, 0, 3), ring, owed));
    CHECK(refute(steps_bound(3, 0, 2), ring, owed) == "from 0 to 2 it is 2 transfers, not 3");
    CHECK(refute(steps_bound(1, 0, 0), ring, owed) == "processor 0 owes nothing to processor 0");
    CHECK(refute(steps_bound(1, 0, 6), ring, owed) == "processor 0 owes nothing to processor 6");
    CHECK(refute(steps_bound(3, 0, 3), ring, broadcast({.processors = 6}, 1)));
    for (const NodeKind kind : {NodeKind::plain_switch, NodeKind::copying_switch})
        CHECK(refute(steps_bound(2, 0, 1), switched(kind), allgather({.processors = 3})) ==
              "from 0 to 1 it is 1 transfers, not 2");
}

TEST_CASE("a time is proven to the last digit, and not beyond", "[chunks][bounds]")
{
    const LinkNetwork network = switched(NodeKind::plain_switch);
    struct Proven {
        const char* what;
        Certificate certificate;
        double cycles;
        Ratio rounds = {};
        std::vector<std::pair<ChunkId, std::uint64_t>> releases =
            {}; ///< from the first of which on it counts
        bool latency_holds_link = false;
    };
    const Proven rows[] = {
        {"reach: 0.5 + 3 + 5 + 16 / 4, over the narrower link", FarthestPair{0, 2}, 12.5},
        {"crossing: ten chunks enter a processor, every 4 cycles, the first after 0.5 + 3 + 5 + 4",
         NodeCut{{0, 1, 3}}, 12.5 + 9 * 4},
        {"crossing, where the latency holds the link: every 12.5 cycles",
         NodeCut{{0, 1, 3}},
         125,
         {},
         {},
         true},
        {"receptions: ten chunks enter each of three processors, as above", Receptions{}, 12.5 + 9 * 4},
        {"lengths: one of 1 on the link into a processor, which streams from 0.5 + 3 + 5 on",
         LinkLengths{{0, 0, 0, 0, 0, 1}}, 8.5 + 10 * 4},
        {"rounds: 10 chunks enter over one unit of 4 bytes", NodeCut{{0, 1, 3}}, 10 * 4, {10, 1}},
        {"what is released later: five chunks enter the others, over one unit, from 1000 on",
         NodeCut{{0, 1, 3}},
         1005 + 5 * 4,
         {5, 1},
         {{5, 1005}, {6, 1006}, {7, 1007}, {8, 1008}, {9, 1009}}},
        {"and the way of one", FarthestPair{0, 2}, 3 + 12.5, {}, {{0, 3}}},
    };
    for (const Proven& row : rows) {
        INFO(row.what);
        Collective owed = allgather({.processors = 3, .parts = 5});
        Bound bound{.measure = Measure::cycles, .cost = {.bytes_per_weight = 16, .start_cycles = 0.5}};
        bound.certificate = row.certificate;
        bound.cycles = row.cycles;
        bound.rounds = row.rounds;
        bound.cost.latency_holds_link = row.latency_holds_link;
        for (const auto& [chunk, cycles] : row.releases)
            owed.chunks[chunk].release_cycles = cycles;
        if (!row.releases.empty())
            bound.released_from = row.releases.front().second;
        CHECK_FALSE(refute(bound, network, owed));
        Bound later = bound;
        later.cycles = std::nextafter(bound.cycles, 1e9);
        CHECK(refute(later, network, owed));
        const nlohmann::json json = to_json(Bounds{.cycles = bound});
        CHECK(read_bounds(JsonPlace(json, "here")) == Bounds{.cycles = bound});
        if (bound.released_from == 0)
            continue;
        bound.released_from += 1; // less is released from then on
        CHECK(refute(bound, network, owed));
        bound.released_from = 2000;
        CHECK(refute(bound, network, owed).value().ends_with("cycles are no more than the release at 2000"));
        bound.cycles += 2000;
        CHECK(refute(bound, network, owed));
    }
}

TEST_CASE("what comes from afar, goes far, or is for several crosses a cut in less time", "[chunks][bounds]")
{
    const AlphaBeta cost{.bytes_per_weight = 8, .start_cycles = 1};
    // A transfer to the next of three takes 1 + 8 / 4 + 20 cycles.
    LinkNetwork line{"line", 3};
    line.add_links(0, 1, 4, 20);
    line.add_links(1, 2, 4, 20);
    // As far from 0 to the others, which are nearer to each other: 1 + 8 / 4 + 2 cycles.
    LinkNetwork pair{"pair", 3};
    pair.add_links(0, 1, 4, 20);
    pair.add_links(0, 2, 4, 20);
    pair.add_links(1, 2, 4, 2);
    const auto [what, network, owed, nodes, cycles] =
        GENERATE_REF(table<std::string, LinkNetwork, Collective, std::vector<NodeId>, double>(
            {{"two transfers", line, allgather({.processors = 3, .parts = 5}), {}, 46},
             {"five chunks of 0 come to 1 before",
              line,
              allgather({.processors = 3, .parts = 5}),
              {0, 1},
              23 + 21 + 5 * 2},
             {"five chunks of 0 go on from 1",
              line,
              allgather({.processors = 3, .parts = 5}),
              {0},
              21 + 5 * 2 + 23},
             {"six cross in 27 cycles, but then two would have still to go on",
              pair,
              broadcast({.processors = 3, .parts = 6}, 0),
              {0},
              30},
             {"twelve cross, or six once they are summed up",
              pair,
              reduce({.processors = 3, .parts = 6}, 0),
              {1, 2},
              30}}));
    INFO(what);
    Bound bound{.measure = Measure::cycles, .cycles = cycles, .cost = cost};
    bound.certificate = nodes.empty() ? Certificate(FarthestPair{0, 2}) : Certificate(NodeCut{nodes});
    CHECK_FALSE(refute(bound, network, owed));
    bound.cycles = std::nextafter(cycles, 1e9);
    CHECK(refute(bound, network, owed));
}

TEST_CASE("a switch that copies needs what crosses to it but once", "[chunks][bounds]")
{
    const auto [kind, holds] =
        GENERATE(table<NodeKind, bool>({{NodeKind::plain_switch, true}, {NodeKind::copying_switch, false}}));
    // From 0 over a link of 4 bytes a cycle to the switch, at once to the others.
    LinkNetwork network{"hub", 4};
    const NodeId hub = network.add_switch(kind, "s");
    network.add_link({0, hub, 4, 20});
    for (const NodeId node : {1U, 2U, 3U}) {
        network.add_link({hub, node, 4000, 0});
        network.add_link({node, hub, 4000, 0});
    }
    // Six chunks cross in 1 + 20 + 6 * 2 cycles. Over a plain switch the last comes to one of the others.
    const Bound bound{.certificate = NodeCut{{0}},
                      .measure = Measure::cycles,
                      .cycles = 33.5,
                      .cost = {.bytes_per_weight = 8, .start_cycles = 1}};
    CHECK(refute(bound, network, broadcast({.processors = 4, .parts = 6}, 0)).has_value() != holds);
}

TEST_CASE("chunks of different sizes cross in parts", "[chunks][bounds]")
{
    const LinkNetwork network = switched(NodeKind::plain_switch);
    const std::vector<std::uint32_t> weights{3, 1, 2};
    const Collective owed = allgather({.processors = 3}, weights);
    Bound bound{.certificate = NodeCut{{0, 2, 3}},
                .measure = Measure::cycles,
                .cycles = 3 + 5 + 5, // weights 3 and 2 enter processor 1, one a cycle
                .cost = {.bytes_per_weight = 4, .latency_holds_link = true}};
    CHECK_FALSE(refute(bound, network, owed));
    bound.cycles += 1e-9;
    CHECK(refute(bound, network, owed) ==
          "by then all that must cross the links of the cut can have crossed them");
    bound.certificate = NodeCut{{0, 1, 2, 3}};
    CHECK(refute(bound, network, owed) == "nothing must cross the links");
}

TEST_CASE("what is no time is refuted in words", "[chunks][bounds]")
{
    const LinkNetwork network = switched(NodeKind::plain_switch);
    const Collective owed = allgather({.processors = 3});
    Bound bound{.certificate = FarthestPair{0, 1}, .measure = Measure::cycles, .cycles = 1};
    SECTION("negative")
    {
        bound.cost.start_cycles = -1;
        CHECK_THAT(refute(bound, network, owed).value(), Contains("finite numbers of 0 or more"));
    }
    SECTION("by what proves steps only")
    {
        bound.certificate = PortCount{};
        CHECK(refute(bound, network, owed) == "a certificate of the kind port says nothing of links");
    }
    SECTION("of steps, by what proves times or rounds")
    {
        const Bound steps{.steps = 1, .certificate = NodeCut{{0}}};
        CHECK(refute(steps, network, owed) == "a certificate of the kind cut is not one of steps of chunks");
    }
    SECTION("of rounds in so many steps, by what is no proof")
    {
        bound.measure = Measure::rounds_in_steps;
        CHECK(refute(bound, network, owed) ==
              "a certificate of the kind reach is not one of rounds in so many steps");
    }
    SECTION("for another network")
    {
        CHECK_THAT(refute(bound, network, allgather({.processors = 4})).value(),
                   Contains("for 4 processors"));
    }
    SECTION("chunks that take no time")
    {
        bound.cost.bytes_per_weight = 0;
        bound.cycles = 100;
        bound.certificate = NodeCut{{0}};
        CHECK_THAT(refute(bound, network, owed).value(), Contains("without time"));
    }
}

TEST_CASE("an empty proof proves what propagation sees, and nothing else", "[chunks][bounds]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:4"));
    const Collective owed = allgather({.processors = 4});
    // In one step nothing gets to the other side.
    const Bound one_step = shape_bound(1, 3, "0\n");
    CHECK_FALSE(refute(one_step, ring, owed));
    CHECK_FALSE(refute(one_step, ring, reduce_scatter({.processors = 4})));
    CHECK(refute(shape_bound(2, 2, "0\n"), ring, owed));
    CHECK(refute(one_step, ring, allreduce({.processors = 4})));
    const Bounds bounds{.steps = steps_bound(3, 0, 2),
                        .rounds =
                            Bound{.certificate = NodeCut{{0}}, .measure = Measure::rounds, .rounds = {2, 1}},
                        .rounds_in_steps = {one_step}};
    CHECK(refutations(bounds, ring, owed) ==
          std::vector<std::string>{"steps: from 0 to 2 it is 2 transfers, not 3",
                                   "rounds: the cut proves 1/2 rounds of the collective in 1 part, not 2"});
    const nlohmann::json json = to_json(bounds);
    CHECK(read_bounds(JsonPlace(json, "here")) == bounds);
}

} // namespace nocturne::check_chunks_test
