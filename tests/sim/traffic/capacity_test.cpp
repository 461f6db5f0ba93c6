#include "models/topology/make_topology.hpp"
#include "sim/traffic/load_curves.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <span>
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

/// On a mesh of k x k transpose brings k - 1 flows over the link beside a corner of the diagonal; in a row of
/// k complement brings k/2 flows over the link in the middle. A hot processor is sent the share s and its
/// part of the rest by each of n: n (s + (1 - s) / n) flits cross its ejection link. Bit reversal brings
/// sqrt(n)/2 flows over a link of a hypercube and sqrt(n) over one of an omega network. Networks in which
/// heads wait for others that block them saturate earlier: they are not among these.
constexpr Case cases[] = {
    {"mesh:3x3", "xy", "transpose", 1.0 / 2},
    {"mesh:4x4", "xy", "transpose", 1.0 / 3},
    {"complete:9", "shortest", "hotspot:#0,0.5", 1 / (9 * 0.5 + 0.5)},
    {"mesh:5x5", "xy", "transpose", 1.0 / 4},
    {"mesh:5x5", "yx", "transpose", 1.0 / 4},
    {"mesh:6x6", "xy", "transpose", 1.0 / 5},
    {"mesh:6x6", "yx", "transpose", 1.0 / 5},
    {"mesh:7x7", "yx", "transpose", 1.0 / 6},
    {"mesh:8x8", "xy", "transpose", 1.0 / 7},
    {"mesh:8x8", "yx", "transpose", 1.0 / 7},
    {"mesh:9x9", "xy", "transpose", 1.0 / 8},
    {"mesh:8x4", "xy", "complement", 1.0 / 4},
    {"mesh:16", "dor", "complement", 1.0 / 8},
    {"complete:6", "shortest", "hotspot:#2,0.8", 1 / (6 * 0.8 + 0.2)},
    {"hypercube:4", "dor", "reversal", 1.0 / 2},
    {"hypercube:6", "dor", "reversal", 1.0 / 4},
    {"omega:16", "tag", "reversal", 1.0 / 4},
};

/// As many as NOCTURNE_CAPACITY_CASES says in the environment, with the measurement of the command; a few
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
