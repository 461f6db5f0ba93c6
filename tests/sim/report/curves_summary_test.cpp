// Headlines over generated results, each beside another count of what it claims.
#include "sim/report/report.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/traffic_results.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace nocturne::curves_summary_test {

using Catch::Contains;

TEST_CASE("load curves: who saturates last and first, by generated curves", "[report][summary]")
{
    std::mt19937 random(2);
    for (int repetition = 0; repetition < 100; ++repetition) {
        nlohmann::ordered_json result{{"curves", nlohmann::ordered_json::array()}};
        std::vector<int> steady; // points of each curve that are
        for (const char* const routing : {"xy", "west_first", "odd_even"}) {
            TrafficCurve curve;
            curve.topology = "mesh:4x4";
            curve.routing = routing;
            curve.pattern = "uniform";
            steady.push_back(std::uniform_int_distribution(1, 4)(random));
            for (int i = 1; i <= 5; ++i) {
                TrafficPoint point;
                point.load = 0.1 * i;
                point.saturated = i > steady.back();
                if (!point.saturated)
                    point.latency.average_packet_latency_cycles = 20 + i;
                curve.points.push_back(point);
            }
            result["curves"].push_back(curve);
        }
        const auto summary = summary_of("traffic", result);
        REQUIRE(summary);
        INFO(summary->headline);
        const int most = *std::ranges::max_element(steady), least = *std::ranges::min_element(steady);
        if (most == least) {
            CHECK_THAT(summary->headline, Contains("All 3 curves saturate between"));
        } else {
            const std::vector<std::string> names{"xy", "west_first", "odd_even"};
            const std::string before = summary->headline.substr(0, summary->headline.find(';'));
            for (std::size_t i = 0; i < names.size(); ++i)
                CHECK((before.find(names[i]) != std::string::npos) == (steady[i] == most));
            CHECK_THAT(before, Contains(fmt::format(" last, between {:.3g} and {:.3g}", 0.1 * most,
                                                    0.1 * (most + 1))));
        }
        CHECK_THAT(summary->headline, Contains("At load 0.1 a packet takes 21 cycles."));
        CHECK(std::get<LinePlot>(summary->picture).curves.size() == 3);
    }
}

TEST_CASE("latencies that stand side by side are of one load", "[report][summary]")
{
    const auto curve = [](const char* routing, std::vector<std::pair<double, double>> steady) {
        TrafficCurve made;
        made.topology = "mesh:4x4";
        made.routing = routing;
        for (const auto& [load, latency] : steady)
            made.points.emplace_back().load = load,
            made.points.back().latency.average_packet_latency_cycles = latency;
        made.points.emplace_back().load = 0.9;
        made.points.back().saturated = true;
        return made;
    };
    const auto headline = [](std::vector<TrafficCurve> curves) {
        return summary_of("traffic", {{"curves", curves}})->headline;
    };
    // As a search for saturation leaves them.
    CHECK_THAT(headline({curve("xy", {{0.5, 60}, {0.25, 40}, {0.125, 30}}),
                         curve("odd_even", {{0.25, 50}, {0.3, 70}})}),
               Contains("At load 0.25 a packet takes 40 to 50 cycles."));
    CHECK_THAT(headline({curve("xy", {{0.5, 60}}), curve("odd_even", {{0.25, 50}})}),
               !Contains("a packet takes"));
}

} // namespace nocturne::curves_summary_test
