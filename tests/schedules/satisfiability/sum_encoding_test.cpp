#include "schedules/problem/transfer_rules.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "schedules/satisfiability/sum_encoding.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/satisfiability/satisfies.hpp"
#include "tests/schedules/satisfiability/small_problems.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace nocturne::sum_encoding_test {

using namespace nocturne::test;

namespace {

std::vector<CandidatePath> all_paths(const Problem& problem)
{
    std::vector<Pair> pairs;
    for (ProcessorId from = 0; from < problem.topology.processor_count(); ++from)
        for (ProcessorId to = 0; to < problem.topology.processor_count(); ++to)
            if (from != to)
                pairs.push_back({from, to});
    return list_candidate_paths(problem, pairs, [](const CandidatePath&) { return 1; }, 100'000)->all;
}

/// May every message be passed on, as sums may?
bool relays_everything(const Problem& problem)
{
    return std::ranges::none_of(problem.collective.messages(), [&](const Message& message) {
        return forbids_relays(problem.slack, message);
    });
}

} // namespace

TEST_CASE("what only copies has a schedule of sums if and only if trying everything finds one",
          "[sums][encoding]")
{
    constexpr unsigned most = 3;
    const unsigned block = GENERATE(range(0u, 8u));
    std::size_t satisfiable = 0, unsatisfiable = 0;
    for (std::uint64_t seed = 40 * block; seed < 40 * (block + 1); ++seed) {
        const Problem problem = random_small_problem(seed);
        if (!relays_everything(problem))
            continue;
        const std::optional<unsigned> fewest = fewest_steps(problem, most);
        const std::vector<CandidatePath> paths = all_paths(problem);
        for (unsigned steps = 1; steps <= most; ++steps) {
            INFO("seed " << seed << ": " << describe(problem) << " in " << steps);
            const Encoding encoding = encode_sums(problem, steps, paths);
            const Solution solution = solve(encoding.formula, {});
            REQUIRE(solution.verdict ==
                    (fewest && *fewest <= steps ? Verdict::satisfiable : Verdict::unsatisfiable));
            CHECK(encoding.formula.literal_count() <= 2 * estimated_sum_literals(problem, steps, paths));
            if (solution.verdict == Verdict::unsatisfiable) {
                ++unsatisfiable;
                continue;
            }
            ++satisfiable;
            CHECK(satisfies(solution.model, encoding.formula));
            Schedule schedule = empty_schedule(problem, "sums");
            schedule.steps.resize(steps);
            for (const auto& [step, message, from, to, path, operation] : encoding.transfers(solution.model))
                schedule.steps[step].emplace_back(message, from, to, path, operation);
            std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
            CHECK(objection_to(schedule, problem) == std::nullopt);
        }
    }
    CHECK(satisfiable > 10);
    CHECK(unsatisfiable > 10);
}

} // namespace nocturne::sum_encoding_test
