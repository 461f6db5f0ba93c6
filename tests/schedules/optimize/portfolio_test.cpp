#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/specification.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/optimize/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <numeric>

namespace nocturne::portfolio_test {

using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

Problem aas(const char* network)
{
    Topology topology = make_topology(network);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(std::move(topology), all_to_all_scatter(processors));
}

/// No construction closes it: the engines have to search.
Problem faulty_kautz()
{
    const std::vector<std::string> faults{"channel:10-02"};
    return make_problem(with_faults(make_topology("kautz:3,2"), faults), all_to_all_scatter(12));
}

void check_valid(const Problem& problem, const PortfolioResult& result)
{
    REQUIRE(result.schedule);
    CHECK(validate(*result.schedule, problem.topology).empty());
    CHECK(result.schedule->steps.size() >= result.bound.steps);
    CHECK_FALSE(result.engine.empty());
}

} // namespace

TEST_CASE("the portfolio meets the bound", "[optimize][portfolio]")
{
    const auto [network, steps] = GENERATE(table<const char*, unsigned>(
        {{"mesh:4x4", 16}, {"octagon:8", 4}, {"omega:8", 7}, {"fbtree:7", 12}, {"petersen", 5}}));
    INFO(network);
    const Problem problem = aas(network);
    const PortfolioResult result = find_schedule(problem);
    check_valid(problem, result);
    CHECK(result.bound.steps == steps);
    CHECK(result.is_optimal());
    CHECK(result.signal == 0);
}

TEST_CASE("the result does not depend on the number of workers", "[optimize][portfolio]")
{
    const Problem problem = faulty_kautz();
    PortfolioOptions options;
    options.seed = 7;
    options.workers = 1;
    const PortfolioResult one = find_schedule(problem, options);
    options.workers = 4;
    const PortfolioResult four = find_schedule(problem, options);
    check_valid(problem, one);
    CHECK(one.schedule == four.schedule);
    CHECK(one.engine == four.engine);
    CHECK(one.bound == four.bound);
}

TEST_CASE("a schedule of so many steps is enough if that is what is asked for", "[optimize][portfolio]")
{
    const Problem problem = aas("mesh:4x4");
    PortfolioOptions options;
    options.steps = 20;
    const PortfolioResult result = find_schedule(problem, options);
    check_valid(problem, result);
    CHECK(result.schedule->steps.size() <= 20);
}

TEST_CASE("the impossible is refused with its reason", "[optimize][portfolio]")
{
    const Problem problem = aas("mesh:4x4");
    PortfolioOptions options;
    options.steps = 0;
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("0 steps"));
    options.steps = 15;
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("15 steps are not enough, at least 16"));
    options.steps.reset();
    options.budget = std::chrono::milliseconds(0);
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("budget"));
    options.budget = std::chrono::seconds(1);
    options.engine = "oracle";
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("unknown engine 'oracle': known are"));
}

TEST_CASE("a search goes on from its checkpoint as if it had never stopped", "[optimize][portfolio]")
{
    const Problem problem = faulty_kautz();
    const test::TemporaryFolder folder;
    const std::string checkpoint = folder / "search.json";
    PortfolioOptions options;
    options.checkpoint = checkpoint;
    const PortfolioResult whole = find_schedule(problem, options);
    check_valid(problem, whole);
    REQUIRE(fs::exists(checkpoint));
    // What is done is not searched again, whatever the engines could do now.
    options.budget = std::chrono::milliseconds(1);
    const PortfolioResult again = find_schedule(problem, options);
    CHECK(again.schedule == whole.schedule);
    CHECK(again.bound == whole.bound);
    CHECK(again.engine == whole.engine);
    CHECK(again.seconds >= whole.seconds);
}

TEST_CASE("a checkpoint that is cut off, changed or for another problem is refused in one line",
          "[optimize][portfolio]")
{
    const Problem problem = aas("octagon:8");
    const test::TemporaryFolder folder;
    const std::string checkpoint = folder / "search.json";
    PortfolioOptions options;
    options.checkpoint = checkpoint;
    find_schedule(problem, options);
    const std::string text = read_file(checkpoint);

    CHECK_THROWS_WITH(find_schedule(aas("ring:8"), options),
                      Contains("this checkpoint is for AAS on octagon:8"));

    const std::size_t length =
        GENERATE_COPY(std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 3);
    write_file_atomically(checkpoint, text.substr(0, length));
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains(checkpoint));

    std::string changed = text;
    const std::string steps = "\"steps\":4";
    REQUIRE(changed.find(steps) != std::string::npos);
    changed.replace(changed.find(steps), steps.size(), "\"steps\":5"); // of the bound
    write_file_atomically(checkpoint, changed);
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("lower bound of 5"));
}

TEST_CASE("a bound that a search raises stands before its checker", "[optimize][portfolio]")
{
    // Three messages around a ring of seven: ports and growth say 2, there is no schedule of 2 steps.
    std::vector<std::uint32_t> everybody(7);
    std::iota(everybody.begin(), everybody.end(), 0);
    const Problem problem =
        make_problem(make_topology("ring:7"), many_to_many_broadcast(7, {0, 1, 2}, everybody));
    const PortfolioResult result = find_schedule(problem);
    check_valid(problem, result);
    CHECK(lower_bound(problem).steps == 2);
    CHECK(result.bound.steps == 3);
    CHECK(result.bound.kind == BoundKind::exhausted);
    CHECK_FALSE(refute(problem, result.bound));
    CHECK(result.is_optimal());
}

} // namespace nocturne::portfolio_test
