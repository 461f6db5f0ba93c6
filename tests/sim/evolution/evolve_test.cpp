#include "models/topology/make_topology.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/evolution/evolve.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace nocturne::evolve_test {

using namespace nocturne::test;

namespace {

/// Without what the clock says.
std::vector<EvolutionRun> timeless(std::vector<EvolutionRun> runs)
{
    for (EvolutionRun& run : runs)
        run.seconds = 0;
    return runs;
}

EvolveOptions options_of(EvolutionParameters parameters, unsigned steps)
{
    EvolveOptions options;
    options.parameters = std::move(parameters);
    options.steps = steps;
    options.runs = 3;
    options.evaluations = 20'000;
    options.record_history = true;
    return options;
}

} // namespace

TEST_CASE("an experiment depends on its seeds, not on the workers", "[evolution][evolve]")
{
    const bool broadcast = GENERATE(false, true);
    const Topology octagon = make_topology("octagon:8");
    const Problem problem = make_problem(octagon, broadcast ? allgather({8}) : alltoall({8}));
    const EvolutionParameters parameters =
        GENERATE(EvolutionParameters(UmdaParameters{}), EvolutionParameters(MboaParameters{.population = 40}),
                 EvolutionParameters(HgsaParameters{.slaves = 3}));
    if (!suits_evolution(parameters, problem))
        return;
    EvolveOptions options = options_of(parameters, broadcast ? 4 : 5);
    options.workers = 1;
    const EvolveResult one = evolve(problem, options);
    REQUIRE(one.runs.size() == 3);
    for (unsigned i = 0; i < 3; ++i) {
        CHECK(one.runs[i].seed == 1 + i);
        CHECK(one.runs[i].evaluations > 0);
        REQUIRE_FALSE(one.runs[i].history.empty());
        CHECK(one.runs[i].history.back().evaluations <= one.runs[i].evaluations);
        CHECK(one.runs[i].solved ==
              (one.runs[i].conflicts == 0 && one.runs[i].evaluations <= options.evaluations));
    }
    if (one.schedule)
        CHECK(validate(*one.schedule, octagon).empty());
    options.workers = 2;
    const EvolveResult two = evolve(problem, options);
    CHECK(timeless(two.runs) == timeless(one.runs));
    CHECK(two.schedule == one.schedule);
    // The second run of several is the run from the second seed.
    options.runs = 1;
    options.seed = 2;
    CHECK(timeless(evolve(problem, options).runs).front() == timeless(one.runs)[1]);
}

TEST_CASE("what is found beyond a limit is no success", "[evolution][evolve]")
{
    const Problem problem = make_problem(make_topology("octagon:8"), alltoall({8}));
    EvolveOptions options = options_of(MboaParameters{.population = 40}, 5);
    options.runs = 1;
    options.evaluations = 0;
    const EvolutionRun free = evolve(problem, options).runs.front();
    REQUIRE(free.solved);
    options.evaluations = free.evaluations;
    CHECK(evolve(problem, options).runs.front().solved);
    // The limit is looked at between epochs, so that the run gets just as far.
    options.evaluations = free.evaluations - 1;
    const EvolveResult late = evolve(problem, options);
    CHECK(late.runs.front().evaluations == free.evaluations);
    CHECK_FALSE(late.runs.front().solved);
    CHECK_FALSE(late.schedule);
    options.evaluations = 0;
    options.generations = free.generations - 1;
    CHECK_FALSE(evolve(problem, options).runs.front().solved);
}

TEST_CASE("a run that a signal interrupts leaves the state in which it was", "[evolution][evolve]")
{
    const Problem problem = make_problem(make_topology("mesh:3x3"), alltoall({9})); // 8 steps: takes a while
    EvolveOptions options = options_of(UmdaParameters{}, 8);
    options.runs = 1;
    options.workers = 1;
    options.evaluations = 3'000'000;
    const EvolveResult whole = evolve(problem, options);
    const TemporaryFolder folder;
    options.checkpoint = folder / "evolution.json";
    struct sigaction before = {};
    sigaction(SIGINT, nullptr, &before);
    // On a busy machine the signal may come before there is any state: then there is no file, and it is tried
    // again.
    for (int tries = 0; tries < 50 && !std::filesystem::exists(options.checkpoint); ++tries) {
        std::thread impatient([&] {
            struct sigaction now = before;
            while (now.sa_handler == before.sa_handler)
                sigaction(SIGINT, nullptr, &now);
            kill(getpid(), SIGINT);
        });
        CHECK_THROWS_AS(evolve(problem, options), Interrupted);
        impatient.join();
    }
    REQUIRE(std::filesystem::exists(options.checkpoint));
    options.record_history = false; // of what came before there is none
    EvolutionRun resumed = timeless(evolve(problem, options).runs).front();
    EvolutionRun expected = timeless(whole.runs).front();
    expected.history.clear();
    CHECK(resumed == expected);
}

} // namespace nocturne::evolve_test
