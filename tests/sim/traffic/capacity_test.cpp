#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/link_demand.hpp"
#include "sim/traffic/load_curves.hpp"
#include "tests/catch.hpp"

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
    bool has_ideal_switch = false; ///< it takes one to bring the link to its capacity
};

/// Of every input as many flits cross in a cycle as it has virtual channels, as far as outputs are free, and
/// buffers are deep: nothing waits but for links.
void make_switch_ideal(HardwareConfig& hardware)
{
    hardware.vcs = 32;
    hardware.buffer_flits = 64;
    hardware.allocation.iterations = 8;
    hardware.allocation.input_speedup = 32;
}

/// On a mesh of k x k transpose brings k - 1 flows over the link beside a corner of the diagonal; in a row of
/// k complement brings k/2 flows over the link in the middle. A hot processor is sent the share s and its
/// part of the rest by each of n: n (s + (1 - s) / n) flits cross its ejection link. Bit reversal brings
/// sqrt(n)/2 flows over a link of a hypercube and sqrt(n) over one of an omega network. Uniform traffic
/// (to oneself too) brings n/4 over the link in the middle of a line, and (h (h + 1) / 2) / n of a ring of
/// n = 2h + 1 over each link; tornado h.
///
/// Where flows of one input part for several outputs that other inputs want too, the switch saturates first:
/// with 8 virtual channels, buffers of 8 flits and one iteration of iSLIP the line of 10 ends at 0.355 of
/// 0.4, the ring of 11 at 0.545 of 0.733 (0.59 with an input speedup of 2, 0.726 with that, 32 virtual
/// channels, buffers of 64 flits and four iterations), the ring of 7 at 0.267 of 0.333 and the mesh at 0.467
/// of 0.5. With an ideal switch all of them reach their links' capacity: it is no fault of the search.
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
    {"ring:7", "shortest+layers", "tornado", 1.0 / 3, true},
    {"torus:7", "dor+datelines", "tornado", 1.0 / 3, true},
    {"mesh:4x4", "xy", "complement", 1.0 / 2, true},
    {"mesh:10", "dor", "uniform", 4.0 / 10, true},
    {"torus:11", "dor+datelines", "uniform", 11.0 / 15, true},
};

/// As many as NOCTURNE_CAPACITY_CASES says in the environment, or the last ones where it is below 0, with the
/// measurement of the command; otherwise a few, for a shorter time.
struct Share {
    std::span<const Case> cases;
    bool is_short;
};

Share wanted_share()
{
    const std::span<const Case> all = cases;
    const char* const wanted = std::getenv("NOCTURNE_CAPACITY_CASES");
    if (wanted == nullptr)
        return {all.first(3), true};
    const int count = std::stoi(wanted);
    const std::size_t size = std::min(static_cast<std::size_t>(std::abs(count)), all.size());
    return {count < 0 ? all.last(size) : all.first(size), false};
}

} // namespace

TEST_CASE("the interval found for saturation holds the capacity of the busiest link", "[traffic][capacity]")
{
    std::vector<CurveSpecification> curves;
    const Share share = wanted_share();
    for (const Case& each : share.cases) {
        CurveSpecification curve{each.topology, make_topology(each.topology), each.routing, each.pattern};
        curve.packet_flits = "1";
        curve.hardware.vcs = 8;
        if (each.has_ideal_switch)
            make_switch_ideal(curve.hardware);
        curves.push_back(curve);
    }
    CurveOptions options;
    if (share.is_short)
        options.plan = {1000, 10'000, 20, 10'000};
    const auto found = find_saturation(curves, {0, std::nullopt, 0.005}, options);
    for (std::size_t i = 0; i < share.cases.size(); ++i) {
        const Case& each = share.cases[i];
        CAPTURE(each.topology, each.routing, each.pattern, each.capacity);
        REQUIRE(found[i].highest_steady_load);
        REQUIRE(found[i].lowest_saturated_load);
        CAPTURE(*found[i].highest_steady_load, *found[i].lowest_saturated_load);
        CHECK(*found[i].highest_steady_load <= each.capacity);
        CHECK(*found[i].lowest_saturated_load >= each.capacity);
    }
}

TEST_CASE("what drawn routes ask of links is known, but for some percent, and never more", "[traffic]")
{
    // Half of the flows of transpose over each of two links, uniform ones as in dimension order.
    struct Drawn {
        const char* topology;
        const char* routing;
        const char* pattern;
        double capacity;
    };
    constexpr Drawn drawn[] = {{"mesh:8x8", "o1turn", "transpose", 2.0 / 7},
                               {"mesh:6x6", "o1turn", "transpose", 2.0 / 5},
                               {"mesh:8x8", "o1turn", "uniform", 0.5},
                               {"mesh:8x8", "xy", "transpose", 1.0 / 7}};
    for (const Drawn& each : drawn) {
        INFO(each.topology << ' ' << each.routing << ' ' << each.pattern);
        const Topology network = make_topology(each.topology);
        const Routing routing = make_routing(network, each.routing);
        HardwareConfig hardware;
        hardware.vcs = 4;
        const LinkPlan plan(network, hardware, one_port, routing.vc_classes);
        const auto demand_at = [&](double load) {
            const Traffic traffic{.pattern = make_pattern(network, each.pattern), .load = load};
            const ClassTraffic of_one{"", traffic, routing};
            return highest_demand(plan, std::span(&of_one, 1)).demand;
        };
        CHECK(demand_at(each.capacity * 0.999) <= 1);
        CHECK(demand_at(each.capacity * 1.06) > 1);
        CHECK(demand_at(each.capacity) == Approx(1).epsilon(0.05));
    }
}

TEST_CASE("what o1turn asks of links is known exactly: it has two routes, each as often", "[traffic]")
{
    const Topology network = make_topology("mesh:8x8");
    const Routing routing = make_routing(network, "o1turn");
    HardwareConfig hardware;
    hardware.vcs = 4;
    const LinkPlan plan(network, hardware, one_port, routing.vc_classes);
    for (const double load : {0.1, 0.3}) {
        const Traffic traffic{.pattern = make_pattern(network, "transpose"), .load = load};
        const ClassTraffic of_one{"", traffic, routing};
        CHECK(highest_demand(plan, std::span(&of_one, 1)).demand == Approx(load * 3.5)); // half of 7 flows
    }
}

} // namespace nocturne::capacity_test
