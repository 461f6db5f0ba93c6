// Headlines over generated results, each beside another count of what it claims.
#include "sim/report/recovery_results.hpp"
#include "sim/report/report.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/traffic_results.hpp"
#include "tests/catch.hpp"
#include "tests/sim/report/sample_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::report_test {

using Catch::Contains;

namespace {

/// Who is faster at each size, by the numbers of the JSON alone.
std::vector<std::pair<std::uint64_t, double>> ratios_in(const nlohmann::ordered_json& comparison)
{
    std::vector<std::pair<std::uint64_t, double>> ratios;
    for (const auto& scheduled : comparison["runs"]) {
        if (scheduled["traffic"] != "schedule")
            continue;
        double least = 1e300;
        for (const auto& run : comparison["runs"])
            if (run["message_bytes"] == scheduled["message_bytes"] && run["outcome"] == "ok" &&
                !run["traffic"].get<std::string>().starts_with("schedule"))
                least = std::min(least, run["time_ns"].get<double>());
        ratios.emplace_back(scheduled["message_bytes"], least / scheduled["time_ns"].get<double>());
    }
    return ratios;
}

/// What the headline says of a size: `64 B` and the rest of the sentence in front of it.
bool claims(const std::string& headline, const std::string& words)
{
    return headline.find(words) != std::string::npos;
}

Comparison drawn_comparison(std::mt19937& random)
{
    Comparison comparison = sample_comparison();
    const auto draw = [&](double least, double most) {
        return std::uniform_real_distribution(least, most)(random);
    };
    // Rising, falling or neither: all forms of the sentence come up.
    const double slope = draw(-1, 1);
    for (std::size_t i = 0; i < comparison.baselines.size(); ++i) {
        const std::size_t size = i / 2;
        RunResult& run = comparison.baselines[i];
        run.time_ns = comparison.replays[size].run.time_ns *
                      std::exp(slope * (static_cast<double>(size) - 1) + draw(-0.3, 0.3));
        if (draw(0, 1) < 0.1)
            run.memory_ok = false; // what did not end well is no opponent
    }
    return comparison;
}

} // namespace

TEST_CASE("the headline of a comparison claims what its times say", "[report][summary]")
{
    std::mt19937 random(1);
    std::size_t forms[5] = {};
    for (int repetition = 0; repetition < 300; ++repetition) {
        const Comparison comparison = drawn_comparison(random);
        const nlohmann::ordered_json json = comparison;
        const auto all = ratios_in(json);
        std::vector<std::pair<std::uint64_t, double>> ratios;
        for (const auto& each : all)
            if (each.second < 1e290)
                ratios.push_back(each);
        const std::string headline = headline_of(comparison);
        INFO(headline << '\n' << json.dump());
        REQUIRE(headline == headline_of(comparison_of(json)));
        if (ratios.empty()) {
            CHECK_THAT(headline, Contains("nothing to compare with"));
            continue;
        }
        const auto won = [](const auto& each) { return each.second >= 1.005; };
        const auto wins = static_cast<std::size_t>(std::ranges::count_if(ratios, won));
        for (std::size_t i = 0; i < ratios.size(); ++i) {
            const std::string size = size_text(ratios[i].first);
            const bool on = std::all_of(ratios.begin() + static_cast<std::ptrdiff_t>(i), ratios.end(), won) &&
                            wins == ratios.size() - i;
            CHECK(claims(headline, "wins from " + size + " on:") == (on && i > 0));
            const bool up =
                std::all_of(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(i + 1), won) &&
                wins == i + 1;
            CHECK(claims(headline, "wins up to " + size + ":") == (up && i + 1 < ratios.size()));
            forms[0] += on && i > 0 ? 1 : 0;
            forms[1] += up && i + 1 < ratios.size() ? 1 : 0;
        }
        CHECK(claims(headline, "wins at no size:") == (wins == 0));
        CHECK(claims(headline, "wins at every size:") == (wins == ratios.size()));
        forms[2] += wins == 0 ? 1 : 0;
        forms[3] += wins == ratios.size() ? 1 : 0;
        forms[4] += claims(headline, fmt::format("wins at {} of {} sizes:", wins, ratios.size())) ? 1 : 0;
        const auto& [bytes, ratio] = ratios.back();
        if (ratio >= 1.005)
            CHECK(claims(headline, fmt::format("{:.3g} times faster at {}", ratio, size_text(bytes))));
        if (1 / ratio >= 1.005)
            CHECK(claims(headline, fmt::format("{:.3g} times slower at {}", 1 / ratio, size_text(bytes))));
    }
    CHECK(std::ranges::all_of(forms, [](std::size_t count) { return count > 0; }));
}

TEST_CASE("a schedule that fails is said first, and several comparisons are one sentence",
          "[report][summary]")
{
    Comparison comparison = sample_comparison();
    CHECK_THAT(headline_of(comparison), Contains("wins at every size: 1.5 times faster at 64 KiB"));
    Comparison other = comparison;
    other.topology = "ring:8";
    for (RunResult& run : other.baselines)
        run.time_ns /= 10;
    CHECK(headline_of(std::vector{other, comparison}) ==
          "The schedule wins at every size with AAB on omega:8 and at no size with AAB on ring:8.");
    comparison.replays[1].run.stall = Stall{10, "no flit moved", {}};
    CHECK_THAT(headline_of(comparison), Contains("The schedule failed: stalled at 1 KiB."));
    const auto summary = summary_of("compare", nlohmann::ordered_json(comparison));
    REQUIRE(summary);
    CHECK(summary->is_bad);
    CHECK(std::holds_alternative<LinePlot>(summary->picture));
    CHECK(to_json(*summary)["table"]["rows"].size() == 3);
}

TEST_CASE("a deadlock, an invalid schedule and a lost message are bad news, with their reasons",
          "[report][summary]")
{
    TrafficCurve curve;
    curve.pattern = "uniform";
    curve.points.emplace_back().stall = Stall{10, "a circular wait of 8 channels", {}};
    const auto traffic = summary_of("traffic", {{"curves", std::vector{curve}}});
    REQUIRE(traffic);
    CHECK(traffic->is_bad);
    CHECK_THAT(traffic->reasons.at(0), Contains("circular wait of 8"));

    const auto invalid = summary_of(
        "certify", nlohmann::ordered_json::parse(
                       R"({"topology": "ring:4", "collective": "allreduce", "valid": false, "violations": [
                           {"rule": "port", "text": "a", "count": 2}, {"rule": "link", "text": "b"}]})"));
    REQUIRE(invalid);
    CHECK(invalid->is_bad);
    CHECK(invalid->subject == "all-reduce on ring:4");
    CHECK(invalid->headline == "This schedule is invalid: 3 violations of port and link.");
    CHECK(invalid->reasons == std::vector<std::string>{"a", "b"});

    auto program = nlohmann::ordered_json::parse(
        R"({"program": "a.goal", "format": "GOAL", "ranks": 4, "valid": true, "not_judged": ["sums"]})");
    const auto judged = summary_of("validate program", program);
    CHECK(judged.value().reasons == std::vector<std::string>{"Not judged: sums."});
    program["valid"] = false;
    program["violations"] = {{{"rule", "circular-wait"}, {"text", "c"}}};
    const auto stuck = summary_of("validate program", program);
    REQUIRE(stuck);
    CHECK(stuck->is_bad);
    CHECK(stuck->subject == "a.goal, GOAL, 4 ranks");
    CHECK(stuck->headline == "These programs are invalid: 1 violation of circular-wait.");

    RecoveryResult recovery;
    recovery.messages_owed = 56;
    recovery.messages_delivered = 55;
    recovery.memory_ok = true;
    recovery.phases = {{"replay", 0, 1000}, {"locate", 1000, 3500}};
    recovery.time_ns = 3500;
    const auto recovered = summary_of("recover", nlohmann::ordered_json(recovery));
    REQUIRE(recovered);
    CHECK(recovered->is_bad);
    CHECK_THAT(recovered->headline,
               Contains("Only 55 of 56 messages") &&
                   Contains("intact in 3.5 µs, of which finding the fault and a repair took 2.5 µs"));
    CHECK(std::holds_alternative<GanttPlot>(recovered->picture));
}

TEST_CASE("schedules say how good they are, and why no other one is better", "[report][summary]")
{
    const auto headline = [](const char* json) {
        const auto summary = summary_of("certify", nlohmann::ordered_json::parse(json));
        REQUIRE(summary);
        return summary->headline;
    };
    CHECK(headline(R"({"valid": true, "steps": 4, "lower_bound": 4, "bound_reason": "88 hops"})") ==
          "4 steps, and no schedule has fewer (88 hops).");
    CHECK(headline(R"({"valid": true, "steps": 6, "lower_bound": 4})") ==
          "6 steps, 2 more than the lower bound of 4.");
    CHECK(headline(R"({"valid": true, "steps": 7})") ==
          "7 steps, and every rule is kept; no lower bound is given.");
    CHECK(headline(R"({"lower_bound": 1, "bound_reason": "ports"})") ==
          "No schedule has fewer than 1 step (ports).");
    CHECK(headline(R"({"valid": true, "time_cycles": 300, "cycle_ns": 2, "bus_bandwidth_gb_per_s": 4,
                       "bounds": [{"time_cycles": 200, "bound_reason": "a cut"}]})") ==
          "600 ns, 1.5 times the lower bound of 400 ns (a cut); bus bandwidth 4 GB/s.");
    CHECK(headline(R"({"valid": true, "time_cycles": 200, "bounds": [{"time_cycles": 200}]})") ==
          "200 cycles, the least possible.");
    CHECK(headline(R"({"valid": true, "time_cycles": 1000001, "bounds": [{"time_cycles": 1000000}]})") ==
          "1000001 cycles, less than 0.01 % above the lower bound of 1000000 cycles.");
}

TEST_CASE("a network says first that its routing can deadlock, a design how far it is from its bounds",
          "[report][summary]")
{
    const auto ring = summary_of(
        "topology", nlohmann::ordered_json::parse(
                        R"json({"topology": "ring:4", "processors": 4, "routers": 4, "maximum_hops": 2,
                            "average_hops": 1.33, "routing": "shortest", "deadlock_free": false,
                            "cycle": "0->1 (vc 0) -> 1->0 (vc 0) -> 0->1 (vc 0)"})json"));
    REQUIRE(ring);
    CHECK(ring->is_bad);
    CHECK(ring->headline ==
          "Routing shortest can deadlock. 4 processors on 4 routers, at most 2 hops apart and "
          "1.33 on average.");
    const auto design =
        summary_of("design", nlohmann::ordered_json::parse(
                                 R"({"topology": "design:8,3", "routers": 8, "channels": 24, "terms": [
                          {"term": "average latency", "weight": 1, "value": 3, "bound": 2},
                          {"term": "total wire length", "weight": 1, "value": 9, "bound": null}]})"));
    REQUIRE(design);
    const auto& plot = std::get<GanttPlot>(design->picture);
    CHECK(plot.rows == std::vector<std::string>{"average latency 3", "least possible"});
    REQUIRE(plot.boxes.size() == 2);
    CHECK(plot.boxes[0].end == 1.5);
    CHECK(plot.boxes[1].end == 1);
}

TEST_CASE("sizes, times and lists in words", "[report][summary]")
{
    using Sizes = std::map<std::uint64_t, std::string>;
    for (const auto& [bytes, text] : Sizes{
             {64, "64 B"}, {1500, "1500 B"}, {4096, "4 KiB"}, {3ULL << 20U, "3 MiB"}, {1ULL << 40U, "1 TiB"}})
        CHECK(size_text(bytes) == text);
    CHECK(time_text(999) == "999 ns");
    CHECK(time_text(1000) == "1 µs");
    CHECK(time_text(2'104'000) == "2.104 ms");
    CHECK(short_number(88900.5) == "88900");
    CHECK(listed({"a"}) == "a");
    CHECK(listed({"a", "b", "c"}) == "a, b and c");
    CHECK(listed({"a", "b", "c", "d", "e"}) == "a, b, c and 2 others");
    CHECK(collective_text("alltoall") == "all-to-all");
    CHECK(collective_text("broadcast") == "broadcast");
    CHECK_FALSE(summary_of("sweep", {}));
    CHECK_FALSE(summary_of("compare", {{"runs", 1}})); // of another version
}

} // namespace nocturne::report_test
