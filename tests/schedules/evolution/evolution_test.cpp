// What all three evolutionary engines promise.
#include "models/topology/make_topology.hpp"
#include "schedules/evolution/evolution.hpp"
#include "schedules/workers/described_jobs.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace nocturne::evolution_test {

using namespace nocturne::test;

namespace {

/// An engine on a problem that takes it some epochs of several islands.
struct Experiment {
    EvolutionParameters parameters;
    Problem problem;
    unsigned steps;

    IslandModel model() const { return evolution_model(problem, steps, parameters); }
    EvolutionResult run(const EvolutionOptions& options) const
    {
        return evolve_islands(problem, steps, model(), options);
    }
};

/// Islands that exchange often and begin anew often.
template <class Parameters>
Parameters busy_islands()
{
    Parameters parameters;
    parameters.islands = 3;
    parameters.generations_per_epoch = 5;
    parameters.stagnation_limit = 40;
    return parameters;
}

Experiment experiment_with(const std::string& engine)
{
    if (engine == "umda")
        return {busy_islands<UmdaParameters>(), make_problem(make_topology("mesh:3x3"), alltoall({9})), 8};
    if (engine == "mboa")
        return {busy_islands<MboaParameters>(), make_problem(make_topology("hypercube:3"), allgather({8})),
                3};
    HgsaParameters hgsa;
    hgsa.slaves = 3;
    hgsa.hold = 2;
    Problem problem = make_problem(make_topology("hypercube:4"), allgather({16}));
    problem.switching = Switching::store_and_forward;
    return {hgsa, problem, 4};
}

void check_same(const EvolutionResult& a, const EvolutionResult& b)
{
    CHECK(a.schedule == b.schedule);
    CHECK(a.best == b.best);
    CHECK(a.generations == b.generations);
    CHECK(a.evaluations == b.evaluations);
}

constexpr std::uint64_t most_evaluations = 8'000;

} // namespace

TEST_CASE("an island that is saved and loaded goes on as if nothing had happened, and takes no other state",
          "[evolution]")
{
    const std::string engine = GENERATE("umda", "mboa", "hgsa");
    const unsigned before = GENERATE(0U, 1U, 4U);
    INFO(engine << " after " << before);
    const Experiment experiment = experiment_with(engine);
    const IslandModel model = experiment.model();
    const auto one = model.make(0, 1), other = model.make(0, 99);
    SolutionBytes immigrant;
    for (unsigned epoch = 0; epoch < before; ++epoch)
        immigrant = one->advance(immigrant, {}).emigrant;
    const std::vector<std::uint8_t> state = one->save();
    other->load(state);
    CHECK(other->save() == state);
    for (unsigned epoch = 0; epoch < 4; ++epoch) {
        const EpochReport expected = one->advance(immigrant, {});
        const EpochReport found = other->advance(immigrant, {});
        CHECK(found.generations == expected.generations);
        CHECK(found.emigrant == expected.emigrant);
    }
    CHECK(other->save() == one->save());

    auto longer = state;
    longer.push_back(0);
    CHECK_THROWS_AS(other->load(longer), std::runtime_error);
    CHECK_THROWS_AS(other->load(std::span(state).first(state.size() - 1)), std::runtime_error);
    CHECK_THROWS_AS(other->load({}), std::runtime_error);
    const Problem smaller = make_problem(make_topology("ring:4"), allgather({4}));
    const auto foreign = evolution_model(smaller, 3, experiment.parameters).make(0, 1);
    const SolutionBytes emigrant = foreign->advance({}, {}).emigrant;
    CHECK_THROWS_AS(other->load(foreign->save()), std::runtime_error);
    CHECK_THROWS_AS(other->advance(emigrant, {}), std::runtime_error);
    if (before > 0 && engine != "umda") {
        auto strange = state;
        strange.back() ^= 0xff; // a step that there is not
        CHECK_THROWS_AS(other->load(strange), std::runtime_error);
    }
}

TEST_CASE("islands whose states travel to other processes evolve as those that stay", "[evolution]")
{
    const std::string engine = GENERATE("umda", "mboa", "hgsa");
    const Experiment experiment = experiment_with(engine);
    INFO(engine);
    const IslandModel model = experiment.model();
    JobPool pool(2, described_work([&](const nlohmann::json& job) { return visit_island(model, job); }));
    const JobTransport transport = transport_of(pool);
    const TemporaryFolder folder;
    // Stopped after some epochs and taken up again, by islands of the other kind too.
    EvolutionOptions at_home{.seed = 3, .evaluations = most_evaluations / 4};
    EvolutionOptions travelling = at_home;
    travelling.transport = &transport;
    at_home.checkpoint = folder / "home.json";
    travelling.checkpoint = folder / "travelling.json";
    for (const std::uint64_t evaluations : {most_evaluations / 4, most_evaluations / 2}) {
        at_home.evaluations = travelling.evaluations = evaluations;
        check_same(evolve_islands(experiment.problem, experiment.steps, model, travelling),
                   experiment.run(at_home));
        std::swap(at_home.checkpoint, travelling.checkpoint);
    }
}

} // namespace nocturne::evolution_test
