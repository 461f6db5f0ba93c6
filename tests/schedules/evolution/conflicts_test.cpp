#include "models/topology/make_topology.hpp"
#include "schedules/evolution/conflicts.hpp"
#include "schedules/evolution/heuristics.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/evolution/count_conflicts.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>

namespace nocturne::conflicts_test {

using namespace nocturne::test;

namespace {

Gene random_gene(const ChromosomeEncoding& encoding, std::uint32_t delivery, SplitMix64& random)
{
    return random_chromosome(encoding, random)[delivery];
}

/// Changes the table again and again, and counts afresh each time.
void check_changes(const ChromosomeEncoding& encoding, SplitMix64& random, unsigned changes)
{
    const auto deliveries = static_cast<std::uint32_t>(encoding.deliveries().size());
    ConflictTable table(encoding);
    CHECK(table.conflicts() == 0);
    table.assign(random_chromosome(encoding, random));
    for (unsigned i = 0; i < changes; ++i) {
        const std::uint32_t delivery = random.below(deliveries);
        const Gene gene = random_gene(encoding, delivery, random);
        const std::uint64_t expected =
            table.conflicts() - table.conflicts_of(delivery) + table.conflicts_with(delivery, gene);
        table.change(delivery, gene);
        CHECK(table.gene(delivery) == gene);
        CHECK(table.conflicts() == expected);
        REQUIRE(table.conflicts() == count_conflicts(encoding, table.chromosome()));
    }
    const Chromosome other = random_chromosome(encoding, random);
    table.assign(other);
    CHECK(table.chromosome() == other);
    CHECK(table.conflicts() == count_conflicts(encoding, other));
}

} // namespace

TEST_CASE("the table counts what pair by pair counting counts", "[evolution][conflicts]")
{
    const auto traffic = GENERATE(test::Traffic::scatter, test::Traffic::broadcast);
    std::uint64_t port_conflicts = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Problem problem = test::random_problem(seed, 7, traffic);
        problem.switching = Switching::wormhole;
        SplitMix64 random(seed);
        const ChromosomeEncoding encoding(problem, 1 + random.below(4));
        INFO(describe(problem));
        check_changes(encoding, random, 15);
        port_conflicts += problem.ports.ports > 1 ? 1 : 0;
    }
    CHECK(port_conflicts > 50);
}

TEST_CASE("the table of networks that the papers schedule", "[evolution][conflicts]")
{
    const char* const name =
        GENERATE("mesh:4x4", "omega:8", "clos:3,3,4", "fbtree:7", "kautz:2,3", "fat_octagon:8");
    const unsigned ports = GENERATE(0U, 1U, 2U);
    const bool broadcast = GENERATE(false, true);
    const Topology topology = make_topology(name);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    Problem problem = make_problem(topology, broadcast ? allgather({processors}) : alltoall({processors}));
    problem.ports = PortModel{ports};
    SplitMix64 random(ports);
    check_changes(ChromosomeEncoding(problem, 5), random, 8);
}

TEST_CASE("a pair counts once however much it shares; a port of k counts what is beyond k",
          "[evolution][conflicts]")
{
    // Processors 0 and 1 to 3 along a line: both take the channels 1-2 and 2-3, and the receive port of 3.
    const Problem line = make_problem(make_topology("mesh:4x1"), gather({4}, 3));
    const Chromosome all_at_once{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const ChromosomeEncoding encoding(line, 2);
    ConflictTable pairs(encoding);
    pairs.assign(all_at_once);
    CHECK(pairs.conflicts() == 3);
    pairs.change(1, {1, 0, 1});
    CHECK(pairs.conflicts() == 1);
    // One processor sends to three neighbours over channels of their own, two at a time.
    Problem star = make_problem(make_topology("kautz:3,2"), scatter({12}, 0));
    star.ports = PortModel{2};
    const ChromosomeEncoding star_encoding(star, 1);
    ConflictTable ports(star_encoding);
    std::uint64_t neighbours = 0;
    for (std::uint32_t i = 0; i < star_encoding.deliveries().size(); ++i) {
        const Gene gene{0, 0, 0};
        const auto resources = star_encoding.resources(i, gene);
        if (std::count_if(resources.begin(), resources.end(), [&](StepResource resource) {
                return resource < star.topology.channel_count();
            }) != 1)
            continue;
        ++neighbours;
        ports.change(i, gene);
        CHECK(ports.conflicts() == (neighbours > 2 ? neighbours - 2 : 0));
    }
    CHECK(neighbours == 3);
}

TEST_CASE("holders are the deliveries on a resource in a step", "[evolution][conflicts]")
{
    const Problem problem = make_problem(make_topology("omega:8"), alltoall({8}));
    const ChromosomeEncoding encoding(problem, 3);
    SplitMix64 random(1);
    ConflictTable table(encoding);
    for (unsigned round = 0; round < 3; ++round) {
        const Chromosome chromosome = random_chromosome(encoding, random);
        table.assign(chromosome);
        for (unsigned step = 0; step < 3; ++step)
            for (StepResource resource = 0; resource < encoding.resource_count(); ++resource) {
                std::vector<std::uint32_t> expected;
                for (std::uint32_t i = 0; i < chromosome.size(); ++i) {
                    const auto own = encoding.resources(i, chromosome[i]);
                    if (chromosome[i].step == step &&
                        std::find(own.begin(), own.end(), resource) != own.end())
                        expected.push_back(i);
                }
                const auto holders = table.holders(resource, step);
                std::vector<std::uint32_t> found(holders.begin(), holders.end());
                std::sort(found.begin(), found.end());
                REQUIRE(found == expected);
            }
    }
}

TEST_CASE(
    "fitness is counted where it is computed: a solution or a gene in a place 1, a gene's own part its share",
    "[evolution][conflicts]")
{
    const Problem problem = make_problem(make_topology("mesh:2x2"), alltoall({4})); // 12 genes
    const ChromosomeEncoding encoding(problem, 2);
    SplitMix64 random(1);
    ConflictTable table(encoding);
    table.assign(random_chromosome(encoding, random));
    CHECK(table.count().evaluations() == 0); // to keep the table is no question about fitness
    static_cast<void>(table.conflicts());
    static_cast<void>(table.conflicts_with(3, table.gene(3)));
    CHECK(table.count().evaluations() == 2);
    for (std::uint32_t delivery = 0; delivery < 11; ++delivery)
        static_cast<void>(table.conflicts_of(delivery));
    CHECK(table.count().evaluations() == 2);
    static_cast<void>(table.conflicts_of(11));
    CHECK(table.count().evaluations() == 3);
    ConflictTable other(encoding);
    other.count().resume(table.count().shares());
    CHECK(other.count().evaluations() == 3);
}

} // namespace nocturne::conflicts_test
