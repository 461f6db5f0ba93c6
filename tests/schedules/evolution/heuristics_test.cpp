#include "models/topology/make_topology.hpp"
#include "schedules/evolution/heuristics.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/evolution/count_conflicts.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nocturne::heuristics_test {

using namespace nocturne::test;

namespace {

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

Problem wormhole_problem(std::uint64_t seed, test::Traffic traffic)
{
    Problem problem = test::random_problem(seed, 7, traffic);
    problem.switching = Switching::wormhole;
    return problem;
}

} // namespace

TEST_CASE("random chromosomes stay within paths, steps and sources", "[evolution][heuristics]")
{
    const auto traffic = GENERATE(test::Traffic::scatter, test::Traffic::broadcast);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Problem problem = wormhole_problem(seed, traffic);
        const ChromosomeEncoding encoding(problem, 3);
        SplitMix64 random(seed);
        CHECK(is_in_range(encoding, random_chromosome(encoding, random)));
        const Chromosome blocks = building_blocks(encoding, random);
        CHECK(is_in_range(encoding, blocks));
        CHECK(std::all_of(blocks.begin(), blocks.end(), [](const Gene& gene) { return gene.step == 0; }));
    }
}

TEST_CASE("random chromosomes contain everything that a gene can be", "[evolution][heuristics]")
{
    const Problem problem = make_problem(make_topology("mesh:3x3"), broadcast({9}, 0));
    const ChromosomeEncoding encoding(problem, 3);
    SplitMix64 random(7);
    std::set<std::pair<unsigned, unsigned>> sources_and_steps;
    for (unsigned i = 0; i < 400; ++i) {
        const Gene gene = random_chromosome(encoding, random).front();
        sources_and_steps.emplace(gene.source, gene.step);
    }
    CHECK(sources_and_steps.size() == 8 * 3);
}

TEST_CASE("after acceleration no sender is beyond its ports, where steps suffice", "[evolution][heuristics]")
{
    unsigned accelerated = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Problem problem = wormhole_problem(seed, test::Traffic::scatter);
        SplitMix64 random(seed);
        const ChromosomeEncoding encoding(problem, 2 + random.below(6));
        Chromosome chromosome = random_chromosome(encoding, random);
        const Chromosome before = chromosome;
        accelerate(encoding, chromosome, random);
        INFO(describe(problem) << ", seed " << seed);
        CHECK(is_in_range(encoding, chromosome));
        for (std::uint32_t i = 0; i < chromosome.size(); ++i)
            CHECK(chromosome[i].path == before[i].path);
        for (ProcessorId sender = 0; sender < problem.topology.processor_count(); ++sender) {
            const unsigned limit = encoding.send_limit(sender);
            const auto all = std::count_if(before.begin(), before.end(),
                                           [&](const Gene& gene) { return gene.source == sender; });
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

TEST_CASE("acceleration moves any of those too many to any free step", "[evolution][heuristics]")
{
    Problem problem = make_problem(make_topology("ring:4"), scatter({4}, 0));
    problem.ports = one_port;
    const ChromosomeEncoding encoding(problem, 4);
    SplitMix64 random(3);
    std::set<std::vector<unsigned>> seen;
    for (unsigned i = 0; i < 300; ++i) {
        Chromosome chromosome{{0, 0, 1}, {0, 0, 1}, {0, 0, 2}};
        accelerate(encoding, chromosome, random);
        seen.insert({chromosome[0].step, chromosome[1].step, chromosome[2].step});
    }
    CHECK(seen == std::set<std::vector<unsigned>>{{0, 1, 2}, {3, 1, 2}, {1, 0, 2}, {1, 3, 2}});
}

TEST_CASE("what is restored and free of conflicts is a valid schedule", "[evolution][heuristics]")
{
    // A step for each delivery leaves no conflicts; all orders of deliveries, all sources.
    unsigned changed = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Problem problem = wormhole_problem(seed, test::Traffic::broadcast);
        const auto deliveries =
            static_cast<std::uint32_t>(ChromosomeEncoding(problem, 1).deliveries().size());
        const ChromosomeEncoding encoding(problem, deliveries);
        if (!encoding.builds_trees())
            continue;
        SplitMix64 random(seed);
        Chromosome chromosome = random_chromosome(encoding, random);
        for (std::uint32_t i = 0; i < deliveries; ++i)
            chromosome[i].step = static_cast<std::uint16_t>(i);
        for (std::uint32_t i = deliveries; i > 1; --i)
            std::swap(chromosome[i - 1].step, chromosome[random.below(i)].step);
        const Chromosome before = chromosome;
        restore(encoding, chromosome, random);
        INFO(describe(problem) << ", seed " << seed);
        REQUIRE(is_in_range(encoding, chromosome));
        CHECK(count_conflicts(encoding, chromosome) == 0);
        CHECK(validate(encoding.decode(chromosome, "test"), problem.topology).empty());
        for (std::uint32_t i = 0; i < deliveries; ++i)
            CHECK(chromosome[i].step == before[i].step);
        changed += chromosome == before ? 0 : 1;
        const Chromosome restored = chromosome;
        restore(encoding, chromosome, random);
        CHECK(chromosome == restored);
    }
    CHECK(changed > 100);
}

TEST_CASE("restored trees with conflicts break no rule but those of channels and ports",
          "[evolution][heuristics]")
{
    const char* const name = GENERATE("mesh:4x4", "omega:8", "fbtree:7", "kautz:2,3");
    const Topology topology = make_topology(name);
    const Problem problem =
        make_problem(topology, allgather({static_cast<std::uint32_t>(topology.processor_count())}));
    const ChromosomeEncoding encoding(problem, 4);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SplitMix64 random(seed);
        Chromosome chromosome = random_chromosome(encoding, random);
        restore(encoding, chromosome, random);
        for (const Violation& violation : validate(encoding.decode(chromosome, "test"), topology))
            CHECK((violation.rule == Rule::channel_conflict || violation.rule == Rule::send_ports ||
                   violation.rule == Rule::receive_ports));
        // All in step 0: everything comes from the origins.
        Chromosome blocks = building_blocks(encoding, random);
        restore(encoding, blocks, random);
        for (std::uint32_t i = 0; i < blocks.size(); ++i)
            CHECK(blocks[i].source == encoding.deliveries()[i].origin);
    }
}

TEST_CASE("restoration keeps the index of a path, modulo the number of paths, where it is asked to",
          "[evolution][heuristics]")
{
    const Problem problem = make_problem(make_topology("mesh:3x3"), broadcast({9}, 0));
    const ChromosomeEncoding encoding(problem, 3);
    SplitMix64 random(1);
    for (unsigned i = 0; i < 50; ++i) {
        const Chromosome before = random_chromosome(encoding, random);
        Chromosome after = before;
        restore(encoding, after, random, RestoredPath::same_index);
        for (std::uint32_t delivery = 0; delivery < before.size(); ++delivery) {
            const ProcessorId receiver = encoding.deliveries()[delivery].receiver;
            CHECK(after[delivery].path ==
                  before[delivery].path % encoding.path_count(after[delivery].source, receiver));
        }
    }
}

} // namespace nocturne::heuristics_test
