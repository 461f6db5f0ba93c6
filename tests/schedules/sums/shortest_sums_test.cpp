// The fewest steps of all-reduce and scan on tiny networks, by trying all schedules.
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/collective/drawn_collectives.hpp"
#include "tests/schedules/problem/random_problems.hpp"
#include "tests/schedules/sums/shortest_sum.hpp"

namespace nocturne::shortest_sums_test {

TEST_CASE("no bound of a sum is above the fewest steps, and these are found", "[sums][exhaustive]")
{
    const auto [text, ports] = GENERATE(table<std::string, unsigned>({{"ring:3", 1},
                                                                      {"ring:3", 2},
                                                                      {"mesh:1x3", 1},
                                                                      {"mesh:1x3", 2},
                                                                      {"star:3", 1},
                                                                      {"mesh:2x2", 1},
                                                                      {"mesh:1x4", 1}}));
    const CollectiveKind kind =
        GENERATE(CollectiveKind::reduce, CollectiveKind::allreduce, CollectiveKind::scan);
    CAPTURE(text, ports, to_string(kind));
    const Topology topology = make_topology(text);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    test::AskedCollective asked{kind, processors, {}};
    if (has_root(kind))
        asked.given.source = 0;
    const Problem problem{topology, make_collective(kind, processors, asked.given), PortModel{ports}};
    PortfolioOptions options;
    options.workers = 1;
    options.budget = std::chrono::seconds(2);
    const PortfolioResult result = find_schedule(problem, options);
    REQUIRE(result.schedule);
    CHECK(objection_to(*result.schedule, problem) == std::nullopt);
    const std::size_t fewest =
        test::fewest_steps_of_one(problem, test::spelled_out(asked), result.schedule->steps.size());
    CHECK(result.bound().steps == fewest);
    CHECK(refute(problem, result.bound()) == std::nullopt);
    CHECK(fewest == result.schedule->steps.size());
}

TEST_CASE("the formula of sums has a model for the fewest steps and a checked proof for one less",
          "[sums][exhaustive][certificate]")
{
    std::size_t judged = 0;
    for (std::uint64_t seed = 1; judged < (test::is_nightly() ? 120 : 6); ++seed) {
        Problem problem = test::random_problem(seed, 4, test::Traffic::broadcast);
        const auto processors = static_cast<std::uint32_t>(problem.topology.processor_count());
        const std::size_t most_channels = test::is_nightly() ? 12 : 8;
        if (processors < 2 || processors > 4 || problem.topology.channel_count() > most_channels)
            continue;
        test::AskedCollective asked{
            seed % 2 == 0 ? CollectiveKind::allreduce : CollectiveKind::scan, processors, {}};
        problem.collective = make_collective(asked.kind, processors, asked.given);
        try {
            check(problem);
        } catch (const std::invalid_argument&) {
            continue; // cannot be posed
        }
        CAPTURE(seed, describe(problem));
        const std::size_t most = test::is_nightly() ? 3 : 2; // the search of all schedules is by force
        const std::size_t fewest = test::fewest_steps_of_one(problem, test::spelled_out(asked), most);
        if (fewest > most)
            continue;
        ++judged;
        const auto found = infeasibility_bound(problem, static_cast<unsigned>(fewest), {});
        CHECK(found.verdict == Verdict::satisfiable);
        if (fewest == 1)
            continue;
        const auto less = infeasibility_bound(problem, static_cast<unsigned>(fewest) - 1, {});
        REQUIRE(less.bound);
        CHECK(less.bound->steps == fewest);
        CHECK(refute(problem, *less.bound) == std::nullopt);
        Bound claim = *less.bound;
        ++claim.steps;
        CHECK(refute(problem, claim) != std::nullopt);
    }
}

} // namespace nocturne::shortest_sums_test
