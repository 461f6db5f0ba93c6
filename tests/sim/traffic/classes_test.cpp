#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/traffic/load_curves.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::classes_test {

using Catch::Contains;

namespace {

CurveOptions quick()
{
    CurveOptions options;
    options.plan = {500, 4000, 10, 4000};
    return options;
}

CurveSpecification curve_of(const std::string& topology, const std::vector<std::string>& classes,
                            NetworkModel model = NetworkModel::flit)
{
    CurveSpecification curve{topology, make_topology(topology)};
    curve.model = model;
    for (const std::string& text : classes)
        curve.classes.push_back(parse_class(text));
    return curve;
}

/// At the loads that the classes say.
TrafficPoint point_of(const CurveSpecification& curve)
{
    std::vector<double> loads{0};
    for (const ClassSpecification& each : curve.classes)
        loads.front() += each.load;
    return measure_curves(std::vector{curve}, loads, quick()).front().points.front();
}

} // namespace

TEST_CASE("a class is a name and keys, whose values may have commas", "[traffic][classes]")
{
    CHECK(parse_class("data,load=0.25") == ClassSpecification{"data", "uniform", 0.25});
    CHECK(parse_class("a,load=0.1,pattern=hotspot:33+44,0.1,packet-flits=2:0.7,16:0.3,arrivals=bursty:20,0.5,"
                      "vcs=2,priority=3") ==
          ClassSpecification{"a", "hotspot:33+44,0.1", 0.1, "2:0.7,16:0.3", "bursty:20,0.5", 2, 3});
    CHECK(parse_class("a,load=0.1,senders=b/*").senders == "b/*");
    CHECK(parse_class("a,load=0.1,vcs-of=b").vcs_of == "b");
}

TEST_CASE("each class offers and accepts its own load, and the classes make up the whole",
          "[traffic][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const std::string topology = GENERATE("mesh:4x4", "torus:4x4");
    const TrafficPoint point = point_of(
        curve_of(topology, {"small,load=0.02,packet-flits=1", "large,load=0.1,pattern=transpose"}, model));
    REQUIRE(point.classes.size() == 2);
    CHECK_FALSE(point.saturated);
    CHECK(point.load == Approx(0.12));
    double accepted = 0, latency = 0;
    std::uint64_t measured = 0, packets = 0;
    for (const ClassPoint& each : point.classes) {
        CHECK(each.accepted_flit_rate == Approx(each.load).epsilon(0.15));
        accepted += each.accepted_flit_rate;
        measured += each.measured_packets;
        packets += each.packets;
        latency += *each.latency.average_packet_latency_cycles * static_cast<double>(each.measured_packets);
    }
    CHECK(accepted == Approx(point.accepted_flit_rate));
    CHECK(measured == point.measured_packets);
    CHECK(packets == point.packets);
    CHECK(latency / static_cast<double>(measured) == Approx(*point.latency.average_packet_latency_cycles));
    CHECK(*point.classes[0].latency.average_packet_latency_cycles <
          *point.classes[1].latency.average_packet_latency_cycles);
}

TEST_CASE("only the senders of a class send, and together they have its load", "[traffic][classes]")
{
    const TrafficPoint point =
        point_of(curve_of("mesh:4x4", {"row,load=0.05,senders=1?", "others,load=0.1,senders=[023]?"}));
    REQUIRE(point.classes.size() == 2);
    CHECK(point.classes[0].accepted_flit_rate == Approx(0.05).epsilon(0.1));
    CHECK(point.classes[1].accepted_flit_rate == Approx(0.1).epsilon(0.1));

    const Topology mesh = make_topology("mesh:4x4");
    const auto routing = std::make_shared<const Routing>(make_routing(mesh, "auto"));
    const PreparedClasses prepared =
        prepare_classes({parse_class("row,load=0.05,senders=1?")}, mesh, routing, 1, 10);
    for (ProcessorId id = 0; id < 16; ++id)
        CHECK(prepared.classes.front().traffic.pattern.share(id) == (id / 4 == 1 ? 4 : 0));
    CHECK_THROWS_WITH(prepare_classes({parse_class("a,load=0.1,senders=x*")}, mesh, routing, 1, 10),
                      Contains("class a: senders=x*: mesh:4x4 has no such processor"));
}

TEST_CASE("one class alone is the same traffic without classes", "[traffic][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    TrafficPoint as_class = point_of(curve_of("mesh:4x4", {"all,load=0.1"}, model));
    CurveSpecification plain{"mesh:4x4", make_topology("mesh:4x4")};
    plain.model = model;
    const std::vector<double> loads{0.1};
    CHECK(as_class == measure_curves(std::vector{plain}, loads, quick()).front().points.front());
}

TEST_CASE("classes have the virtual channels that they ask for", "[traffic][classes]")
{
    const Topology torus = make_topology("torus:4x4");
    const auto routing = std::make_shared<const Routing>(make_routing(torus, "auto"));
    REQUIRE(routing->vc_classes == 2);
    const PreparedClasses prepared = prepare_classes(
        {parse_class("a,load=0.1,vcs=2"), parse_class("b,load=0.1,vcs=6")}, torus, routing, 1, 10);
    const auto shares = prepared.vc_classes.shares(0, 8);
    REQUIRE(shares.size() == 4);
    CHECK(shares[0].count + shares[1].count == 2);
    CHECK(shares[2].count + shares[3].count == 6);
    const PreparedClasses shared =
        prepare_classes({parse_class("a,load=0.1,vcs=2"), parse_class("b,load=0.1,vcs=3"),
                         parse_class("c,load=0.1,vcs-of=a")},
                        torus, routing, 1, 10);
    CHECK(shared.vc_classes.count() == 4);
    CHECK(shared.classes[2].routing->route(0, 5) == shared.classes[0].routing->route(0, 5));
    CHECK_FALSE(shared.classes[2].routing->route(0, 5) == shared.classes[1].routing->route(0, 5));
}

TEST_CASE("two classes of half the load on the same virtual channels are close to one class",
          "[traffic][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const std::string network = GENERATE("mesh:4x4", "torus:4x4");
    const TrafficPoint one = point_of(curve_of(network, {"all,load=0.2"}, model));
    const TrafficPoint two = point_of(curve_of(network, {"a,load=0.1", "b,load=0.1,vcs-of=a"}, model));
    REQUIRE_FALSE(one.saturated);
    CHECK(*two.latency.average_packet_latency_cycles ==
          Approx(*one.latency.average_packet_latency_cycles).epsilon(0.06));
    CHECK(two.accepted_flit_rate == Approx(one.accepted_flit_rate).epsilon(0.06));
    for (const ClassPoint& each : two.classes)
        CHECK(*each.latency.average_packet_latency_cycles ==
              Approx(*one.latency.average_packet_latency_cycles).epsilon(0.08));
}

TEST_CASE("one class saturates where the same traffic without classes does", "[traffic][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    CurveSpecification plain{"mesh:4x4", make_topology("mesh:4x4")};
    plain.model = model;
    const std::vector curves{plain, curve_of("mesh:4x4", {"all,load=0.07"}, model)};
    std::vector<TrafficCurve> found = find_saturation(curves, {0, std::nullopt, 0.1}, quick());
    CHECK(found[0].scaled.empty());
    CHECK_THAT(found[1].scaled, Contains("1 for all 0.07, 0.07 together"));
    CHECK(found[0].points == found[1].points);
    CHECK(found[0].highest_steady_load == found[1].highest_steady_load);
    CHECK(found[0].lowest_saturated_load == found[1].lowest_saturated_load);
}

TEST_CASE("a search scales the loads of all classes by one factor", "[traffic][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const CurveSpecification curve =
        curve_of("mesh:4x4", {"small,load=0.02,packet-flits=1", "large,load=0.06,pattern=transpose"}, model);
    const TrafficCurve found = find_saturation(std::vector{curve}, {0, std::nullopt, 0.1}, quick()).front();
    REQUIRE(found.highest_steady_load);
    REQUIRE(found.lowest_saturated_load);
    CHECK(*found.lowest_saturated_load - *found.highest_steady_load <= 0.1);
    for (const TrafficPoint& point : found.points) {
        CHECK(point.classes[0].load == Approx(point.load / 4));
        CHECK(point.classes[1].load == Approx(point.load * 3 / 4));
    }
    // A point of the search is the point of classes with these loads.
    CurveSpecification steady = curve;
    const auto point = std::ranges::find(found.points, *found.highest_steady_load, &TrafficPoint::load);
    steady.classes[0].load = point->classes[0].load;
    steady.classes[1].load = point->classes[1].load;
    TrafficPoint again = point_of(steady);
    again.load = point->load;
    CHECK(again == *point);
    CurveSpecification idle = curve;
    idle.classes[0].load = idle.classes[1].load = 0;
    CHECK_THROWS_WITH(find_saturation(std::vector{idle}, {0, std::nullopt, 0.1}, quick()),
                      Contains("all loads are 0"));
}

TEST_CASE("classes lose packets to faults, and go round them in channels of their own", "[traffic][classes]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    CurveSpecification curve =
        curve_of("mesh:4x4", {"a,load=0.05,vcs=1", "b,load=0.15,vcs=3,packet-flits=2"}, model);
    curve.faults.parts = {"link:11-12"};
    curve.faults.down.from = 1000;
    const TrafficPoint lost = point_of(curve);
    REQUIRE(lost.faults);
    CHECK(lost.faults->lost_packets > 0);
    CHECK(lost.classes[0].lost_packets + lost.classes[1].lost_packets == lost.faults->lost_packets);
    curve.faults.reroute_after = 20;
    const TrafficPoint around = point_of(curve);
    CHECK(around.faults->rerouted_packets > 0);
    CHECK(around.faults->lost_packets < lost.faults->lost_packets);
    CHECK_FALSE(around.saturated);
    // One class alone loses what the same traffic loses without classes.
    CurveSpecification alone = curve_of("mesh:4x4", {"all,load=0.1"}, model);
    alone.faults = curve.faults;
    CurveSpecification plain{"mesh:4x4", make_topology("mesh:4x4")};
    plain.model = model;
    plain.faults = curve.faults;
    const std::vector<double> loads{0.1};
    CHECK(point_of(alone) == measure_curves(std::vector{plain}, loads, quick()).front().points.front());
}

TEST_CASE("detours leave classes the virtual channels that they ask for", "[traffic][classes]")
{
    const Topology mesh = make_topology("mesh:4x4");
    const PreparedClasses prepared =
        prepare_classes({parse_class("a,load=0.1,vcs=1"), parse_class("b,load=0.1,vcs=5")}, mesh,
                        std::make_shared<const Routing>(make_routing(mesh, "dor")), 1, 10);
    const VcClasses with_reroutes = prepared.vc_classes.followed_by(VcClasses(2));
    const auto shares = with_reroutes.shares(0, 8);
    REQUIRE(shares.size() == 4);
    CHECK(shares[0].count == 1);
    CHECK(shares[1].count == 5);
    CHECK(shares[2].count == 1);
    CHECK(shares[3].count == 1);
}

TEST_CASE("a class that is preferred waits less under load", "[traffic][classes]")
{
    // The same traffic twice, but for the priority.
    CurveSpecification curve = curve_of("mesh:4x4", {"low,load=0.2,vcs=2", "high,load=0.2,vcs=2,priority=1"});
    curve.hardware.allocation.arbiter = ArbiterKind::priority;
    const TrafficPoint point = point_of(curve);
    REQUIRE_FALSE(point.saturated);
    CHECK(*point.classes[1].latency.average_network_latency_cycles <
          0.97 * *point.classes[0].latency.average_network_latency_cycles);
}

} // namespace nocturne::classes_test
