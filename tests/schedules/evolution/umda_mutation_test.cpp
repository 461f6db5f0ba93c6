#include "schedules/evolution/heuristics.hpp"
#include "schedules/evolution/umda_mutation.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/evolution/count_conflicts.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace nocturne::umda_mutation_test {

using namespace nocturne::test;

namespace {

using Judge =
    std::function<void(const ChromosomeEncoding&, const Chromosome& before, const Chromosome& after)>;

/// Mutates repaired chromosomes of many random problems; returns how many changed.
unsigned mutate_many(test::Traffic traffic, const UmdaParameters& parameters, const Judge& judge)
{
    unsigned changed = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Problem problem = test::random_problem(seed, 7, traffic);
        problem.switching = Switching::wormhole;
        SplitMix64 random(seed);
        const ChromosomeEncoding encoding(problem, 1 + random.below(7));
        UmdaMutation mutation(encoding, parameters);
        Chromosome chromosome = random_chromosome(encoding, random);
        if (encoding.builds_trees())
            restore(encoding, chromosome, random);
        else
            accelerate(encoding, chromosome, random);
        ConflictTable table(encoding);
        table.assign(chromosome);
        for (unsigned i = 0; i < 8; ++i) {
            const Chromosome before = table.chromosome();
            mutation.mutate(table, random);
            REQUIRE(table.conflicts() == count_conflicts(encoding, table.chromosome()));
            changed += table.chromosome() == before ? 0 : 1;
            judge(encoding, before, table.chromosome());
        }
    }
    return changed;
}

UmdaParameters aimed(double conflicting, std::uint32_t slots)
{
    UmdaParameters parameters;
    parameters.conflicting_mutation = conflicting;
    parameters.slots_tested = slots;
    return parameters;
}

} // namespace

TEST_CASE("mutation of restored trees leaves restored trees", "[evolution][umda]")
{
    UmdaParameters parameters = aimed(GENERATE(0.0, 1.0), GENERATE(0U, 1U, 3U));
    parameters.path_mutation = GENERATE(false, true);
    const unsigned changed =
        mutate_many(test::Traffic::broadcast, parameters,
                    [](const ChromosomeEncoding& encoding, const Chromosome&, const Chromosome& after) {
                        SplitMix64 random(1);
                        Chromosome restored = after;
                        if (encoding.builds_trees())
                            restore(encoding, restored, random);
                        REQUIRE(restored == after);
                    });
    CHECK(changed > 200);
}

TEST_CASE("mutation of accelerated scatters sends no more than before", "[evolution][umda]")
{
    const UmdaParameters parameters = aimed(GENERATE(0.0, 1.0), GENERATE(0U, 1U, 3U));
    const unsigned changed = mutate_many(
        test::Traffic::scatter, parameters,
        [](const ChromosomeEncoding& encoding, const Chromosome& before, const Chromosome& after) {
            const auto beyond = [&](const Chromosome& chromosome) {
                SplitMix64 random(1);
                Chromosome accelerated = chromosome;
                accelerate(encoding, accelerated, random);
                return accelerated != chromosome;
            };
            REQUIRE((beyond(before) || !beyond(after)));
        });
    CHECK(changed > 200);
}

TEST_CASE("switched off, slot swap keeps the steps and path mutation the paths", "[evolution][umda]")
{
    UmdaParameters no_swap = aimed(0.5, 3);
    no_swap.slot_swap = false;
    const unsigned rerouted =
        mutate_many(test::Traffic::scatter, no_swap,
                    [](const ChromosomeEncoding&, const Chromosome& before, const Chromosome& after) {
                        for (std::size_t i = 0; i < after.size(); ++i)
                            REQUIRE(after[i].step == before[i].step);
                    });
    CHECK(rerouted > 50);
    UmdaParameters no_paths = aimed(0.5, 3);
    no_paths.path_mutation = false;
    const unsigned moved =
        mutate_many(test::Traffic::scatter, no_paths,
                    [](const ChromosomeEncoding&, const Chromosome& before, const Chromosome& after) {
                        for (std::size_t i = 0; i < after.size(); ++i)
                            REQUIRE(after[i].path == before[i].path);
                    });
    CHECK(moved > 200);
}

TEST_CASE("a blind swap exchanges the steps of two deliveries of one sender, or uses a free port",
          "[evolution][umda]")
{
    UmdaParameters blind = aimed(0, 1);
    blind.path_mutation = false;
    unsigned swaps = 0;
    unsigned moves = 0;
    mutate_many(test::Traffic::scatter, blind,
                [&](const ChromosomeEncoding&, const Chromosome& before, const Chromosome& after) {
                    std::vector<std::size_t> changed;
                    for (std::size_t i = 0; i < after.size(); ++i)
                        if (after[i] != before[i])
                            changed.push_back(i);
                    REQUIRE(changed.size() <= 2);
                    moves += changed.size() == 1 ? 1 : 0;
                    if (changed.size() < 2)
                        return;
                    ++swaps;
                    const auto [a, b] = std::pair(changed[0], changed[1]);
                    REQUIRE(after[a].source == after[b].source);
                    REQUIRE(after[a].step == before[b].step);
                    REQUIRE(after[b].step == before[a].step);
                });
    CHECK(swaps > 50);
    CHECK(moves > 50);
}

TEST_CASE(
    "a mutation that tests all steps and aims at conflicts does not add any when a better place is free",
    "[evolution][umda]")
{
    // One delivery in conflict and steps without any: it must go there.
    Problem problem = test::random_problem(3, 7, test::Traffic::scatter);
    problem.switching = Switching::wormhole;
    const auto deliveries = static_cast<std::uint32_t>(ChromosomeEncoding(problem, 1).deliveries().size());
    const ChromosomeEncoding encoding(problem, deliveries + 1);
    const UmdaParameters parameters = aimed(1, 0);
    UmdaMutation mutation(encoding, parameters);
    SplitMix64 random(1);
    Chromosome chromosome = random_chromosome(encoding, random);
    for (Gene& gene : chromosome)
        gene.step = 0;
    ConflictTable table(encoding);
    table.assign(chromosome);
    REQUIRE(table.conflicts() > 0);
    for (std::uint32_t i = 0; i < deliveries && table.conflicts() > 0; ++i) {
        const std::uint64_t before = table.conflicts();
        mutation.mutate(table, random);
        CHECK(table.conflicts() < before);
    }
    CHECK(table.conflicts() == 0);
}

} // namespace nocturne::umda_mutation_test
