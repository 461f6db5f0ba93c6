#include "models/routing/make_routing.hpp"
#include "sim/replay/compare.hpp"
#include "sim/report/baselines.hpp"
#include "sim/report/results.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"

#include <algorithm>

namespace nocturne::compare_test {

using namespace nocturne::test;

namespace {

Comparison comparison_of(const Example& example, unsigned workers, std::uint64_t seed)
{
    const Routing routing = make_routing(example.topology, "auto", seed);
    ComparisonOptions options;
    options.message_bytes = {64, 500};
    options.baselines = usual_baselines(example.schedule.collective, seed);
    options.simulation.hardware.vcs = routing.vc_classes;
    options.simulation.seed = seed;
    options.workers.workers = workers;
    return compare(example.schedule, example.topology, {&routing, 1}, options);
}

const RunResult& run_of(const Comparison& comparison, const std::string& traffic, std::uint64_t bytes)
{
    const auto found =
        std::find_if(comparison.baselines.begin(), comparison.baselines.end(), [&](const RunResult& run) {
            return run.traffic == traffic && run.message_bytes == bytes;
        });
    REQUIRE(found != comparison.baselines.end());
    return *found;
}

} // namespace

TEST_CASE("another seed changes what is random and nothing else", "[replay][compare]")
{
    const Example example = printed("octagon8_aas.json");
    const Comparison one = comparison_of(example, 2, 1);
    const Comparison other = comparison_of(example, 2, 2);
    CHECK(run_of(one, "random", 500).channels != run_of(other, "random", 500).channels);
    for (const char* traffic : {"shifted", "in-order", "shifted+chained", "schedule, self-timed"})
        CHECK((run_of(one, traffic, 500) == run_of(other, traffic, 500)));
    CHECK((one.replays == other.replays));
}

} // namespace nocturne::compare_test
