#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/load_curves.hpp"
#include "sim/traffic/model_digest.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <cmath>

namespace nocturne::load_curves_test {

namespace {

CurveSpecification curve(const std::string& topology, const std::string& pattern = "uniform",
                         const std::string& routing = "auto")
{
    return {topology, make_topology(topology), routing, pattern};
}

CurveOptions short_runs()
{
    CurveOptions options;
    options.plan = {500, 4000, 20, 4000};
    return options;
}

} // namespace

TEST_CASE("saturation is found between two loads that are close together", "[traffic]")
{
    const std::vector<CurveSpecification> curves{curve("mesh:4x4"), curve("mesh:4x4", "hotspot:00,0.5")};
    const auto found = find_saturation(curves, {0, 1, 0.02}, short_runs());
    REQUIRE(found.size() == 2);
    for (const TrafficCurve& each : found) {
        REQUIRE(each.highest_steady_load);
        REQUIRE(each.lowest_saturated_load);
        CHECK(*each.lowest_saturated_load > *each.highest_steady_load);
        CHECK(*each.lowest_saturated_load - *each.highest_steady_load <= 0.02);
        for (std::size_t p = 1; p < each.points.size(); ++p)
            CHECK(each.points[p - 1].load < each.points[p].load);
    }
    CHECK(*found[0].highest_steady_load > 0.3);
    // One processor takes a flit a cycle: 16 x load x (0.5 + 0.5 / 16) of them come.
    CHECK(*found[1].lowest_saturated_load < 1.02 / (16 * (0.5 + 0.5 / 16)) + 0.02);
}

TEST_CASE("a network that does not saturate is told so", "[traffic]")
{
    // Everybody has a link of its own.
    const std::vector<CurveSpecification> curves{curve("complete:4", "neighbour")};
    const auto found = find_saturation(curves, {0, 0.8, 0.02}, short_runs());
    CHECK(found[0].highest_steady_load == 0.8);
    CHECK_FALSE(found[0].lowest_saturated_load);
    CHECK(found[0].points.size() == 1);
}

TEST_CASE("the search goes up to the highest load that traffic and ports allow", "[traffic]")
{
    const test::TemporaryFolder folder;
    // The first processor sends three quarters of all traffic, that is 3 times the mean.
    const std::string matrix = folder.file("matrix", "0 3 0 0  0 0 1 0  0 0 0 0  0 0 0 0");
    std::vector<CurveSpecification> curves{curve("complete:4", "matrix:" + matrix),
                                           curve("complete:4", "neighbour"), curve("complete:4", "neighbour"),
                                           curve("complete:4", "neighbour")};
    curves[1].arrivals = "bursty:20,0.4";
    curves[2].ports = all_port;
    curves[2].packet_flits = "2";
    curves[3].ports = all_port;
    const auto found = find_saturation(curves, {.tolerance = 0.1}, short_runs());
    REQUIRE(found.size() == 4);
    CHECK(found[0].points.back().load == Approx(1.0 / 3)); // of the sender's one flit a cycle
    CHECK(found[1].points.back().load == 0.4);             // within a burst
    CHECK(found[2].points.back().load == 2);               // a packet of two flits in each cycle
    CHECK(found[3].points.back().load == 3);               // three injection links
    CHECK(found[1].highest_steady_load == 0.4);
    REQUIRE(found[3].lowest_saturated_load); // the one link to the neighbour
    CHECK(*found[3].lowest_saturated_load > 0.7);
    CHECK(*found[3].lowest_saturated_load < 1.1);
}

TEST_CASE("points that are done are not measured again", "[traffic]")
{
    const test::TemporaryFolder folder;
    std::vector<CurveSpecification> curves{curve("mesh:4x4")};
    const double loads[] = {0.05, 0.1};
    CurveOptions options = short_runs();
    options.checkpoint = folder / "points.json";
    std::size_t jobs = 0;
    options.workers.on_progress = [&](std::size_t, std::size_t total) { jobs = total; };
    const auto first = measure_curves(curves, std::span(loads, 1), options);
    CHECK(jobs == 1);
    const auto both = measure_curves(curves, loads, options);
    CHECK(jobs == 1);
    CHECK(both[0].points[0] == first[0].points[0]);
    CurveOptions without = short_runs();
    CHECK(both == measure_curves(curves, loads, without));
    // Another seed is another point.
    curves[0].seed = 2;
    CHECK_FALSE(measure_curves(curves, loads, options)[0].points[0] == first[0].points[0]);
    CHECK(jobs == 2);
}

TEST_CASE("the rounds of a search for saturation count towards one whole", "[traffic]")
{
    CurveOptions options = short_runs();
    std::vector<std::pair<std::size_t, std::size_t>> told;
    options.workers.on_progress = [&](std::size_t done, std::size_t total) {
        told.emplace_back(done, total);
    };
    const auto found = find_saturation(std::vector{curve("mesh:4x4")}, {0, 1, 0.1}, options);
    REQUIRE(found.front().lowest_saturated_load);
    REQUIRE_FALSE(told.empty());
    CHECK(told.front().second == 1 + 3 * 2); // load 1, and thirds of 1, 1/3 and 1/9
    CHECK(std::ranges::is_sorted(told, {}, [](const auto& each) { return each.first; }));
    CHECK(std::ranges::is_sorted(told, std::greater(), [](const auto& each) { return each.second; }));
    CHECK(told.back().first == found.front().points.size());
    CHECK(told.back().first == told.back().second);
}

TEST_CASE("points of another version of the models are measured again", "[traffic]")
{
    const test::TemporaryFolder folder;
    const std::vector<CurveSpecification> curves{curve("mesh:4x4")};
    const double loads[] = {0.05};
    CurveOptions options = short_runs();
    options.checkpoint = folder / "points.json";
    std::size_t jobs = 0;
    options.workers.on_progress = [&](std::size_t, std::size_t total) { jobs += total; };
    measure_curves(curves, loads, options);
    CHECK(std::exchange(jobs, 0) > 0);
    measure_curves(curves, loads, options);
    CHECK(jobs == 0);
    std::string text = read_file(options.checkpoint);
    REQUIRE(text.find(model_digest()) != std::string::npos);
    text.replace(text.find(model_digest()), model_digest().size(), "0123456789abcdef");
    write_file_atomically(options.checkpoint, text);
    measure_curves(curves, loads, options);
    CHECK(jobs > 0);
}

TEST_CASE("a pattern whose file has changed is another pattern", "[traffic]")
{
    const test::TemporaryFolder folder;
    const std::string file = folder.file("permutation", "1 0 3 2");
    const std::vector<CurveSpecification> curves{curve("mesh:2x2", "permutation:" + file)};
    const double loads[] = {0.1};
    CurveOptions options = short_runs();
    options.checkpoint = folder / "points.json";
    const auto first = measure_curves(curves, loads, options);
    CHECK(measure_curves(curves, loads, options) == first);
    folder.file("permutation", "3 2 1 0"); // across the mesh: one hop more
    const auto second = measure_curves(curves, loads, options);
    CHECK(*second[0].points[0].latency.average_packet_latency_cycles >
          *first[0].points[0].latency.average_packet_latency_cycles + 4);
}

TEST_CASE("curves of one call that take as many virtual channels as needed all get the same number",
          "[traffic]")
{
    const double loads[] = {0.1};
    const auto vcs_of = [&](const std::vector<CurveSpecification>& curves) {
        std::vector<std::uint32_t> vcs;
        for (const TrafficCurve& each : measure_curves(curves, loads, short_runs()))
            vcs.push_back(each.vcs);
        return vcs;
    };
    const CurveSpecification mesh = curve("mesh:4x4", "uniform", "xy");
    const CurveSpecification adaptive = curve("mesh:4x4", "uniform", "adaptive");
    CHECK(vcs_of({mesh}) == std::vector{1u});
    CHECK(vcs_of({mesh, adaptive, curve("torus:4x4")}) == std::vector{2u, 2u, 2u});
    CurveSpecification fixed = mesh;
    fixed.as_many_vcs_as_needed = false;
    CHECK(vcs_of({fixed, adaptive}) == std::vector{1u, 2u});
    CurveSpecification eight = mesh;
    eight.hardware.vcs = 8;
    CHECK(vcs_of({eight, adaptive}) == std::vector{8u, 8u});
    // It is that hardware: the same points as with the number said.
    CurveSpecification two = mesh;
    two.hardware.vcs = 2;
    two.as_many_vcs_as_needed = false;
    CHECK(measure_curves(std::vector{mesh, adaptive}, loads, short_runs()).front() ==
          measure_curves(std::vector{two}, loads, short_runs()).front());
    CHECK(find_saturation(std::vector{mesh, adaptive}, {0, 1, 0.5}, short_runs()).front().vcs == 2);
}

TEST_CASE("curves that cannot be are refused before anything runs", "[traffic]")
{
    CurveOptions options = short_runs();
    bool ran = false;
    options.workers.on_progress = [&](std::size_t, std::size_t) { ran = true; };
    const std::vector<CurveSpecification> curves{curve("mesh:4x4"), curve("mesh:4x4", "diagonal")};
    const double loads[] = {0.1};
    CHECK_THROWS_WITH(measure_curves(curves, loads, options), Catch::Contains("diagonal"));
    CHECK_FALSE(ran);
    CHECK_THROWS_WITH(find_saturation(std::span(curves).first(1), {0.5, 0.4, 0.1}, options),
                      Catch::Contains("0.5"));
}

TEST_CASE("a seed measures the same beside others as alone", "[traffic]")
{
    for (const char* const routing : {"auto", "valiant", "adaptive"}) {
        std::vector<CurveSpecification> curves{curve("mesh:4x4", "random", routing)};
        for (const std::uint64_t seed : {2, 3}) {
            curves.push_back(curves.front());
            curves.back().seed = seed;
        }
        const double loads[] = {0.1};
        const std::vector<TrafficCurve> together = measure_curves(curves, loads, short_runs());
        for (std::size_t i = 0; i < curves.size(); ++i)
            CHECK(measure_curves(std::span(curves).subspan(i, 1), loads, short_runs()).front() ==
                  together[i]);
        CHECK(together[1].points != together[2].points);
    }
}

} // namespace nocturne::load_curves_test
