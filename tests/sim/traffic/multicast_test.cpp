// Multicasts as unicasts, against the packet log of the same run.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/class_specification.hpp"
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::multicast_test {

using namespace nocturne::test;

namespace {

TrafficSetting multicasts(NetworkModel model, const std::string& pattern, double load)
{
    TrafficSetting setting{"mesh:4x4", pattern, load, "dor"};
    setting.model = model;
    setting.plan = {500, 4000, 10, 4000};
    return setting;
}

/// Of the class in the window.
void require_as_logged(const MulticastLatency& latency, const std::vector<LoggedPacket>& packets,
                       const std::string& of_class, std::size_t destinations)
{
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::uint64_t>> latencies;
    for (const LoggedPacket& each : packets)
        if (each.of_class == of_class && each.created > 500 && each.created <= 4500)
            latencies[{each.source, each.created}].push_back(each.latency);
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
    const LoggedPoint run = logged(multicasts(model, "multicast:" + std::to_string(destinations), 0.1));
    REQUIRE_FALSE(run.point.saturated);
    REQUIRE(run.point.multicast);
    require_as_logged(*run.point.multicast, run.packets, "traffic", destinations);
    CHECK(run.point.multicast->sent_as == std::to_string(destinations) +
                                              (destinations == 1 ? " unicast" : " unicasts") +
                                              ", one behind the other");
    CHECK(run.point.measured_packets == run.point.multicast->multicasts * destinations);
    // One group for each source, and never itself.
    std::map<std::string, std::map<std::string, int>> groups;
    for (const LoggedPacket& each : run.packets)
        ++groups[each.source][each.destination];
    for (const auto& [source, to] : groups) {
        CHECK(to.size() == destinations);
        CHECK_FALSE(to.contains(source));
    }
}

TEST_CASE("the load counts the flits that are injected", "[traffic][multicast]")
{
    const std::string pattern = GENERATE("multicast:1", "multicast:5", "multicast:15");
    TrafficSetting setting = multicasts(NetworkModel::worm, pattern, 0.1);
    setting.plan.window_cycles = 100'000;
    const TrafficPoint point = measure_here(setting);
    CHECK(point.offered_flit_rate == Approx(0.1).epsilon(0.1));
    CHECK(point.accepted_flit_rate == Approx(0.1).epsilon(0.1));
}

TEST_CASE("unicasts of a multicast leave one behind the other", "[traffic][multicast]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const LoggedPoint run = logged(multicasts(model, "multicast:3", 0.01));
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::uint64_t>> injected;
    for (const LoggedPacket& each : run.packets)
        injected[{each.source, each.created}].push_back(each.injected);
    for (auto& [which, cycles] : injected) {
        std::ranges::sort(cycles);
        REQUIRE(cycles.size() == 3);
        CHECK(cycles[1] >= cycles[0] + 8); // of 8 flits each
        CHECK(cycles[2] >= cycles[1] + 8);
    }
}

TEST_CASE("a multicast that loses a unicast, or goes to what has failed, counts nowhere",
          "[traffic][multicast]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const bool is_node = GENERATE(false, true);
    TrafficSetting setting = multicasts(model, "multicast:4", 0.1);
    setting.faults = {is_node ? "node:11" : "link:11-12"};
    setting.down = {1000, 2000};
    if (is_node)
        setting.reroute_after = 50;
    const LoggedPoint run = logged(setting);
    REQUIRE((is_node ? run.point.faults->undeliverable_packets : run.point.faults->measured_lost_packets) >
            0);
    require_as_logged(*run.point.multicast, run.packets, "traffic", 4);
}

TEST_CASE("a class may be of multicasts", "[traffic][multicast][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology("mesh:4x4");
    const auto routing = std::make_shared<const Routing>(make_routing(mesh, "dor"));
    const PreparedClasses prepared = prepare_classes(
        {parse_class("one,load=0.05"), parse_class("many,load=0.1,pattern=multicast:5,packet-flits=2")}, mesh,
        routing, 3, 2000);
    MeasuredNetwork network;
    network.model = model;
    network.hardware.vcs = 2;
    const auto [point, log] = in_worker([&] {
        std::pair<TrafficPoint, std::string> made;
        MeasurementPlan plan = multicasts(model, "", 0).plan;
        plan.records.log.sink = [&](std::string_view piece) { made.second += piece; };
        made.first = measure_classes(mesh, prepared.traffic(), prepared.vc_classes, network, plan);
        return made;
    });
    CHECK_FALSE(point.multicast);
    CHECK_FALSE(point.classes[0].multicast);
    REQUIRE(point.classes[1].multicast);
    require_as_logged(*point.classes[1].multicast, packets_in(log), "many", 5);
}

TEST_CASE("a saturated point has multicasts, and no latencies of them", "[traffic][multicast]")
{
    const TrafficPoint point = measure_here(multicasts(NetworkModel::worm, "multicast:4", 0.9));
    REQUIRE(point.saturated);
    CHECK(point.multicast->multicasts > 0);
    CHECK_FALSE(point.multicast->average_last_latency_cycles);
}

} // namespace nocturne::multicast_test
