#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/engines.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/portfolio/chunk_problems.hpp"

#include <algorithm>
#include <stdexcept>

namespace nocturne::objective_engines_test {

namespace {

ChunkProblem problem_for(CollectiveKind kind, const Topology& topology, ChunkObjective objective)
{
    ChunkProblem problem = test::chunk_problem(kind, link_network_of(topology), objective);
    problem.parts = 1;
    problem.topology = topology;
    return problem;
}

} // namespace

TEST_CASE("every engine alone, and none is better than all together", "[chunks][portfolio]")
{
    const Topology topology = make_topology("ring:4");
    const auto kind =
        GENERATE(CollectiveKind::allgather, CollectiveKind::alltoall, CollectiveKind::allreduce);
    const auto objective = GENERATE(ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time);
    INFO(to_string(kind) << " for " << to_string(objective));
    const ChunkProblem problem = problem_for(kind, topology, objective);
    PortfolioOptions options{.budget = std::chrono::seconds(20), .workers = 1};
    const auto all = engines_for(problem, "auto");
    const PortfolioResult best = find_schedule(problem, options);
    CHECK(std::ranges::any_of(all, [&](const auto* engine) { return engine->name == best.engine; }));
    for (const Engine& engine : engines()) {
        if (engine.by_objective == nullptr)
            continue;
        INFO(engine.name);
        options.engine = engine.name;
        if (!engine.by_objective->suits(problem)) {
            CHECK_THROWS_AS(find_schedule(problem, options), std::invalid_argument);
            continue;
        }
        // They may have nothing in one chunk, or nothing without barriers.
        if (engine.by_objective->turn == EngineTurn::first || engine.name == "halves" ||
            (engine.name == "exact" && objective == ChunkObjective::time))
            continue;
        const PortfolioResult alone = find_schedule(problem, options);
        CHECK(alone.engine == engine.name);
        const auto value = [&](const PortfolioResult& found) {
            return objective == ChunkObjective::time    ? found.cycles
                   : objective == ChunkObjective::steps ? count_steps(*found.schedule)
                                                        : static_cast<double>(count_rounds(*found.schedule));
        };
        CHECK(value(best) <= value(alone));
    }
    CHECK_THROWS_AS(engines_for(problem, "oracle"), std::invalid_argument);
}

TEST_CASE("all-to-all in one chunk keeps every link of a torus busy", "[chunks][portfolio]")
{
    const auto [spec, rounds] = GENERATE(table<std::string, std::uint64_t>(
        {{"torus:3x3", 3}, {"torus:4x6", 18}, {"ring:9", 10}, {"hypercube:5", 16}}));
    const PortfolioResult found =
        find_schedule(problem_for(CollectiveKind::alltoall, make_topology(spec), ChunkObjective::bandwidth),
                      {.budget = std::chrono::seconds(20)});
    INFO(spec);
    CHECK(count_rounds(*found.schedule) == rounds);
    CHECK(found.end == EndReason::at_bound);
}

} // namespace nocturne::objective_engines_test
