// Searches of chunks that begin with a schedule.
#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/portfolio/chunk_problems.hpp"

namespace nocturne::chunk_start_test {

using Catch::Contains;
using test::chunk_problem, test::patient;

TEST_CASE("a schedule to begin with is there from the beginning", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("mesh:2x3"));
    const auto objective = GENERATE(ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time);
    ChunkProblem problem = chunk_problem(CollectiveKind::broadcast, network, objective);
    const PortfolioResult first = find_schedule(problem, patient);
    REQUIRE(first.schedule);
    std::atomic<bool> stop = true;
    PortfolioOptions options{.workers = 1, .stop = &stop, .start = first.schedule};
    const PortfolioResult again = find_schedule(problem, options);
    CAPTURE(to_string(objective));
    CHECK(again.schedule == first.schedule);
    CHECK(again.engine == "start");
    CHECK(again.end != EndReason::settled);
    options.engine = "time";
    CHECK(find_schedule(problem, options).engine == "start");
    // In more parts, and for what it was not made for.
    options.engine = "auto";
    problem.parts = 2 * first.schedule->collective.parts;
    CHECK(find_schedule(problem, options).schedule->collective.parts == problem.parts);
    problem.parts.reset();
    for (const auto other : {ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time}) {
        problem.objective = other;
        const PortfolioResult found = find_schedule(problem, options);
        CHECK(validate(*found.schedule, network).empty());
        CHECK(found.engine == "start");
    }
}

TEST_CASE("a schedule to begin with is valid, of the collective, and in parts of its parts",
          "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:5"));
    ChunkProblem problem = chunk_problem(CollectiveKind::allgather, network, ChunkObjective::bandwidth);
    problem.parts = 2;
    PortfolioOptions options = patient;
    options.start = find_schedule(problem, options).schedule;
    problem.parts = 3;
    CHECK_THROWS_WITH(find_schedule(problem, options),
                      Contains("the initial schedule has 2 chunks for each, which do not divide 3"));
    problem.parts.reset();
    problem.collective = make_collective(CollectiveKind::alltoall, CollectiveShape{.processors = 5});
    CHECK_THROWS_WITH(find_schedule(problem, options),
                      Contains("the initial schedule is of another collective"));
    problem.collective = make_collective(CollectiveKind::allgather, CollectiveShape{.processors = 5});
    options.start->steps.front().pop_back();
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("the initial schedule is not valid: "));
}

TEST_CASE("an exchange, which needs its barrier, begins no search by time", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("hypercube:1"));
    ChunkProblem problem = chunk_problem(CollectiveKind::allreduce, network, ChunkObjective::steps);
    PortfolioOptions options = patient;
    options.start =
        empty_schedule("exchange", "hypercube:1", problem.collective, ScheduleSynchronization::steps);
    Step& step = options.start->steps.emplace_back();
    step.emplace_back(0, 0, 1, Path{0}, Operation::add);
    step.emplace_back(0, 1, 0, Path{1}, Operation::add);
    REQUIRE(validate(*options.start, network).empty());
    std::string note;
    options.on_note = [&](const std::string& text) { note = text; };
    CHECK(find_schedule(problem, options).schedule);
    CHECK(note.empty());
    problem.objective = ChunkObjective::time;
    const PortfolioResult by_time = find_schedule(problem, options);
    CHECK(by_time.engine != "start");
    CHECK_THAT(note, Contains("needs its barriers"));
}

} // namespace nocturne::chunk_start_test
