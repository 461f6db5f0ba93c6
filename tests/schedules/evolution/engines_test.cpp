// What each of the three engines finds, begins with, counts and refuses.
#include "schedules/evolution/evolution.hpp"
#include "schedules/evolution/presets.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::evolution_engines_test {

using Catch::Contains;
using enum CollectiveKind;

namespace {

Problem problem_on(const std::string& network, CollectiveKind kind)
{
    return test::problem_in_words(network, std::string(to_string(kind)));
}

std::string any_engine()
{
    return GENERATE("umda", "mboa", "hgsa");
}

EvolutionResult evolve(const Problem& problem, unsigned steps, const EvolutionParameters& parameters,
                       const EvolutionOptions& options, const Schedule* start = nullptr)
{
    return evolve_islands(problem, steps, evolution_model(problem, steps, parameters, start), options);
}

/// Generations of one island over some epochs.
std::vector<Generation> generations(const Problem& problem, unsigned steps,
                                    const EvolutionParameters& parameters, unsigned epochs)
{
    const auto island = evolution_model(problem, steps, parameters).make(0, 1);
    std::vector<Generation> all;
    for (unsigned epoch = 0; epoch < epochs; ++epoch)
        std::ranges::copy(island->advance({}, {}).generations, std::back_inserter(all));
    return all;
}

} // namespace

TEST_CASE("the engines find schedules in as few steps as the papers print, as printed and as they are",
          "[evolution]")
{
    const auto& [engine, network, kind, steps, parameters_of] = GENERATE(
        table<std::string, std::string, CollectiveKind, unsigned, EvolutionParameters (*)(std::string_view)>({
            {"umda", "omega:8", alltoall, 7, default_parameters},
            {"umda", "omega:8", allgather, 7, default_parameters},
            {"umda", "btree:8", alltoall, 16, default_parameters},
            {"umda", "fattree:4", allgather, 3, default_parameters},
            {"umda", "fbtree:7", allgather, 7, default_parameters},
            {"umda", "kautz:3,2", alltoall, 7, default_parameters},
            {"umda", "omega:8", alltoall, 7, as_printed},
            {"umda", "fbtree:7", allgather, 7, as_printed},
            {"mboa", "hypercube:3", broadcast, 2, default_parameters},
            {"mboa", "hypercube:3", scatter, 3, default_parameters},
            {"mboa", "hypercube:4", broadcast, 2, default_parameters},
            {"mboa", "hypercube:4", scatter, 4, default_parameters},
            {"mboa", "octagon:8", broadcast, 2, default_parameters},
            {"mboa", "octagon:8", scatter, 3, default_parameters},
            {"mboa", "octagon:8", alltoall, 5, default_parameters},
            {"mboa", "hypercube:3", allgather, 4, default_parameters},
            {"mboa", "mesh:2x2", alltoall, 3, as_printed},
            {"mboa", "mesh:2x2", allgather, 3, as_printed},
            {"hgsa", "hypercube:3", allgather, 3, default_parameters},
            {"hgsa", "octagon:8", allgather, 3, default_parameters},
            {"hgsa", "ring:5", allgather, 2, default_parameters},
            {"hgsa", "mesh:2x3", allgather, 3, default_parameters},
            {"hgsa", "omega:4", allgather, 3, default_parameters},
            {"hgsa", "hypercube:3", allgather, 3, as_printed},
        }));
    const Problem problem = problem_on(network, kind);
    CAPTURE(engine, describe(problem));
    EvolutionParameters parameters = parameters_of(engine);
    if (auto* const umda = std::get_if<UmdaParameters>(&parameters); umda && umda->stagnation_limit > 0)
        umda->stagnation_limit = 500; // so small problems are solved soon or never
    const EvolutionResult result = evolve(problem, steps, parameters, {.seed = 1, .evaluations = 3'000'000});
    REQUIRE(result.schedule);
    CHECK(result.best == 0);
    CHECK(result.schedule->steps.size() <= steps);
    CHECK(validate(*result.schedule, problem).empty());
}

TEST_CASE("whatever parts are left out, an engine returns valid schedules or none", "[evolution]")
{
    const std::string engine = any_engine();
    unsigned found = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const bool scatters = engine != "hgsa" && seed % 2 == 0;
        Problem problem =
            test::random_problem(seed, 5, scatters ? test::Traffic::scatter : test::Traffic::broadcast);
        if (engine != "hgsa")
            problem.switching = Switching::wormhole;
        EvolutionParameters parameters = default_parameters(engine);
        if (!suits_evolution(parameters, problem))
            continue;
        SplitMix64 random(seed);
        for (const EnginePart& part : engine_parts())
            if (part.engine == engine && random.below(2) == 0)
                part.leave_out(parameters);
        if (auto* const mboa = std::get_if<MboaParameters>(&parameters)) {
            mboa->population = 2 + random.below(7);
            mboa->replacement = random.below(2) == 0 ? Replacement::nearest : Replacement::worst;
            mboa->restored_path = random.below(2) == 0 ? RestoredPath::same_index : RestoredPath::random;
            mboa->slot_swap = random.below(2) == 0 ? 0.5 : 0;
            mboa->acceleration = random.below(2) == 0;
            mboa->islands = 1 + random.below(2);
            mboa->generations_per_epoch = 10;
        }
        INFO(engine << ", seed " << seed << ", " << describe(problem));
        std::uint64_t evaluations = 0;
        EvolutionOptions options{.seed = seed, .evaluations = 3000};
        options.on_generation = [&](const Generation& generation) {
            CHECK(generation.mean >= static_cast<double>(generation.best));
            CHECK((generation.diversity >= 0 && generation.diversity <= 1));
            evaluations = std::max(evaluations, generation.evaluations);
        };
        const unsigned steps = 4 + random.below(16);
        const EvolutionResult result = evolve(problem, steps, parameters, options);
        CHECK(evaluations > 0);
        CHECK((result.best == 0) == result.schedule.has_value());
        if (!result.schedule)
            continue;
        ++found;
        CHECK(result.schedule->steps.size() <= steps);
        CHECK(validate(*result.schedule, problem.topology).empty());
    }
    CHECK(found > 10);
}

TEST_CASE("an engine that begins with a solution has it at once", "[evolution]")
{
    const auto& [engine, network, kind, steps] = GENERATE(
        table<std::string, std::string, CollectiveKind, unsigned>({{"umda", "omega:8", alltoall, 8},
                                                                   {"umda", "omega:8", allgather, 8},
                                                                   {"mboa", "hypercube:3", alltoall, 6},
                                                                   {"mboa", "hypercube:4", broadcast, 3},
                                                                   {"hgsa", "hypercube:3", allgather, 4}}));
    CAPTURE(engine, network);
    const Problem problem = problem_on(network, kind);
    const EvolutionParameters parameters = default_parameters(engine);
    const EvolutionResult cold = evolve(problem, steps, parameters, {.seed = 5, .evaluations = 1'000'000});
    REQUIRE(cold.schedule);
    const EvolutionResult warm =
        evolve(problem, steps, parameters, {.seed = 77, .evaluations = 1'000'000}, &*cold.schedule);
    REQUIRE(warm.schedule);
    CHECK(warm.evaluations < cold.evaluations);
    CHECK(warm.evaluations <= 100);
    CHECK(warm.schedule->steps.size() <= cold.schedule->steps.size());
    if (engine != "hgsa")
        CHECK(warm.generations == 0);
    // For a step less most of it holds.
    const auto first = [&, fewer = steps - 1](const Schedule* start) {
        const auto island = evolution_model(problem, fewer, parameters, start).make(0, 1);
        return island->advance({}, {}).generations.front().best;
    };
    CHECK(first(&*cold.schedule) < first(nullptr));
}

TEST_CASE("an immigrant takes a place", "[evolution]")
{
    const Problem problem = problem_on("hypercube:3", alltoall);
    const IslandModel model = mboa_model(problem, 6, {.generations_per_epoch = 2000});
    const EpochReport report = model.make(0, 1)->advance({}, {});
    REQUIRE(report.best == 0);
    REQUIRE(report.emigrant_conflicts == 0);
    const EpochReport next = model.make(1, 2)->advance(report.emigrant, {});
    CHECK(next.best == 0);
    CHECK(next.generations.size() == 1); // the first population
}

TEST_CASE("building blocks begin with all steps 0", "[evolution][umda]")
{
    const Problem problem = problem_on("mesh:3x3", allgather);
    UmdaParameters parameters;
    const double with = generations(problem, 20, parameters, 1).front().mean;
    parameters.building_blocks = false;
    CHECK(with > 5 * generations(problem, 20, parameters, 1).front().mean);
}

TEST_CASE("the best never gets worse, and selection alone makes all alike", "[evolution][umda]")
{
    UmdaParameters parameters;
    parameters.acceleration = false;
    parameters.mutation_probability = 0;
    const auto all = generations(problem_on("mesh:3x3", alltoall), 4, parameters, 8);
    CHECK(all.front().diversity > 0.5);
    CHECK(all.back().diversity == 0);
    CHECK(all.back().mean == static_cast<double>(all.back().best));
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].number == i);
        CHECK(all[i].evaluations == 60 + 30 * i);
        CHECK((i == 0 || all[i].best <= all[i - 1].best));
    }
}

TEST_CASE("what a mutation tests is counted", "[evolution][umda]")
{
    // One path a pair: a test of a step is the fitness of one solution.
    UmdaParameters parameters;
    parameters.path_mutation = false;
    parameters.conflicting_mutation = 0;
    parameters.mutation_probability = 1;
    parameters.slots_tested = 0; // all but its own
    const auto all = generations(problem_on("omega:8", alltoall), 7, parameters, 1);
    REQUIRE(all.size() > 5);
    for (std::size_t i = 0; i < all.size(); ++i)
        CHECK(all[i].evaluations == 60 + i * 30 * (6 + 1));
}

TEST_CASE("after a stall the island begins anew", "[evolution][umda]")
{
    UmdaParameters parameters;
    parameters.acceleration = false;
    parameters.stagnation_limit = GENERATE(0U, 30U);
    const auto all = generations(problem_on("mesh:3x3", alltoall), 3, parameters, 10); // 3 steps are too few
    unsigned restarts = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        restarts += all[i].evaluations - all[i - 1].evaluations == 60 ? 1 : 0;
    CHECK((restarts > 0) == (parameters.stagnation_limit > 0));
    CHECK(all[200].number == 200);
}

TEST_CASE("HGSA counts its iterations, and what its exchanges look at", "[evolution][hgsa]")
{
    const auto all = generations(problem_on("mesh:3x3", allgather), 4, HgsaParameters{}, 5);
    REQUIRE(all.size() == 6); // the initial solution, too
    for (std::size_t epoch = 1; epoch < all.size(); ++epoch) {
        CHECK(all[epoch].number == epoch);
        CHECK(all[epoch].diversity > 0);
        // 100 iterations, and at most 16 looks for a gene in conflict, a 72nd each, in a change.
        CHECK(all[epoch].evaluations >= 1 + 100 * epoch);
        CHECK(all[epoch].evaluations < 1 + 104 * epoch + 101 * epoch * 16 / 72);
    }
}

TEST_CASE("the wheel favours the best", "[evolution][hgsa]")
{
    const Problem problem = problem_on("ring:4", allgather);
    const IslandModel model = hgsa_model(problem, 2, {});
    std::vector<EpochReport> reports(3);
    const std::vector<std::uint64_t> conflicts{9, 1, 5};
    for (std::uint8_t island = 0; island < 3; ++island) {
        reports[island].emigrant = {island};
        reports[island].emigrant_conflicts = conflicts[island];
    }
    SplitMix64 random(1);
    std::vector<unsigned> drawn(3);
    for (unsigned i = 0; i < 5000; ++i)
        for (const SolutionBytes& solution : model.exchange(reports, random))
            ++drawn[solution.at(0)];
    CHECK(drawn[0] == Approx(1000).margin(200)); // shares 1, 9, 5
    CHECK(drawn[1] == Approx(9000).margin(300));
    CHECK(drawn[2] == Approx(5000).margin(300));
}

} // namespace nocturne::evolution_engines_test
