#include "models/topology/make_topology.hpp"
#include "schedules/evolution/umda.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace nocturne::umda_test {

namespace {

Problem all_to_all(const char* name, bool broadcast)
{
    const Topology topology = make_topology(name);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(topology, broadcast ? allgather({processors}) : alltoall({processors}));
}

EvolutionResult evolve(const Problem& problem, unsigned steps, const UmdaParameters& parameters,
                       std::uint64_t evaluations, const Schedule* start = nullptr)
{
    return evolve_islands(problem, steps, umda_model(problem, steps, parameters, start),
                          {.seed = 5, .evaluations = evaluations});
}

/// Generations of one island over some epochs.
std::vector<Generation> generations(const Problem& problem, unsigned steps, const UmdaParameters& parameters,
                                    unsigned epochs)
{
    const auto island = umda_model(problem, steps, parameters).make(0, 1);
    std::vector<Generation> all;
    for (unsigned epoch = 0; epoch < epochs; ++epoch) {
        const EpochReport report = island->advance({}, {});
        all.insert(all.end(), report.generations.begin(), report.generations.end());
    }
    return all;
}

} // namespace

TEST_CASE("UMDA reaches steps that the papers print", "[evolution][umda]")
{
    struct Cell {
        const char* network;
        bool broadcast;
        unsigned steps;
    };
    const auto [network, broadcast, steps] =
        GENERATE(Cell{"omega:8", false, 7}, Cell{"omega:8", true, 7}, Cell{"btree:8", false, 16},
                 Cell{"fattree:4", true, 3}, Cell{"fbtree:7", true, 7}, Cell{"kautz:3,2", false, 7});
    const Problem problem = all_to_all(network, broadcast);
    INFO(describe(problem));
    UmdaParameters parameters;
    parameters.stagnation_limit = 500; // so small problems are solved soon or never
    const EvolutionResult result = evolve(problem, steps, parameters, 2'000'000);
    REQUIRE(result.schedule);
    CHECK(result.best == 0);
    CHECK(result.schedule->steps.size() <= steps);
    CHECK(validate(*result.schedule, problem.topology).empty());
}

TEST_CASE("an island that is saved and loaded goes on as if nothing had happened", "[evolution][umda]")
{
    const bool broadcast = GENERATE(false, true);
    const Problem problem = all_to_all("mesh:3x3", broadcast);
    UmdaParameters parameters;
    parameters.stagnation_limit = 40; // happens on the way
    const IslandModel model = umda_model(problem, 3, parameters);
    const auto one = model.make(0, 1);
    const auto before = model.make(0, 99);
    before->load(one->save()); // before the first generation, too
    const SolutionBytes immigrant = one->advance({}, {}).emigrant;
    CHECK(before->advance({}, {}).emigrant == immigrant);
    const auto other = model.make(0, 77);
    other->load(one->save());
    CHECK(other->save() == one->save());
    for (unsigned epoch = 0; epoch < 4; ++epoch) {
        const EpochReport expected = one->advance(immigrant, {});
        const EpochReport found = other->advance(immigrant, {});
        CHECK(found.generations == expected.generations);
        CHECK(found.emigrant == expected.emigrant);
    }
    CHECK(other->save() == one->save());
}

TEST_CASE("a state or solution of something else is refused", "[evolution][umda]")
{
    const Problem problem = all_to_all("mesh:3x3", false);
    const Problem smaller = all_to_all("mesh:3x2", false);
    const auto island = umda_model(problem, 3, {}).make(0, 1);
    const auto other = umda_model(smaller, 3, {}).make(0, 1);
    const SolutionBytes foreign = other->advance({}, {}).emigrant;
    CHECK_THROWS_AS(island->load(other->save()), std::runtime_error);
    CHECK_THROWS_AS(island->load({}), std::runtime_error);
    island->advance({}, {});
    CHECK_THROWS_AS(island->advance(foreign, {}), std::runtime_error);
}

TEST_CASE("parameters out of range are refused by name", "[evolution][umda]")
{
    using Change = std::function<void(UmdaParameters&)>;
    const auto [name, change] = GENERATE(table<std::string, Change>({
        {"population 1", [](UmdaParameters& umda) { umda.population = 1; }},
        {"population 2", [](UmdaParameters& umda) { umda.population = 2; }},
        {"population 61", [](UmdaParameters& umda) { umda.population = 61; }},
        {"mutation probability 2", [](UmdaParameters& umda) { umda.mutation_probability = 2; }},
        {"mutation probability -1", [](UmdaParameters& umda) { umda.mutation_probability = -1; }},
        {"conflicting mutation 1.5", [](UmdaParameters& umda) { umda.conflicting_mutation = 1.5; }},
        {"most paths 0", [](UmdaParameters& umda) { umda.paths.most_paths = 0; }},
        {"islands 0", [](UmdaParameters& umda) { umda.islands = 0; }},
        {"generations per epoch 0", [](UmdaParameters& umda) { umda.generations_per_epoch = 0; }},
    }));
    const Problem problem = all_to_all("mesh:2x2", false);
    UmdaParameters parameters;
    CHECK_NOTHROW(umda_model(problem, 2, parameters));
    change(parameters);
    CHECK_THROWS_WITH(umda_model(problem, 2, parameters), Catch::Contains(name));
}

TEST_CASE("paths longer than the problem allows are refused", "[evolution][umda]")
{
    Problem problem = all_to_all("mesh:2x2", false);
    UmdaParameters parameters;
    parameters.paths.slack = 2;
    CHECK_NOTHROW(umda_model(problem, 2, parameters));
    problem.slack = 1;
    CHECK_THROWS_AS(umda_model(problem, 2, parameters), std::invalid_argument);
}

TEST_CASE("stopped at once, UMDA returns nothing", "[evolution][umda]")
{
    const Problem problem = all_to_all("mesh:3x3", GENERATE(false, true));
    const std::atomic<bool> stop = true;
    SearchControl control;
    control.end.stop = &stop;
    const SearchResult result = search_umda(problem, 6, control);
    CHECK(result.outcome == Outcome::gave_up);
    CHECK_FALSE(result.schedule);
    const EpochReport report = umda_model(problem, 6, {}).make(0, 1)->advance({}, control);
    CHECK(report.generations.empty());
    CHECK(report.emigrant.empty());
    CHECK_FALSE(report.schedule);
}

TEST_CASE("UMDA that starts from a solution has it at once", "[evolution][umda]")
{
    const bool broadcast = GENERATE(false, true);
    const Problem problem = all_to_all("omega:8", broadcast);
    const EvolutionResult cold = evolve(problem, 8, {}, 100'000);
    REQUIRE(cold.schedule);
    const EvolutionResult warm = evolve(problem, 8, {}, 100'000, &*cold.schedule);
    REQUIRE(warm.schedule);
    CHECK(warm.schedule->steps == cold.schedule->steps);
    CHECK(warm.generations == 0);
    CHECK(warm.evaluations == UmdaParameters{}.population);
    CHECK(cold.evaluations > warm.evaluations);
}

TEST_CASE("without restoration only admissible schedules are solutions", "[evolution][umda]")
{
    UmdaParameters parameters;
    parameters.restoration = false;
    unsigned found = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Problem problem = test::random_problem(seed, 5, test::Traffic::broadcast);
        problem.switching = Switching::wormhole;
        const auto deliveries = static_cast<unsigned>(ChromosomeEncoding(problem, 1).deliveries().size());
        const EvolutionResult result = evolve(problem, deliveries, parameters, 1000);
        if (result.schedule)
            ++found;
        CHECK((!result.schedule || validate(*result.schedule, problem.topology).empty()));
    }
    CHECK(found > 20);
}

TEST_CASE("building blocks begin with all steps 0", "[evolution][umda]")
{
    const Problem problem = all_to_all("mesh:3x3", true);
    UmdaParameters parameters;
    const double with = generations(problem, 20, parameters, 1).front().mean;
    parameters.building_blocks = false;
    CHECK(with > 5 * generations(problem, 20, parameters, 1).front().mean);
}

TEST_CASE("the best never gets worse, and selection alone makes all alike", "[evolution][umda]")
{
    const Problem problem = all_to_all("mesh:3x3", false);
    UmdaParameters parameters;
    parameters.acceleration = false;
    parameters.mutation_probability = 0;
    const auto all = generations(problem, 4, parameters, 8);
    CHECK(all.front().diversity > 0.5);
    CHECK(all.back().diversity == 0);
    CHECK(all.back().mean == static_cast<double>(all.back().best));
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].number == i);
        CHECK(all[i].evaluations == 60 + 30 * i);
        CHECK((i == 0 || all[i].best <= all[i - 1].best));
        CHECK(static_cast<double>(all[i].best) <= all[i].mean);
    }
}

TEST_CASE("what a mutation tests is counted", "[evolution][umda]")
{
    // One path a pair: a test of a step is the fitness of one solution.
    const Problem problem = all_to_all("omega:8", false);
    UmdaParameters parameters;
    parameters.path_mutation = false;
    parameters.conflicting_mutation = 0;
    parameters.mutation_probability = 1;
    parameters.slots_tested = 0; // all but its own
    const auto all = generations(problem, 7, parameters, 1);
    REQUIRE(all.size() > 5);
    for (std::size_t i = 0; i < all.size(); ++i)
        CHECK(all[i].evaluations == 60 + i * 30 * (6 + 1));
}

TEST_CASE("after a stall the island begins anew", "[evolution][umda]")
{
    const Problem problem = all_to_all("mesh:3x3", false); // 3 steps are too few
    UmdaParameters parameters;
    parameters.acceleration = false;
    parameters.stagnation_limit = GENERATE(0U, 30U);
    const auto all = generations(problem, 3, parameters, 10);
    unsigned restarts = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        restarts += all[i].evaluations - all[i - 1].evaluations == 60 ? 1 : 0;
    CHECK((restarts > 0) == (parameters.stagnation_limit > 0));
    CHECK(all[200].number == 200);
}

} // namespace nocturne::umda_test
