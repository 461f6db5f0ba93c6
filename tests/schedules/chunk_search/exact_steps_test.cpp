#include "schedules/certificate/drat.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

using namespace nocturne;

namespace {

void check_schedule(const ExactAnswer& answer, const LinkNetwork& network, const StepsAndRounds& shape)
{
    REQUIRE(answer.schedule);
    CHECK(test::first_violation(*answer.schedule, network) == "");
    CHECK(count_steps(*answer.schedule) <= shape.steps);
    CHECK(count_rounds(*answer.schedule) <= shape.rounds);
}

/// All sets of chunks sent in all steps, by brute force: can `held` be completed in the steps that are left,
/// each of one round? Only for the smallest networks.
bool completes(const LinkNetwork& network, const Collective& collective, std::vector<std::uint64_t> held,
               unsigned steps)
{
    if (std::all_of(collective.demands.begin(), collective.demands.end(),
                    [&](const auto& d) { return held[d.receiver] >> d.chunk & 1; }))
        return true;
    if (steps == 0)
        return false;
    const std::vector<std::uint64_t> before = held;
    const auto fill = [&](const auto& self, LinkId link, std::uint64_t used) -> bool {
        if (link == network.link_count())
            return completes(network, collective, held, steps - 1);
        const NetworkLink& one = network.link(link);
        if (used < network.units(link))
            for (ChunkId c = 0; c < collective.chunks.size(); ++c)
                if ((before[one.source] >> c & 1) != 0 && (held[one.target] >> c & 1) == 0) {
                    held[one.target] |= std::uint64_t{1} << c;
                    if (self(self, link, used + 1))
                        return true;
                    held[one.target] &= ~(std::uint64_t{1} << c);
                }
        return self(self, link + 1, 0);
    };
    return fill(fill, 0, 0);
}

} // namespace

TEST_CASE("DGX-1 allgathers exist in these steps, rounds and chunks, and not in those",
          "[chunk_search][exact]")
{
    struct Row {
        StepsAndRounds shape;
        std::uint32_t chunks;
        bool is_satisfiable;
    };
    const Row row = GENERATE(Row{{1, 1}, 1, false}, Row{{2, 2}, 1, true}, Row{{2, 2}, 2, false},
                             Row{{2, 3}, 2, true}, Row{{2, 4}, 3, false}, Row{{3, 4}, 3, true});
    const LinkNetwork network = test::dgx1();
    const Collective owed = allgather({.processors = 8, .parts = row.chunks});
    const ExactAnswer answer = decide_steps(network, owed, {.shape = row.shape, .proof = Proof::drat});
    if (row.is_satisfiable) {
        check_schedule(answer, network, row.shape);
    } else {
        REQUIRE(answer.verdict == Verdict::unsatisfiable);
        const StepFormula formula = step_formula(network, owed, row.shape);
        CHECK(refute_proof(formula.formula, answer.proof) == std::nullopt);
        CHECK(refute_proof(step_formula(network, owed, {3, 7}).formula, answer.proof) != std::nullopt);
    }
}

TEST_CASE("the other collectives of a DGX-1 are found as well", "[chunk_search][exact]")
{
    const LinkNetwork network = test::dgx1();
    const auto check = [&](const Collective& collective, const StepsAndRounds& shape) {
        check_schedule(decide_steps(network, collective, {.shape = shape}), network, shape);
    };
    check(reduce_scatter({.processors = 8, .parts = 2}), {2, 3});
    check(gather({.processors = 8}, 5), {2, 2});
    check(scatter({.processors = 8}, 5), {2, 2});
    check(reduce({.processors = 8}, 0), {2, 2});
    check(broadcast({.processors = 8}, 3), {2, 2});
}

TEST_CASE("the formula says what trying everything says", "[chunk_search][exact]")
{
    const unsigned seed = GENERATE(range(1u, 25u));
    SplitMix64 random(seed);
    const LinkNetwork network =
        test::random_links(random, {.least_processors = 3, .most_units = 2, .most_more = 4});
    const std::uint32_t nodes = network.processor_count();
    const CollectiveShape shape{.processors = nodes};
    const Collective collective = seed % 3 == 0   ? scatter(shape, 0)
                                  : seed % 3 == 1 ? broadcast(shape, 1)
                                                  : gather(shape, 2);
    std::vector<std::uint64_t> held(nodes, 0);
    for (ChunkId c = 0; c < collective.chunks.size(); ++c)
        held[collective.chunks[c].contributors.front()] |= std::uint64_t{1} << c;
    for (unsigned steps = 1; steps < 4; ++steps) {
        CAPTURE(seed, steps);
        const ExactAnswer answer = decide_steps(network, collective, {.shape = {steps, steps}});
        REQUIRE(answer.verdict != Verdict::unknown);
        REQUIRE((answer.verdict == Verdict::satisfiable) == completes(network, collective, held, steps));
        if (answer.schedule)
            check_schedule(answer, network, {steps, steps});
    }
}

TEST_CASE("chunks that nobody can bring, and shapes that do not exist", "[chunk_search][exact]")
{
    LinkNetwork one_way{"one way", 2};
    one_way.add_link({0, 1, 1, 1});
    const Collective owed = allgather({.processors = 2});
    CHECK(decide_steps(one_way, owed, {.shape = {3, 3}}).verdict == Verdict::unsatisfiable);
    CHECK_THROWS_AS(decide_steps(one_way, owed, {.shape = {0, 1}}), std::invalid_argument);
    CHECK_THROWS_AS(decide_steps(one_way, owed, {.shape = {2, 1}}), std::invalid_argument);
    CHECK_THROWS_AS(decide_steps(one_way, allreduce({.processors = 2}), {.shape = {1, 1}}),
                    std::invalid_argument);
}
