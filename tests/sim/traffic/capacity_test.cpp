#include "models/topology/make_topology.hpp"
#include "sim/traffic/load_curves.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>

namespace nocturne::capacity_test {

namespace {

/// A network, traffic, and the load that its busiest link can carry: 1 / (flits that cross it for each flit
/// that a processor offers).
struct Case {
    const char* topology;
    const char* routing;
    const char* pattern;
    double capacity;
};

/// On a mesh of k columns transpose brings k - 1 flows over the link beside a corner of the diagonal. Uniform
/// traffic brings k/2 sources in a row, each half of what it sends, over the link in the middle: k/4. On a
/// ring tornado brings its distance, d flows over each link; bit-complement brings k/2 flows over the link in
/// the middle of a row. Several processors at one router share its links.
constexpr Case cases[] = {
    {"mesh:4x4", "xy", "transpose", 1.0 / 3},
    {"mesh:5x5", "xy", "transpose", 1.0 / 4},
    {"ring:7", "dor+datelines", "tornado", 1.0 / 3},
    {"mesh:4x4", "xy", "bit-complement", 1.0 / 2},
    {"mesh:6x6", "xy", "transpose", 1.0 / 5},
    {"mesh:8x8", "xy", "transpose", 1.0 / 7},
    {"mesh:8x8", "yx", "transpose", 1.0 / 7},
    {"mesh:9x9", "xy", "transpose", 1.0 / 8},
    {"mesh:8x8", "xy", "bit-complement", 1.0 / 4},
    {"mesh:8x4", "xy", "bit-complement", 1.0 / 4},
    {"mesh:8x8", "xy", "uniform", 4.0 / 8},
    {"mesh:12x12", "xy", "uniform", 4.0 / 12},
    {"mesh:16x16", "xy", "uniform", 4.0 / 16},
    {"ring:9", "dor+datelines", "tornado", 1.0 / 4},
    {"ring:11", "dor+datelines", "tornado", 1.0 / 5},
    {"ring:13", "dor+datelines", "tornado", 1.0 / 6},
    {"torus:7x7", "dor+datelines", "tornado", 1.0 / 3},
    {"torus:9x9", "dor+datelines", "tornado", 1.0 / 4},
    {"mesh:16", "dor", "bit-complement", 1.0 / 8},
    {"mesh:10", "dor", "uniform", 4.0 / 10},
};

/// All of them with NOCTURNE_CAPACITY_CASES=20 in the environment and the measurement of the command; a few
/// otherwise, for a shorter time.
std::size_t cases_wanted()
{
    const char* const wanted = std::getenv("NOCTURNE_CAPACITY_CASES");
    return wanted == nullptr ? 3 : static_cast<std::size_t>(std::stoul(wanted));
}

} // namespace

TEST_CASE("the interval found for saturation holds the capacity of the busiest link", "[traffic][capacity]")
{
    std::vector<CurveSpecification> curves;
    const std::size_t wanted = std::min(cases_wanted(), std::size(cases));
    for (const Case& each : std::span(cases).first(wanted)) {
        CurveSpecification curve{each.topology, make_topology(each.topology), each.routing, each.pattern};
        curve.packet_flits = "1";
        curve.hardware.vcs = 8;
        curves.push_back(curve);
    }
    CurveOptions options;
    if (wanted <= 3)
        options.plan = {1000, 10'000, 20, 10'000};
    const auto found = find_saturation(curves, {0, std::nullopt, 0.005}, options);
    for (std::size_t i = 0; i < wanted; ++i) {
        CAPTURE(cases[i].topology, cases[i].routing, cases[i].pattern, cases[i].capacity);
        REQUIRE(found[i].highest_steady_load);
        REQUIRE(found[i].lowest_saturated_load);
        CAPTURE(*found[i].highest_steady_load, *found[i].lowest_saturated_load);
        CHECK(*found[i].highest_steady_load <= cases[i].capacity);
        CHECK(*found[i].lowest_saturated_load >= cases[i].capacity);
    }
}

} // namespace nocturne::capacity_test
