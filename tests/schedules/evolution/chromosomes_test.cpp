// What UMDA and MBOA do with chromosomes, on random problems: conflicts and diversity as they are defined,
// and what the heuristics and mutations promise.
#include "schedules/evolution/diversity.hpp"
#include "schedules/evolution/heuristics.hpp"
#include "schedules/evolution/umda_mutation.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/evolution/count_conflicts.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace nocturne::chromosomes_test {

using namespace nocturne::test;

namespace {

Problem wormhole_problem(std::uint64_t seed, Traffic traffic)
{
    Problem problem = random_problem(seed, 7, traffic);
    problem.switching = Switching::wormhole;
    return problem;
}

bool is_in_range(const ChromosomeEncoding& encoding, const Chromosome& chromosome)
{
    for (std::uint32_t i = 0; i < chromosome.size(); ++i) {
        const auto [source, path, step] = chromosome[i];
        const auto& delivery = encoding.deliveries()[i];
        if (source == delivery.receiver || path >= encoding.path_count(source, delivery.receiver) ||
            step >= encoding.steps() || (!encoding.builds_trees() && source != delivery.origin))
            return false;
    }
    return chromosome.size() == encoding.deliveries().size();
}

/// The most that `sender` sends in a step.
unsigned most_sent(const Chromosome& chromosome, ProcessorId sender)
{
    std::map<unsigned, unsigned> sent;
    unsigned most = 0;
    for (const Gene& gene : chromosome)
        if (gene.source == sender)
            most = std::max(most, ++sent[gene.step]);
    return most;
}

/// As the heuristic of its kind leaves it.
Chromosome repaired(const ChromosomeEncoding& encoding, Chromosome chromosome, SplitMix64& random)
{
    if (encoding.builds_trees())
        restore(encoding, chromosome, random);
    else
        accelerate(encoding, chromosome, random);
    return chromosome;
}

} // namespace

TEST_CASE("the table counts what pair by pair counting counts, and knows who holds what",
          "[evolution][conflicts]")
{
    const auto traffic = GENERATE(Traffic::scatter, Traffic::broadcast);
    std::uint64_t port_conflicts = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = wormhole_problem(seed, traffic);
        SplitMix64 random(seed);
        const ChromosomeEncoding encoding(problem, 1 + random.below(4));
        INFO(describe(problem));
        const auto deliveries = static_cast<std::uint32_t>(encoding.deliveries().size());
        ConflictTable table(encoding);
        CHECK(table.conflicts() == 0);
        table.assign(random_chromosome(encoding, random));
        for (unsigned i = 0; i < 15; ++i) {
            const std::uint32_t delivery = random.below(deliveries);
            const Gene gene = random_chromosome(encoding, random)[delivery];
            const std::uint64_t expected =
                table.conflicts() - table.conflicts_of(delivery) + table.conflicts_with(delivery, gene);
            table.change(delivery, gene);
            CHECK(table.gene(delivery) == gene);
            CHECK(table.conflicts() == expected);
            REQUIRE(table.conflicts() == count_conflicts(encoding, table.chromosome()));
        }
        for (unsigned step = 0; step < encoding.steps(); ++step)
            for (StepResource resource = 0; resource < encoding.resource_count(); ++resource) {
                std::vector<std::uint32_t> expected;
                for (std::uint32_t i = 0; i < deliveries; ++i)
                    if (const Gene gene = table.gene(i);
                        gene.step == step && std::ranges::count(encoding.resources(i, gene), resource) > 0)
                        expected.push_back(i);
                const auto holders = table.holders(resource, step);
                REQUIRE(std::ranges::is_permutation(holders, expected));
            }
        const Chromosome other = random_chromosome(encoding, random);
        table.assign(other);
        CHECK(table.chromosome() == other);
        CHECK(table.conflicts() == count_conflicts(encoding, other));
        port_conflicts += problem.ports.ports > 1 ? 1 : 0;
    }
    CHECK(port_conflicts > 50);
}

TEST_CASE("diversity is the share of genes in which two solutions differ", "[evolution]")
{
    const Problem problem = wormhole_problem(3, GENERATE(Traffic::scatter, Traffic::broadcast));
    const ChromosomeEncoding encoding(problem, 5);
    SplitMix64 random(4);
    Diversity diversity(encoding);
    std::vector<Chromosome> population;
    const auto measured = [&] {
        std::vector<const Chromosome*> pointers;
        for (const Chromosome& chromosome : population)
            pointers.push_back(&chromosome);
        return diversity.of(pointers);
    };
    for (unsigned size = 1; size < 20; ++size) {
        population.push_back(random_chromosome(encoding, random));
        // Here and there a gene of the first one, so that some are alike.
        for (std::size_t i = 0; i < population.back().size(); ++i)
            if (random.below(3) == 0)
                population.back()[i] = population.front()[i];
        std::size_t differ = 0; // over all ordered pairs
        for (const Chromosome& a : population)
            for (const Chromosome& b : population)
                for (std::size_t i = 0; i < a.size(); ++i)
                    differ += a[i] == b[i] ? 0 : 1;
        const std::size_t pairs = population.size() * population.size() * population.front().size();
        CHECK(measured() == Approx(static_cast<double>(differ) / static_cast<double>(pairs)));
    }
    CHECK(measured() > 0.4);
    population.assign(7, population.back());
    CHECK(measured() == 0);
}

TEST_CASE("after acceleration no sender is beyond its ports, where steps suffice", "[evolution][heuristics]")
{
    unsigned accelerated = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = wormhole_problem(seed, Traffic::scatter);
        SplitMix64 random(seed);
        const ChromosomeEncoding encoding(problem, 1 + random.below(8));
        if (encoding.builds_trees())
            continue;
        Chromosome chromosome = random_chromosome(encoding, random);
        const Chromosome before = chromosome;
        accelerate(encoding, chromosome, random);
        INFO(describe(problem) << ", seed " << seed);
        CHECK(is_in_range(encoding, chromosome));
        for (std::uint32_t i = 0; i < chromosome.size(); ++i)
            CHECK(chromosome[i].path == before[i].path);
        for (ProcessorId sender = 0; sender < problem.topology.processor_count(); ++sender) {
            const unsigned limit = encoding.send_limit(sender);
            const auto all = std::ranges::count(before, sender, &Gene::source);
            if (all > limit * encoding.steps())
                continue;
            CHECK(most_sent(chromosome, sender) <= limit);
            if (most_sent(before, sender) > limit)
                ++accelerated;
            else // nothing to do, so nothing done
                for (std::uint32_t i = 0; i < chromosome.size(); ++i)
                    CHECK((before[i].source != sender || chromosome[i] == before[i]));
        }
    }
    CHECK(accelerated > 50);
}

TEST_CASE("what is restored and free of conflicts is a valid schedule, and is encoded as it was",
          "[evolution][heuristics]")
{
    // A step for each delivery leaves no conflicts; all orders of deliveries, all sources.
    const auto traffic = GENERATE(Traffic::scatter, Traffic::broadcast);
    const auto paths = GENERATE(RestoredPath::random, RestoredPath::same_index);
    unsigned changed = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Problem problem = wormhole_problem(seed, traffic);
        const auto deliveries =
            static_cast<std::uint32_t>(ChromosomeEncoding(problem, 1).deliveries().size());
        const ChromosomeEncoding encoding(problem, deliveries);
        SplitMix64 random(seed);
        Chromosome chromosome = random_chromosome(encoding, random);
        REQUIRE(is_in_range(encoding, chromosome));
        for (std::uint32_t i = 0; i < deliveries; ++i)
            chromosome[i].step = static_cast<std::uint16_t>(i);
        for (std::uint32_t i = deliveries; i > 1; --i)
            std::swap(chromosome[i - 1].step, chromosome[random.below(i)].step);
        const Chromosome before = chromosome;
        if (encoding.builds_trees())
            restore(encoding, chromosome, random, paths);
        INFO(describe(problem) << ", seed " << seed);
        REQUIRE(is_in_range(encoding, chromosome));
        CHECK(count_conflicts(encoding, chromosome) == 0);
        const Schedule schedule = encoding.decode(chromosome, "test");
        CHECK(validate(schedule, problem.topology).empty());
        CHECK(encoding.encode(schedule, Chromosome(deliveries)) == chromosome);
        for (std::uint32_t i = 0; i < deliveries; ++i) {
            CHECK(chromosome[i].step == before[i].step);
            const ProcessorId receiver = encoding.deliveries()[i].receiver;
            if (paths == RestoredPath::same_index)
                CHECK(chromosome[i].path ==
                      before[i].path % encoding.path_count(chromosome[i].source, receiver));
        }
        changed += chromosome == before ? 0 : 1;
    }
    CHECK((changed > 50) == (traffic == Traffic::broadcast));
}

TEST_CASE("a mutation keeps what the heuristics have made, and what it is not to change", "[evolution][umda]")
{
    const auto traffic = GENERATE(Traffic::scatter, Traffic::broadcast);
    UmdaParameters parameters;
    parameters.conflicting_mutation = GENERATE(0.0, 1.0);
    parameters.slots_tested = GENERATE(0U, 1U, 3U);
    parameters.path_mutation = GENERATE(false, true);
    parameters.slot_swap = GENERATE(false, true);
    const bool is_blind = parameters.conflicting_mutation == 0 && parameters.slots_tested == 1;
    unsigned changes = 0, swaps = 0, moves = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Problem problem = wormhole_problem(seed, traffic);
        SplitMix64 random(seed);
        const ChromosomeEncoding encoding(problem, 1 + random.below(7));
        UmdaMutation mutation(encoding, parameters);
        ConflictTable table(encoding);
        table.assign(repaired(encoding, random_chromosome(encoding, random), random));
        for (unsigned i = 0; i < 8; ++i) {
            const Chromosome before = table.chromosome();
            mutation.mutate(table, random);
            const Chromosome& after = table.chromosome();
            REQUIRE(table.conflicts() == count_conflicts(encoding, after));
            if (repaired(encoding, before, random) == before)
                REQUIRE(repaired(encoding, after, random) == after);
            std::vector<std::size_t> changed;
            for (std::size_t gene = 0; gene < after.size(); ++gene) {
                if (after[gene] != before[gene])
                    changed.push_back(gene);
                if (!encoding.builds_trees()) {
                    REQUIRE((parameters.slot_swap || after[gene].step == before[gene].step));
                    REQUIRE((parameters.path_mutation || after[gene].path == before[gene].path));
                }
            }
            changes += changed.empty() ? 0 : 1;
            if (encoding.builds_trees() || !is_blind || parameters.path_mutation || changed.empty())
                continue;
            // The steps of two deliveries of one sender, or one that uses a free port.
            ++(changed.size() == 1 ? moves : swaps);
            REQUIRE(changed.size() <= 2);
            const auto [a, b] = std::pair(changed.front(), changed.back());
            REQUIRE(after[a].source == after[b].source);
            REQUIRE((a == b || (after[a].step == before[b].step && after[b].step == before[a].step)));
        }
    }
    const bool is_still = traffic == Traffic::scatter && !parameters.slot_swap && !parameters.path_mutation;
    CHECK((changes > 20) == !is_still);
    if (traffic == Traffic::scatter && is_blind && !parameters.path_mutation && parameters.slot_swap)
        CHECK((swaps > 20 && moves > 20));
}

} // namespace nocturne::chromosomes_test
