#include "models/topology/make_topology.hpp"
#include "schedules/evolution/diversity.hpp"
#include "schedules/evolution/heuristics.hpp"
#include "tests/catch.hpp"

#include <vector>

namespace nocturne::diversity_test {

namespace {

Problem all_to_all(bool broadcast)
{
    return make_problem(make_topology("mesh:3x3"), broadcast ? allgather({9}) : alltoall({9}));
}

std::vector<const Chromosome*> pointers(const std::vector<Chromosome>& population)
{
    std::vector<const Chromosome*> result;
    for (const Chromosome& chromosome : population)
        result.push_back(&chromosome);
    return result;
}

/// As it is defined: over all ordered pairs.
double differing_share(const std::vector<Chromosome>& population)
{
    std::size_t differ = 0;
    for (const Chromosome& a : population)
        for (const Chromosome& b : population)
            for (std::size_t i = 0; i < a.size(); ++i)
                differ += a[i] == b[i] ? 0 : 1;
    const std::size_t pairs = population.size() * population.size() * population.front().size();
    return static_cast<double>(differ) / static_cast<double>(pairs);
}

} // namespace

TEST_CASE("diversity is the share of genes in which two solutions differ", "[evolution]")
{
    const Problem problem = all_to_all(GENERATE(false, true));
    const ChromosomeEncoding encoding(problem, 5);
    SplitMix64 random(4);
    Diversity diversity(encoding);
    std::vector<Chromosome> population;
    for (unsigned size = 1; size < 20; ++size) {
        population.push_back(random_chromosome(encoding, random));
        // Here and there a gene of the first one, so that some are alike.
        for (std::size_t i = 0; i < population.back().size(); ++i)
            if (random.below(3) == 0)
                population.back()[i] = population.front()[i];
        CHECK(diversity.of(pointers(population)) == Approx(differing_share(population)));
    }
    CHECK(diversity.of(pointers(population)) > 0.4);
    population.assign(7, population.back());
    CHECK(diversity.of(pointers(population)) == 0);
}

} // namespace nocturne::diversity_test
