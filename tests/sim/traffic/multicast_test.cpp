// Multicasts as unicasts, against the packet log of the same run.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/traffic/class_specification.hpp"
#include "sim/traffic/measure.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::multicast_test {

namespace {

struct Unicast {
    std::string of_class;
    std::string source, destination;
    std::uint64_t created, injected, ejected;
};

struct Measured {
    TrafficPoint point;
    std::vector<Unicast> log;
};

const MeasurementPlan short_plan{500, 4000, 10, 4000};

template <class Measure> // of a plan
Measured logged(Measure measure)
{
    const Job job = [&] {
        std::string log;
        MeasurementPlan plan = short_plan;
        plan.records.log.sink = [&](std::string_view piece) { log += piece; };
        const TrafficPoint point = measure(plan);
        return nlohmann::json{{"point", point}, {"log", log}};
    };
    const nlohmann::json made = run_jobs(std::vector{job}).front();
    Measured run{made["point"].get<TrafficPoint>(), {}};
    std::istringstream lines(made["log"].get<std::string>());
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::ranges::replace(line, ',', ' ');
        std::istringstream fields(line);
        Unicast& each = run.log.emplace_back();
        std::uint64_t number = 0;
        fields >> each.of_class >> number >> each.source >> each.destination >> number >> each.created >>
            each.injected >> each.ejected;
        if (!fields)
            each.ejected = 0;
    }
    return run;
}

Measured measure_multicasts(NetworkModel model, const std::string& pattern, double load,
                            const TrafficFaults& faults = {})
{
    const Topology mesh = make_topology("mesh:4x4");
    const Routing routing = make_routing(mesh, "dor");
    return logged([&](const MeasurementPlan& plan) {
        MeasuredNetwork network{{}, one_port, model, faults};
        network.hardware.vcs = faults.reroute_after ? 4 : 1; // for detours over layers
        return measure_traffic(mesh, routing, network, {make_pattern(mesh, pattern, 3), load}, plan);
    });
}

/// Of the class in the window.
void require_as_logged(const MulticastLatency& latency, const Measured& run, const std::string& of_class,
                       std::size_t destinations)
{
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::uint64_t>> latencies;
    for (const Unicast& each : run.log)
        if (each.of_class == of_class && each.created > 500 && each.created <= 4500)
            latencies[{each.source, each.created}].push_back(each.ejected == 0 ? 0
                                                                               : each.ejected - each.created);
    double last = 0, mean = 0;
    std::vector<std::uint64_t> longest;
    for (const auto& [which, own] : latencies) {
        REQUIRE(own.size() <= destinations);
        if (own.size() < destinations || std::ranges::find(own, 0u) != own.end())
            continue; // some that cannot be sent, or are lost
        longest.push_back(*std::ranges::max_element(own));
        last += static_cast<double>(longest.back());
        for (const std::uint64_t cycles : own)
            mean += static_cast<double>(cycles) / static_cast<double>(destinations);
    }
    std::ranges::sort(longest);
    const auto count = static_cast<double>(longest.size());
    CHECK(latency.multicasts == longest.size());
    CHECK(latency.unicasts_per_multicast == static_cast<double>(destinations));
    CHECK(*latency.average_last_latency_cycles == Approx(last / count));
    CHECK(*latency.average_mean_latency_cycles == Approx(mean / count));
    CHECK(latency.maximum_last_latency_cycles == longest.back());
    CHECK(latency.p99_last_latency_cycles == longest[(longest.size() * 99 + 99) / 100 - 1]);
}

} // namespace

TEST_CASE("a multicast has arrived when its last unicast has", "[traffic][multicast]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const std::size_t destinations = GENERATE(1u, 4u, 15u);
    const Measured run = measure_multicasts(model, "multicast:" + std::to_string(destinations), 0.1);
    REQUIRE_FALSE(run.point.saturated);
    REQUIRE(run.point.multicast);
    require_as_logged(*run.point.multicast, run, "traffic", destinations);
    CHECK(run.point.multicast->sent_as == std::to_string(destinations) +
                                              (destinations == 1 ? " unicast" : " unicasts") +
                                              ", one behind the other");
    CHECK(run.point.measured_packets == run.point.multicast->multicasts * destinations);
    // One group for each source, and never itself.
    std::map<std::string, std::map<std::string, int>> groups;
    for (const Unicast& each : run.log)
        ++groups[each.source][each.destination];
    for (const auto& [source, to] : groups) {
        CHECK(to.size() == destinations);
        CHECK_FALSE(to.contains(source));
    }
}

TEST_CASE("the load counts the flits that are injected", "[traffic][multicast]")
{
    const std::string pattern = GENERATE("multicast:1", "multicast:5", "multicast:15");
    const Topology mesh = make_topology("mesh:4x4");
    const MeasuredNetwork network{{}, one_port, NetworkModel::worm, {}};
    const TrafficPoint point =
        measure_traffic(mesh, make_routing(mesh, "dor"), network, {make_pattern(mesh, pattern, 3), 0.1},
                        {500, 100'000, 10, 4000});
    CHECK(point.offered_flit_rate == Approx(0.1).epsilon(0.1));
    CHECK(point.accepted_flit_rate == Approx(0.1).epsilon(0.1));
}

TEST_CASE("unicasts of a multicast leave one behind the other", "[traffic][multicast]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Measured run = measure_multicasts(model, "multicast:3", 0.01);
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::uint64_t>> injected;
    for (const Unicast& each : run.log)
        injected[{each.source, each.created}].push_back(each.injected);
    for (auto& [which, cycles] : injected) {
        std::ranges::sort(cycles);
        REQUIRE(cycles.size() == 3);
        CHECK(cycles[1] >= cycles[0] + 8); // of 8 flits each
        CHECK(cycles[2] >= cycles[1] + 8);
    }
}

TEST_CASE("a multicast that loses a unicast counts nowhere", "[traffic][multicast]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology("mesh:4x4");
    const TrafficFaults faults{parse_faults(mesh, std::vector<std::string>{"link:11-12"}), {1000, 2000}, {}};
    const Measured run = measure_multicasts(model, "multicast:4", 0.1, faults);
    REQUIRE(run.point.faults->measured_lost_packets > 0);
    require_as_logged(*run.point.multicast, run, "traffic", 4);
}

TEST_CASE("a multicast to what has failed counts nowhere", "[traffic][multicast]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology("mesh:4x4");
    const TrafficFaults faults{parse_faults(mesh, std::vector<std::string>{"node:11"}), {1000, 2000}, 50};
    const Measured run = measure_multicasts(model, "multicast:4", 0.1, faults);
    REQUIRE(run.point.faults->undeliverable_packets > 0);
    require_as_logged(*run.point.multicast, run, "traffic", 4);
}

TEST_CASE("a class may be of multicasts", "[traffic][multicast][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology("mesh:4x4");
    const auto routing = std::make_shared<const Routing>(make_routing(mesh, "dor"));
    const PreparedClasses prepared = prepare_classes(
        {parse_class("one,load=0.05"), parse_class("many,load=0.1,pattern=multicast:5,packet-flits=2")}, mesh,
        routing, 3, 2000);
    const Measured run = logged([&](const MeasurementPlan& plan) {
        MeasuredNetwork network{{}, one_port, model, {}};
        network.hardware.vcs = 2;
        return measure_classes(mesh, prepared.traffic(), prepared.vc_classes, network, plan);
    });
    CHECK_FALSE(run.point.multicast);
    CHECK_FALSE(run.point.classes[0].multicast);
    REQUIRE(run.point.classes[1].multicast);
    require_as_logged(*run.point.classes[1].multicast, run, "many", 5);
}

TEST_CASE("a saturated point has multicasts, and no latencies of them", "[traffic][multicast]")
{
    const Measured run = measure_multicasts(NetworkModel::worm, "multicast:4", 0.9);
    REQUIRE(run.point.saturated);
    CHECK(run.point.multicast->multicasts > 0);
    CHECK_FALSE(run.point.multicast->average_last_latency_cycles);
}

} // namespace nocturne::multicast_test
