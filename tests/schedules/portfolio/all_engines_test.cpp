// What every engine owes: the steps that are known, the same for the same seed, an end when it is told to.
#include "models/topology/make_topology.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/engines.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"

#include <atomic>
#include <chrono>
#include <sstream>
#include <string>

namespace nocturne::all_engines_test {

using test::problem_in_words;

TEST_CASE("engines find the steps that are known, and none where there are too few", "[portfolio][engines]")
{
    // search() throws for a schedule that the validator refuses.
    for (const auto& [place, group, problem, expected] :
         test::problem_rows("schedules/portfolio/engine_steps.txt")) {
        INFO(place << ", " << group << ": " << describe(problem) << " in " << expected);
        std::string name, answer;
        SearchControl control{.seed = 1};
        std::istringstream(group) >> name >> control.effort;
        const Engine& engine = find_engine(name);
        REQUIRE(can_try(engine, problem) == (expected != "unsuitable"));
        if (expected == "unsuitable")
            continue;
        unsigned steps = 0;
        std::istringstream(expected) >> steps >> answer;
        const SearchResult result = search(engine, problem, steps, control);
        CHECK(result.outcome == (answer == "gave"         ? Outcome::gave_up
                                 : answer == "impossible" ? Outcome::impossible
                                                          : Outcome::found));
        CHECK((control.effort == 0 || name == "hgsa" || result.tried <= control.effort)); // it ends its epoch
        CHECK((result.unscheduled == 0) == (result.outcome == Outcome::found));
        if (result.outcome == Outcome::impossible && name == "exact")
            CHECK_FALSE(refute(problem, {steps + 1, "", InfeasibilityProof{result.proof}}));
    }
}

TEST_CASE("the same seed and effort give the same schedule, and an engine ends when it is told to",
          "[portfolio][engines]")
{
    const auto& [name, network, words, steps, effort] =
        GENERATE(table<std::string, std::string, std::string, unsigned, std::uint64_t>({
            {"local", "mesh:3x3", "alltoall", 8, 50'000},
            {"local", "mesh:4x4", "allgather ports=1", 15, 1'000'000},
            {"local", "hypercube:5", "broadcast source=3", 2, 1'000'000},
            {"local", "ring:6", "alltoall hops", 7, 50'000},
            {"symmetry", "mesh:4x4", "alltoall", 17, 100'000},
            {"exact", "mesh:3x3", "alltoall", 6, 1'000'000},
            {"umda", "omega:8", "alltoall", 8, 1'000'000},
            {"mboa", "hypercube:3", "allgather", 5, 1'000'000},
            {"hgsa", "hypercube:3", "allgather", 4, 1'000'000},
            {"even", "mesh:4x4", "alltoall", 20, 50'000},
            {"even", "mesh:8x9", "alltoall fault=link:33-34", 200, 40'896},
            {"quotient", "mesh:4x4", "alltoall", 20, 50'000},
            {"quotient", "mesh:6x6", "alltoall", 57, 126'000},
            {"quotient", "torus:5x6", "alltoall", 28, 87'000},
            {"quotient", "fat_octagon:8", "alltoall", 20, 24'000},
        }));
    CAPTURE(name, network, words);
    const Engine& engine = find_engine(name);
    const Problem problem = problem_in_words(network, words);
    const auto found = [&, most = effort, within = steps](std::uint64_t seed) {
        const SearchResult result = search(engine, problem, within, {.seed = seed, .effort = most});
        CHECK(result.tried <= most);
        return result;
    };
    const SearchResult first = found(3);
    REQUIRE(first.schedule);
    CHECK(found(3).schedule == first.schedule);
    CHECK((found(4).schedule == first.schedule) == (name == "exact")); // the solver has no chance
    const std::atomic<bool> stop{true};
    const SearchResult stopped = search(engine, problem, steps, {.end = {.stop = &stop}});
    CHECK(stopped.outcome == Outcome::gave_up);
    CHECK(stopped.tried == 0);
    const auto over = std::chrono::steady_clock::now();
    CHECK(search(engine, problem, steps, {.end = {.deadline = over}}).outcome == Outcome::gave_up);
}

TEST_CASE("a search says how far it has got", "[portfolio][engines]")
{
    const auto& [name, network, words, steps, effort] =
        GENERATE(table<std::string, std::string, std::string, unsigned, std::uint64_t>({
            {"local", "mesh:4x4", "scatter source=1", 5, 300},
            {"local", "mesh:4x4", "MNB senders=0,1 receivers=15 hops", 5, 0},
            {"exact", "mesh:4x4", "alltoall", 15, 0},
        }));
    const std::string& expected = name;
    std::atomic<bool> stop{false};
    unsigned calls = 0;
    SearchControl control{.effort = effort, .end = {.stop = &stop}};
    control.on_progress = [&, within = steps](const SearchProgress& progress) {
        CHECK(progress.engine == expected);
        CHECK(progress.steps == within);
        CHECK(progress.unscheduled > 0);
        stop = ++calls == 2;
    };
    CHECK(search(find_engine(name), problem_in_words(network, words), steps, control).outcome ==
          Outcome::gave_up);
    CHECK(calls > 0);
    CHECK(calls <= 2);
}

} // namespace nocturne::all_engines_test
