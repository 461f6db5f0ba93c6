#include "models/topology/make_topology.hpp"
#include "schedules/evolution/heuristics.hpp"
#include "schedules/evolution/mboa_variables.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace nocturne::mboa_variables_test {

namespace {

Problem scatter()
{
    return make_problem(make_topology("mesh:3x3"), alltoall({9}));
}

Problem broadcast()
{
    return make_problem(make_topology("mesh:3x3"), nocturne::broadcast({9}, 4));
}

} // namespace

TEST_CASE("chromosomes come back from their rows", "[evolution][mboa]")
{
    const Problem problem = GENERATE(0, 1) == 0 ? scatter() : broadcast();
    const ChromosomeEncoding encoding(problem, 6);
    SplitMix64 random(1);
    std::vector<Chromosome> chromosomes;
    std::vector<const Chromosome*> pointers;
    for (int i = 0; i < 7; ++i)
        chromosomes.push_back(random_chromosome(encoding, random));
    for (const Chromosome& chromosome : chromosomes)
        pointers.push_back(&chromosome);
    const CategoricalData data = to_data(encoding, pointers);
    REQUIRE(data.rows == 7);
    REQUIRE(data.variables() == encoding.deliveries().size() * variables_per_gene(encoding));
    std::vector<std::uint16_t> row(data.variables());
    Chromosome back;
    for (std::uint32_t i = 0; i < 7; ++i) {
        for (std::uint32_t variable = 0; variable < data.variables(); ++variable)
            row[variable] = data.of(variable)[i];
        from_row(encoding, row, back);
        CHECK(back == chromosomes[i]);
    }
}

TEST_CASE("any row makes a chromosome of paths that there are", "[evolution][mboa]")
{
    const Problem problem = broadcast();
    const ChromosomeEncoding encoding(problem, 6);
    std::vector<std::uint16_t> row(encoding.deliveries().size() * 3);
    SplitMix64 random(GENERATE(1, 2, 3));
    for (std::size_t i = 0; i < row.size(); i += 3) {
        row[i] = static_cast<std::uint16_t>(random.below(6));
        row[i + 1] = static_cast<std::uint16_t>(random.below(1000));
        row[i + 2] = static_cast<std::uint16_t>(random.below(9)); // the receiver itself, now and then
    }
    Chromosome chromosome;
    from_row(encoding, row, chromosome);
    for (std::size_t i = 0; i < chromosome.size(); ++i) {
        const auto [message, origin, receiver] = encoding.deliveries()[i];
        const Gene& gene = chromosome[i];
        CHECK(gene.step == row[3 * i]);
        CHECK(gene.source == (row[3 * i + 2] == receiver ? origin : row[3 * i + 2]));
        CHECK(gene.path == row[3 * i + 1] % encoding.path_count(gene.source, receiver));
    }
}

TEST_CASE("a gene's candidates are the genes it can meet, and its own other variables", "[evolution][mboa]")
{
    const Problem problem = scatter();
    const ChromosomeEncoding encoding(problem, 6);
    const auto count = static_cast<std::uint32_t>(encoding.deliveries().size());
    const auto all_resources = [&](std::uint32_t i) {
        std::set<StepResource> all;
        const auto [message, origin, receiver] = encoding.deliveries()[i];
        for (std::uint16_t path = 0; path < encoding.path_count(origin, receiver); ++path)
            for (const StepResource resource :
                 encoding.resources(i, {static_cast<std::uint16_t>(origin), path, 0}))
                all.insert(resource);
        return all;
    };
    const CandidateParents candidates = conflict_candidates(encoding, count, 1);
    const CandidateParents few = conflict_candidates(encoding, 3, 1);
    REQUIRE(candidates.first.size() == 2 * count + 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto own = all_resources(i);
        std::set<std::uint32_t> expected{2 * i + 1};
        for (std::uint32_t j = 0; j < count; ++j) {
            const auto others = all_resources(j);
            if (j != i && std::any_of(own.begin(), own.end(), [&](auto r) { return others.count(r) == 1; })) {
                expected.insert(2 * j);
                expected.insert(2 * j + 1);
            }
        }
        const auto list = [&](const CandidateParents& of) {
            return std::vector<std::uint32_t>(of.of.begin() + of.first[2 * i],
                                              of.of.begin() + of.first[2 * i + 1]);
        };
        const auto listed = list(candidates);
        CHECK(listed.size() == expected.size()); // none twice
        CHECK(std::set<std::uint32_t>(listed.begin(), listed.end()) == expected);
        const auto chosen = list(few);
        CHECK(chosen.size() == std::min<std::size_t>(expected.size(), 7));
        for (const std::uint32_t variable : chosen)
            CHECK(expected.count(variable) == 1);
    }
}

} // namespace nocturne::mboa_variables_test
