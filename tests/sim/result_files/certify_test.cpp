#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/result_files/certify.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/temporary_folder.hpp"

#include <optional>
#include <string>

namespace nocturne::certify_test {

using Catch::Contains;

namespace {

Problem octagon()
{
    return make_problem(make_topology("octagon:8"), alltoall({8}));
}

} // namespace

TEST_CASE("a result comes back from its file and is certified", "[result_files][certify]")
{
    Problem problem = octagon();
    problem.slack = GENERATE(std::optional<unsigned>(), std::optional<unsigned>(0));
    const PortfolioResult found = find_schedule(problem);
    REQUIRE(found.is_optimal);
    const test::TemporaryFolder folder;
    const std::string file = folder / "result.json";
    save_result(file, problem, found.bound(), found.schedule);
    const ResultFile result = load_result(file);
    CHECK(result.schedule == found.schedule);
    CHECK(result.bound == found.bound());
    CHECK(result.problem.slack == problem.slack);
    CHECK(result.problem.collective == problem.collective);
    CHECK(certify(result).holds());
}

TEST_CASE("a bound alone can be certified", "[result_files][certify]")
{
    const Problem problem = octagon();
    const PortfolioResult found = find_schedule(problem);
    const test::TemporaryFolder folder;
    const std::string file = folder / "result.json";
    save_result(file, problem, found.bound(), std::nullopt);
    ResultFile result = load_result(file);
    CHECK_FALSE(result.schedule);
    CHECK(result.bound == found.bound());
    CHECK(certify(result).holds());
    ++result.bound->steps;
    CHECK_FALSE(certify(result).refutations.empty());
}

TEST_CASE("a schedule without a bound is judged alone", "[result_files][certify]")
{
    const ResultFile result = load_result(SCHEDULE_LIBRARY "/octagon8_aas.json");
    CHECK(result.schedule);
    CHECK_FALSE(result.bound);
    CHECK(certify(result).holds());
}

TEST_CASE("what does not hold is said", "[result_files][certify]")
{
    const Problem problem = octagon();
    const PortfolioResult found = find_schedule(problem);
    ResultFile result{problem, found.schedule, found.bound()};
    SECTION("a transfer is missing")
    {
        result.schedule->steps[2].pop_back();
        CHECK_FALSE(certify(result).violations.empty());
    }
    SECTION("a path is longer than the slack allows")
    {
        // One message, in a step of its own, around the ring: 0-1-2-3 instead of 0-4-3.
        Topology ring = make_topology("ring:8");
        ResultFile around{make_problem(ring, scatter({8}, 0)), std::nullopt, std::nullopt};
        around.problem.slack = 0;
        Schedule schedule = empty_schedule(around.problem, "around");
        std::vector<RouterId> routers{0};
        for (ProcessorId to = 1; to < 8; ++to) { // always the same way round
            routers.push_back(to);
            schedule.steps.push_back({{to - 1, 0, to, test::path_over(ring, routers)}});
        }
        around.schedule = schedule;
        const Certification certification = certify(around);
        REQUIRE(certification.violations.size() == 3); // to 5, 6 and 7
        CHECK_THAT(certification.violations.front().text, Contains("takes 5 hops, slack 0 allows 3"));
    }
    SECTION("the certificate does not reach the number")
    {
        result.bound->steps = 5;
        const Certification certification = certify(result);
        CHECK(certification.violations.empty());
        REQUIRE(certification.refutations.size() == 2); // by the checker, and by the schedule
        CHECK_THAT(certification.refutations.back(), Contains("fewer than the lower bound"));
    }
}

TEST_CASE("the largest slack is any path, not a search without end", "[result_files][certify]")
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "result.json";
    Problem problem = octagon();
    problem.slack = ~0U;
    save_result(file, problem, lower_bound(problem), std::nullopt);
    const ResultFile result = load_result(file);
    CHECK(result.problem.slack == ~0U);
    CHECK(certify(result).holds());
}

} // namespace nocturne::certify_test
