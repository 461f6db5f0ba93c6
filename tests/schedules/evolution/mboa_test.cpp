#include "models/topology/make_topology.hpp"
#include "schedules/evolution/mboa.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::mboa_test {

namespace {

Problem hypercube_scatter()
{
    return make_problem(make_topology("hypercube:3"), alltoall({8}));
}

struct Cell {
    std::string network;
    std::string collective;
    unsigned steps;
};

Problem problem_of(const Cell& cell)
{
    Topology topology = make_topology(cell.network);
    const auto count = static_cast<ProcessorId>(topology.processor_count());
    Collective collective = cell.collective == "OAB"   ? broadcast({count}, 0)
                            : cell.collective == "OAS" ? scatter({count}, 0)
                            : cell.collective == "AAB" ? allgather({count})
                                                       : alltoall({count});
    return make_problem(std::move(topology), std::move(collective));
}

/// What an island reports in so many epochs.
std::vector<Generation> run(Island& island, unsigned epochs)
{
    std::vector<Generation> all;
    for (unsigned epoch = 0; epoch < epochs; ++epoch)
        for (const Generation& generation : island.advance({}, {}).generations)
            all.push_back(generation);
    return all;
}

} // namespace

TEST_CASE("MBOA finds schedules of the printed numbers of steps", "[evolution][mboa]")
{
    const auto cell = GENERATE(values<Cell>({{"hypercube:3", "OAB", 2},
                                             {"hypercube:3", "OAS", 3},
                                             {"hypercube:4", "OAB", 2},
                                             {"hypercube:4", "OAS", 4},
                                             {"octagon:8", "OAB", 2},
                                             {"octagon:8", "OAS", 3},
                                             {"octagon:8", "AAS", 5},
                                             {"hypercube:3", "AAB", 4}}));
    const Problem problem = problem_of(cell);
    const SearchResult found = search_mboa(problem, cell.steps, {.seed = 1, .effort = 200'000});
    CAPTURE(cell.network, cell.collective);
    REQUIRE(found.outcome == Outcome::found);
    CHECK(found.unscheduled == 0);
    CHECK(found.schedule->steps.size() <= cell.steps);
    CHECK(validate(*found.schedule, problem.topology).empty());
}

TEST_CASE("MBOA of every parameter returns valid schedules or none", "[evolution][mboa]")
{
    const unsigned seed = GENERATE(range(1u, 25u));
    Problem problem =
        test::random_problem(seed, 5, seed % 2 == 0 ? test::Traffic::scatter : test::Traffic::broadcast);
    problem.switching = Switching::wormhole;
    MboaParameters parameters{.population = 2 + seed % 7};
    parameters.replacement = seed % 3 == 0 ? Replacement::nearest : Replacement::worst;
    parameters.restoration = seed % 4 < 2;
    parameters.acceleration = seed % 4 < 2;
    parameters.slot_swap = seed % 5 == 0 ? 0.5 : 0;
    parameters.conflicting_mutation = seed % 3 == 0 ? 0 : 1;
    parameters.path_stall = seed % 6;
    parameters.stagnation_limit = seed % 2 == 0 ? 30 : 0;
    parameters.islands = 1 + seed % 2;
    parameters.generations_per_epoch = 10;
    const unsigned steps = 1 + seed % 6;
    std::uint64_t evaluations = 0;
    EvolutionOptions options{.seed = seed, .evaluations = 3000};
    options.on_generation = [&](const Generation& generation) {
        CHECK(generation.mean >= static_cast<double>(generation.best));
        CHECK(generation.diversity >= 0);
        CHECK(generation.diversity < 1);
        evaluations = std::max(evaluations, generation.evaluations);
    };
    const EvolutionResult result =
        evolve_islands(problem, steps, mboa_model(problem, steps, parameters), options);
    CHECK(evaluations > 0);
    CHECK((result.best == 0) == result.schedule.has_value());
    if (result.schedule) {
        CHECK(result.schedule->steps.size() <= steps);
        CHECK(validate(*result.schedule, problem.topology).empty());
    }
}

TEST_CASE("an island of MBOA goes on from its saved state as if nothing had happened", "[evolution][mboa]")
{
    const bool is_broadcast = GENERATE(false, true);
    const Problem problem = is_broadcast ? problem_of({"hypercube:3", "AAB", 3}) : hypercube_scatter();
    const unsigned steps = is_broadcast ? 3 : 4;
    const MboaParameters parameters{
        .population = 8, .path_stall = 5, .stagnation_limit = 70, .generations_per_epoch = 30};
    const IslandModel model = mboa_model(problem, steps, parameters);
    const unsigned before = GENERATE(0u, 1u, 4u);
    const auto island = model.make(0, 3);
    run(*island, before);
    const auto state = island->save();
    const auto other = model.make(0, 99);
    other->load(state);
    CHECK(other->save() == state);
    CHECK(run(*other, 3) == run(*island, 3));
    CHECK(other->save() == island->save());

    auto longer = state;
    longer.push_back(0);
    CHECK_THROWS_AS(other->load(longer), std::runtime_error);
    CHECK_THROWS_AS(other->load(std::span(state).first(state.size() - 1)), std::runtime_error);
    if (before > 0) {
        auto strange = state;
        strange[strange.size() - 1] = 0xff; // a step that there is not
        CHECK_THROWS_AS(other->load(strange), std::runtime_error);
    }
}

TEST_CASE("an immigrant of MBOA takes a place", "[evolution][mboa]")
{
    const Problem problem = hypercube_scatter();
    const IslandModel model = mboa_model(problem, 6, {.generations_per_epoch = 2000});
    const auto solved = model.make(0, 1);
    const EpochReport report = solved->advance({}, {});
    REQUIRE(report.best == 0);
    REQUIRE(report.emigrant_conflicts == 0);
    const auto other = model.make(1, 2);
    const EpochReport next = other->advance(report.emigrant, {});
    CHECK(next.best == 0);
    CHECK(next.generations.size() == 1); // the first population
    const SolutionBytes broken(report.emigrant.size(), 0xff);
    CHECK_THROWS_AS(model.make(2, 3)->advance(broken, {}), std::runtime_error);
}

TEST_CASE("MBOA that begins with a solution is done at once", "[evolution][mboa]")
{
    const auto cell = GENERATE(values<Cell>({{"hypercube:3", "AAS", 6}, {"hypercube:4", "OAB", 3}}));
    const Problem problem = problem_of(cell);
    const SearchResult found = search_mboa(problem, cell.steps, {.seed = 5, .effort = 1'000'000});
    REQUIRE(found.schedule);
    SearchControl control{.seed = 77};
    control.start = &*found.schedule;
    const SearchResult again = search_mboa(problem, cell.steps, control);
    REQUIRE(again.outcome == Outcome::found);
    CHECK(again.tried == MboaParameters{}.population);
    CHECK(again.schedule->steps.size() == found.schedule->steps.size());
}

TEST_CASE("MBOA that is stopped at once returns nothing", "[evolution][mboa]")
{
    const Problem problem = hypercube_scatter();
    const std::atomic<bool> stop = true;
    SearchControl control{.seed = 1};
    control.end.stop = &stop;
    const SearchResult result = search_mboa(problem, 4, control);
    CHECK(result.outcome == Outcome::gave_up);
    CHECK_FALSE(result.schedule);
}

TEST_CASE("MBOA refuses parameters out of range and names them", "[evolution][mboa]")
{
    const Problem problem = hypercube_scatter();
    const auto refusal = [&](auto change) {
        MboaParameters parameters;
        change(parameters);
        try {
            mboa_model(problem, 4, parameters);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    using P = MboaParameters;
    CHECK(refusal([](P&) {}).empty());
    CHECK(refusal([](P& p) { p.population = 1; }) == "mboa: population 1: 2 or more");
    CHECK(refusal([](P& p) { p.tournament = 0; }) == "mboa: tournament 0: 1 or more");
    CHECK(refusal([](P& p) { p.replacement_tournament = 0; }) == "mboa: replacement tournament 0: 1 or more");
    CHECK(refusal([](P& p) { p.trees.most_leaves = 0; }) == "mboa: leaves of a tree 0: 1 or more");
    CHECK(refusal([](P& p) { p.trees.least_rows = 0; }) == "mboa: rows of a leaf 0: 1 or more");
    CHECK(refusal([](P& p) { p.paths.most_paths = 0; }) == "mboa: most paths 0: 1 or more");
    CHECK(refusal([](P& p) { p.islands = 0; }) == "mboa: islands 0: 1 or more");
    CHECK(refusal([](P& p) { p.generations_per_epoch = 0; }) == "mboa: generations per epoch 0: 1 or more");
    CHECK(refusal([](P& p) { p.mutation_probability = 1.5; }) ==
          "mboa: mutation probability 1.5: a probability is from 0 to 1");
    CHECK(refusal([](P& p) { p.conflicting_mutation = -1; }) ==
          "mboa: conflicting mutation -1: a probability is from 0 to 1");
    CHECK(refusal([](P& p) { p.slot_swap = 2; }) == "mboa: slot swap 2: a probability is from 0 to 1");
    Problem minimal = hypercube_scatter();
    minimal.slack = 0;
    MboaParameters longer;
    longer.paths.slack = 1;
    CHECK_THROWS_WITH(mboa_model(minimal, 4, longer), Catch::Contains("slack 1"));
    CHECK_THROWS_AS(mboa_model(problem, 0, {}), std::invalid_argument);
    Problem forwarding = hypercube_scatter();
    forwarding.switching = Switching::store_and_forward;
    CHECK_FALSE(suits_mboa(forwarding));
    CHECK_THROWS_AS(mboa_model(forwarding, 4, {}), std::invalid_argument);
}

} // namespace nocturne::mboa_test
