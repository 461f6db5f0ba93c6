// Engine `auto` beside each single engine.
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"
#include "tests/schedules/problem/problem_rows.hpp"

#include <array>
#include <string>

namespace nocturne::auto_engine_test {

namespace {

constexpr std::array networks{"ring:12", "mesh:4x4",   "torus:4x4", "hypercube:3", "kautz:3,2", "btree:16",
                              "star:6",  "octagon:16", "omega:8",   "fattree:8",   "mesh:3x5",  "torus:3x3x3",
                              "ring:7",  "fbtree:15",  "kautz:3,3", "mesh:5x5",    "petersen"};
/// The end of a search by effort, not by time.
PortfolioResult found_by(const Problem& problem, std::string engine)
{
    PortfolioOptions options{.engine = std::move(engine), .budget = std::chrono::hours(1)};
    options.most_rounds = 3;
    options.workers = 1;
    return find_schedule(problem, options);
}

} // namespace

TEST_CASE("auto takes no more steps than any engine alone in as many rounds", "[portfolio][auto]")
{
    std::size_t compared = 0, number = 0;
    for (const char* const network : networks)
        for (const CollectiveKind kind : test::chunk_kinds) {
            if (!test::is_tried(number++, 37))
                continue;
            const Problem problem = test::problem_in_words(network, std::string(to_string(kind)));
            CAPTURE(describe(problem));
            const PortfolioResult of_all = found_by(problem, "auto");
            REQUIRE(of_all.schedule);
            const Problem searched = is_copied_backwards(problem) ? turned(problem) : problem;
            for (const Engine* const engine : engines_for(searched, "auto")) {
                const PortfolioResult of_one = found_by(problem, std::string(engine->name));
                ++compared;
                CAPTURE(engine->name);
                if (of_one.schedule)
                    CHECK(of_all.schedule->steps.size() <= of_one.schedule->steps.size());
            }
        }
    CHECK(compared > 0);
}

} // namespace nocturne::auto_engine_test
