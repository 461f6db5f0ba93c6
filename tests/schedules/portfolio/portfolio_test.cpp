#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/checkpoint.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <filesystem>
#include <numeric>

namespace nocturne::portfolio_test {

using Catch::Contains;
namespace fs = std::filesystem;

namespace {

Problem aas(const std::string& network)
{
    return test::problem_in_words(network, "alltoall");
}

/// No construction closes it: the engines have to search.
Problem faulty_kautz()
{
    return test::problem_in_words("kautz:3,2", "alltoall fault=channel:10-02");
}

void check_valid(const Problem& problem, const PortfolioResult& result)
{
    REQUIRE(result.schedule);
    CHECK(validate(*result.schedule, problem.topology).empty());
    CHECK(result.schedule->steps.size() >= result.bound().steps);
    CHECK_FALSE(result.engine.empty());
}

} // namespace

TEST_CASE("the portfolio meets the bound", "[portfolio]")
{
    const auto [network, steps] = GENERATE(table<const char*, unsigned>(
        {{"mesh:4x4", 16}, {"octagon:8", 4}, {"omega:8", 7}, {"fbtree:7", 12}, {"petersen", 5}}));
    INFO(network);
    const Problem problem = aas(network);
    const PortfolioResult result = find_schedule(problem);
    check_valid(problem, result);
    CHECK(result.bound().steps == steps);
    CHECK(result.is_optimal);
    CHECK(result.end == EndReason::at_bound);
    CHECK(result.signal == 0);
}

TEST_CASE("the result is the same through a transport", "[portfolio]")
{
    PortfolioOptions options;
    options.budget = std::chrono::seconds(30);
    const Problem problem = aas("mesh:3x3");
    const PortfolioResult here = find_schedule(problem, options);
    JobPool pool(GENERATE(1u, 3u), portfolio_work(problem));
    const JobTransport transport = transport_of(pool);
    options.transport = &transport;
    const PortfolioResult there = find_schedule(problem, options);
    CHECK(there.schedule == here.schedule);
    CHECK(there.bound() == here.bound());
    CHECK(there.engine == here.engine);
}

TEST_CASE("a schedule of so many steps is enough if that is what is asked for", "[portfolio]")
{
    const Problem problem = aas("mesh:4x4");
    PortfolioOptions options;
    options.steps = 20;
    const PortfolioResult result = find_schedule(problem, options);
    check_valid(problem, result);
    CHECK(result.schedule->steps.size() <= 20);
}

TEST_CASE("a flag ends a search of messages wherever it is, with the best schedule so far", "[portfolio]")
{
    const Problem problem = make_problem(make_topology("torus:5x5"), alltoall({25}));
    std::atomic<bool> stop = true;
    PortfolioOptions options{.engine = "exact", .budget = std::chrono::hours(1), .workers = 2, .stop = &stop};
    const PortfolioResult at_once = find_schedule(problem, options);
    CHECK(at_once.end == EndReason::interrupted);
    CHECK(at_once.signal == 0);
    CHECK_FALSE(at_once.schedule);
    CHECK(at_once.bound().steps > 0);
    stop = false;
    bool has_begun = false;
    options.on_progress = [&](const SearchProgress& now) {
        has_begun = has_begun || now.lower_bound > 0;
        stop = has_begun;
    };
    const PortfolioResult later = find_schedule(problem, options);
    CHECK(has_begun);
    CHECK(later.end == EndReason::interrupted);
    CHECK(later.bound().steps > at_once.bound().steps);
}

TEST_CASE("the impossible is refused with its reason", "[portfolio]")
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

TEST_CASE("a search goes on from its checkpoint as if it had never stopped", "[portfolio]")
{
    const Problem problem = faulty_kautz();
    const test::TemporaryFolder folder;
    const std::string checkpoint = folder / "search.json";
    PortfolioOptions options;
    options.checkpoint = checkpoint;
    const PortfolioResult whole = find_schedule(problem, options);
    check_valid(problem, whole);
    REQUIRE(fs::exists(checkpoint));
    const auto before = nlohmann::json::parse(read_file(checkpoint)).at("seconds").get<double>();
    // What is done is not searched again, whatever the engines could do now.
    options.budget = std::chrono::milliseconds(1);
    const PortfolioResult again = find_schedule(problem, options);
    CHECK(again.schedule == whole.schedule);
    CHECK(again.bound() == whole.bound());
    CHECK(again.engine == whole.engine);
    CHECK(again.seconds >= before);
}

TEST_CASE("a checkpoint that is cut off, changed or for another problem is refused in one line",
          "[portfolio]")
{
    const Problem problem = aas("octagon:8");
    const test::TemporaryFolder folder;
    const std::string checkpoint = folder / "search.json";
    PortfolioOptions options;
    options.checkpoint = checkpoint;
    find_schedule(problem, options);
    const std::string text = read_file(checkpoint);

    CHECK_THROWS_WITH(find_schedule(aas("ring:8"), options),
                      Contains("this checkpoint is for another problem: AAS on octagon:8"));

    // Of this search's text: the seconds in it make the next one's longer or shorter.
    const std::size_t part = GENERATE(range(0U, 4U));
    const std::size_t length =
        std::array{std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 3}[part];
    write_file_atomically(checkpoint, text.substr(0, length));
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains(checkpoint));

    std::string changed = text;
    const std::string steps = "\"steps\":4";
    REQUIRE(changed.find(steps) != std::string::npos);
    changed.replace(changed.find(steps), steps.size(), "\"steps\":5"); // of the bound
    write_file_atomically(checkpoint, changed);
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("lower bound of 5"));
}

TEST_CASE("a bound that a search raises stands before its checker", "[portfolio]")
{
    // Three messages around a ring of seven: ports and growth say 2, there is no schedule of 2 steps.
    std::vector<std::uint32_t> everybody(7);
    std::iota(everybody.begin(), everybody.end(), 0);
    const Problem problem =
        make_problem(make_topology("ring:7"), many_to_many_broadcast({7}, {2, 4, 5}, everybody));
    const PortfolioResult result = find_schedule(problem);
    check_valid(problem, result);
    CHECK(lower_bound(problem).steps == 2);
    CHECK(result.bound().steps == 3);
    REQUIRE(kind_of(result.bound()) == "infeasibility");
    CHECK_FALSE(std::get<InfeasibilityProof>(result.bound().certificate).proof.empty());
    CHECK_FALSE(refute(problem, result.bound()));
    CHECK(result.is_optimal);
}

TEST_CASE("bounds and constructions end with the budget, too", "[portfolio]")
{
    const Problem problem = aas("mesh:4x4");
    PortfolioOptions options;
    options.begun = std::chrono::steady_clock::now() - std::chrono::hours(1); // it was over long ago
    options.budget = std::chrono::seconds(1);
    const PortfolioResult result = find_schedule(problem, options);
    CHECK(kind_of(result.bound()) == "port"); // no other has been begun
    CHECK_FALSE(refute(problem, result.bound()));
    CHECK(result.seconds >= 3600);
    CHECK_FALSE(result.is_optimal);
    CHECK(result.end == EndReason::out_of_budget);
}

TEST_CASE("an engine that would take too much memory is left out with a line, or refused", "[portfolio]")
{
    const Problem problem = faulty_kautz();
    std::vector<std::string> notes;
    PortfolioOptions options;
    options.steps = lower_bound(problem).steps + 1;
    options.most_memory = 1000;
    options.on_note = [&](const std::string& note) { notes.push_back(note); };
    const PortfolioResult result = find_schedule(problem, options);
    check_valid(problem, result);
    CHECK(result.engine != "local");
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes.front(), Contains("engine local takes about") && Contains("engine skipped"));
    options.engine = "local";
    CHECK_THROWS_WITH(find_schedule(problem, options),
                      Contains("engine local takes about 0.0 GB of memory, more than the limit of 0.0 GB"));
}

namespace {

/// A checkpoint of a search that is not over: a bound of 2, a schedule of 4 steps.
SearchState some_state(const Problem& problem)
{
    SearchState state;
    state.round = 7;
    state.failures = 3;
    state.bound = lower_bound(problem);
    state.seconds = 1.5;
    state.given_up = {{"local", 2}, {"symmetry", 3}};
    state.done = {{"exact", 2, 12345}};
    state.cut_seconds = 0.25;
    state.longest_seconds = 12;
    state.is_open = true;
    return state;
}

} // namespace

TEST_CASE("a checkpoint keeps all that the next tasks depend on", "[portfolio]")
{
    const Problem problem = aas("octagon:8");
    const test::TemporaryFolder folder;
    const std::string file = folder / "search.json";
    const SearchState state = some_state(problem);
    save_checkpoint(file, problem, state);
    const SearchState again = load_checkpoint(file, problem);
    CHECK(again.round == state.round);
    CHECK(again.failures == state.failures);
    CHECK(again.bound == state.bound);
    CHECK(again.given_up == state.given_up);
    CHECK(again.done == state.done);
    CHECK(again.cut_seconds == state.cut_seconds);
    CHECK(again.longest_seconds == state.longest_seconds);
    CHECK(again.is_open);
}

TEST_CASE("a search goes on with its seed only, and believes no forged proof", "[portfolio]")
{
    const Problem problem = aas("octagon:8");
    const test::TemporaryFolder folder;
    const std::string file = folder / "search.json";
    SearchState state = some_state(problem);
    save_checkpoint(file, problem, state);
    PortfolioOptions options;
    options.checkpoint = file;
    options.seed = 2;
    CHECK_THROWS_WITH(find_schedule(problem, options), Contains("this search has seed 1, not 2"));

    state.bound = {5, "", InfeasibilityProof{"0\n"}};
    save_checkpoint(file, problem, state);
    options.seed = 1;
    CHECK_THROWS_WITH(find_schedule(problem, options),
                      Contains(file) && Contains("the lower bound of 5 does not hold"));
}

TEST_CASE("tasks get shorter after a session that has ended none", "[portfolio]")
{
    const Problem problem = aas("octagon:8");
    const test::TemporaryFolder folder;
    const std::string file = folder / "search.json";
    SearchState state = some_state(problem);
    PortfolioOptions options;
    options.checkpoint = file;
    options.begun = std::chrono::steady_clock::now() - std::chrono::hours(1); // no time for any task
    const bool is_open = GENERATE(true, false);
    state.is_open = is_open;
    save_checkpoint(file, problem, state);
    find_schedule(problem, options);
    const SearchState next = load_checkpoint(file, problem);
    CHECK(next.longest_seconds == (is_open ? 6 : 12));
    CHECK(next.is_open);
    CHECK(next.done == state.done);
    CHECK(next.round == state.round);
}

} // namespace nocturne::portfolio_test
