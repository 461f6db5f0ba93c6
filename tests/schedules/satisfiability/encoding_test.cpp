#include "models/topology/make_topology.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/satisfiability/encoders.hpp"
#include "schedules/satisfiability/encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/satisfiability/small_problems.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne::encoding_test {

using namespace nocturne::test;

using nocturne::test::random_small_problem;

TEST_CASE("flows over channels say the same as lists of paths", "[bounds][encoding]")
{
    for (std::uint64_t seed = 500; seed < 700; ++seed) {
        Problem problem = random_small_problem(seed);
        problem.switching = Switching::wormhole;
        problem.slack = seed % 2 == 0 ? 0u : 100u;
        if (!forbids_relays(problem))
            continue;
        for (unsigned steps = 1; steps <= 3; ++steps) {
            EncodingPlan plan = plan_direct(problem, steps);
            REQUIRE_FALSE(plan.has_flows); // there are few paths
            const Encoding listed = encode_direct(problem, steps, std::move(plan));
            const Encoding flowing = encode_direct(problem, steps, EncodingPlan{.has_flows = true});
            const Solution solution = solve(flowing.formula, {});
            INFO("seed " << seed << ": " << describe(problem) << " in " << steps);
            REQUIRE(solution.verdict == solve(listed.formula, {}).verdict);
            if (solution.verdict == Verdict::unsatisfiable)
                continue;
            const std::vector<TimedTransfer> transfers = flowing.transfers(solution.model);
            CHECK(transfers.size() == problem.collective.messages().size());
            for (const TimedTransfer& transfer : transfers)
                CHECK(connects(problem.topology, transfer.source, transfer.destination, transfer.path));
        }
    }
}

TEST_CASE("the estimate is near the size of the formula", "[bounds][encoding]")
{
    const auto& [network, words, steps] =
        GENERATE(table<std::string, std::string, unsigned>({{"mesh:4x4", "alltoall slack=0", 16},
                                                            {"mesh:4x4", "alltoall slack=100", 16},
                                                            {"mesh:4x4", "allgather", 8},
                                                            {"mesh:4x4", "allgather hops", 8},
                                                            {"mesh:3x3", "alltoall slack=1", 6},
                                                            {"omega:8", "allgather", 7},
                                                            {"mesh:4x4", "broadcast", 3}}));
    const Problem problem = problem_in_words(network, words);
    const auto literals = static_cast<double>(encode(problem, steps).formula.literal_count());
    const auto estimated = static_cast<double>(estimated_literals(problem, steps));
    INFO(describe(problem) << ": " << literals << ", estimated " << estimated);
    CHECK(estimated < 2.5 * literals);
    CHECK(literals < 2.5 * estimated);
}

TEST_CASE("what is too large is refused before it is made", "[bounds][encoding]")
{
    Problem problem = make_problem(make_topology("mesh:16x16"), alltoall({256}));
    CHECK(estimated_literals(problem, 1000) == too_large);
    CHECK_THROWS_AS(encode(problem, 1000), std::invalid_argument);
    problem.slack = 2;
    CHECK(estimated_literals(problem, 1000) == too_large);
    CHECK_THROWS_AS(encode(problem, 0), std::invalid_argument);
    CHECK_THROWS_AS(estimated_literals(problem, 0), std::invalid_argument);
}

} // namespace nocturne::encoding_test
