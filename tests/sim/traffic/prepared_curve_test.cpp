// What a measured point depends on, as a text that finds it again.
#include "models/routing/adaptive.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/prepared_curve.hpp"
#include "tests/catch.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace nocturne::prepared_curve_test {

namespace {

struct Point {
    CurveSpecification curve{"mesh:3x3", make_topology("mesh:3x3")};
    MeasurementPlan plan = {};
    double load = 0.1;

    std::string key() const { return stored_point_key(prepare_curve(curve), load, plan); }
};

using Change = std::function<void(Point&)>;

/// Of the hardware.
Change hardware(const std::function<void(HardwareConfig&)>& change)
{
    return [change](Point& point) { change(point.curve.hardware); };
}

Change routers(const std::function<void(RouterPart&)>& change)
{
    return [change](Point& point) {
        Topology network = point.curve.network;
        RouterPart part = network.part(4);
        change(part);
        network.set_part(4, part);
        point.curve.network = network;
    };
}

Change channels(const std::function<void(Channel&)>& change)
{
    return [change](Point& point) {
        Topology network = point.curve.network;
        Channel channel = network.channel(3);
        change(channel);
        network.set_channel(3, channel);
        point.curve.network = network;
    };
}

const std::map<std::string, Change> changes{
    {"routing", [](Point& point) { point.curve.routing = "xy"; }},
    {"pattern", [](Point& point) { point.curve.pattern = "transpose"; }},
    {"arrivals", [](Point& point) { point.curve.arrivals = "periodic"; }},
    {"packet flits", [](Point& point) { point.curve.packet_flits = "7"; }},
    {"ports", [](Point& point) { point.curve.ports = all_port; }},
    {"queue", [](Point& point) { point.curve.queue_packets = 3; }},
    {"seed", [](Point& point) { point.curve.seed = 2; }},
    {"model", [](Point& point) { point.curve.model = NetworkModel::worm; }},
    {"load", [](Point& point) { point.load = 0.2; }},
    {"cycle", hardware([](HardwareConfig& of) { of.cycle_ns = 1; })},
    {"flit bytes", hardware([](HardwareConfig& of) { of.flit_bytes = 8; })},
    {"router", hardware([](HardwareConfig& of) { of.router.vc_allocation = 2; })},
    {"crossbar", hardware([](HardwareConfig& of) { of.crossbar.switch_traversal = 2; })},
    {"links", hardware([](HardwareConfig& of) { of.link_cycles = 2; })},
    {"credits", hardware([](HardwareConfig& of) { of.credit_cycles = 2; })},
    {"interface", hardware([](HardwareConfig& of) { of.interface_cycles = 2; })},
    {"buffers", hardware([](HardwareConfig& of) { of.buffer_flits = 4; })},
    {"virtual channels", hardware([](HardwareConfig& of) { of.vcs = 2; })},
    {"synchronizers", hardware([](HardwareConfig& of) { of.synchronizer_cycles = 3; })},
    {"switch allocator",
     hardware([](HardwareConfig& of) { of.allocation.switch_allocator = AllocatorKind::wavefront; })},
    {"vc allocator",
     hardware([](HardwareConfig& of) { of.allocation.vc_allocator = AllocatorKind::wavefront; })},
    {"arbiter", hardware([](HardwareConfig& of) { of.allocation.arbiter = ArbiterKind::age; })},
    {"iterations", hardware([](HardwareConfig& of) { of.allocation.iterations = 2; })},
    {"speedup", hardware([](HardwareConfig& of) { of.allocation.input_speedup = 2; })},
    {"selection", hardware([](HardwareConfig& of) { of.selection = Selection::random; })},
    {"a router's pipeline", routers([](RouterPart& of) { of.pipeline = crossbar_switch_pipeline; })},
    {"a router's buffers", routers([](RouterPart& of) { of.buffer_flits = 4; })},
    {"a router's virtual channels", routers([](RouterPart& of) { of.vcs = 2; })},
    {"a router's arbiter", routers([](RouterPart& of) { of.arbiter = ArbiterKind::age; })},
    {"a router's clock", routers([](RouterPart& of) { of.clock = {1, 2}; })},
    {"a channel's latency", channels([](Channel& of) { of.latency_cycles = 2; })},
    {"a channel's width", channels([](Channel& of) { of.width_bytes = 2; })},
    {"a channel's buffers", channels([](Channel& of) { of.buffer_flits = 4; })},
    {"a channel's virtual channels", channels([](Channel& of) { of.vcs = 2; })},
    {"a class", [](Point& point) { point.curve.classes = {parse_class("a,load=0.1")}; }},
    {"its name", [](Point& point) { point.curve.classes = {parse_class("b,load=0.1")}; }},
    {"its load", [](Point& point) { point.curve.classes = {parse_class("a,load=0.2")}; }},
    {"its pattern",
     [](Point& point) { point.curve.classes = {parse_class("a,load=0.1,pattern=transpose")}; }},
    {"its senders", [](Point& point) { point.curve.classes = {parse_class("a,load=0.1,senders=00")}; }},
    {"its sizes", [](Point& point) { point.curve.classes = {parse_class("a,load=0.1,packet-flits=2")}; }},
    {"its arrivals",
     [](Point& point) { point.curve.classes = {parse_class("a,load=0.1,arrivals=periodic")}; }},
    {"its priority", [](Point& point) { point.curve.classes = {parse_class("a,load=0.1,priority=1")}; }},
    {"its virtual channels", [](Point& point) { point.curve.classes = {parse_class("a,load=0.1,vcs=1")}; }},
    {"another class",
     [](Point& point) {
         point.curve.classes = {parse_class("a,load=0.1,vcs=1"), parse_class("b,load=0,vcs=1")};
     }},
    {"virtual channels of another class",
     [](Point& point) {
         point.curve.classes = {parse_class("a,load=0.1,vcs=1"), parse_class("b,load=0,vcs-of=a")};
     }},
    {"virtual channels of classes by link",
     [](Point& point) {
         point.curve.classes = {parse_class("a,load=0.1,vcs=1")};
         point.curve.class_vcs.resize(point.curve.network->channel_count());
         point.curve.class_vcs[3] = {2};
     }},
    {"faults", [](Point& point) { point.curve.faults = {{"link:00-01"}}; }},
    {"other faults", [](Point& point) { point.curve.faults = {{"link:00-10"}}; }},
    {"from when on", [](Point& point) { point.curve.faults = {{"link:00-01"}, {5}}; }},
    {"until when", [](Point& point) { point.curve.faults = {{"link:00-01"}, {0, 50}}; }},
    {"when they are known", [](Point& point) { point.curve.faults = {{"link:00-01"}, {}, 10}; }},
    {"warm-up", [](Point& point) { point.plan.warm_up_cycles = 10; }},
    {"window", [](Point& point) { point.plan.window_cycles = 1000; }},
    {"batches", [](Point& point) { point.plan.batches = 10; }},
    {"drain", [](Point& point) { point.plan.drain_cycles = 10; }},
    {"end of saturated points", [](Point& point) { point.plan.saturated_batches = 0; }},
    {"use of channels", [](Point& point) { point.plan.records_channels = true; }},
    {"use of buffers", [](Point& point) { point.plan.records_buffers = true; }},
    {"rule of the warm-up", [](Point& point) { point.plan.finds_warm_up = true; }},
    {"flows", [](Point& point) { point.plan.records.flows = true; }},
    {"histogram", [](Point& point) { point.plan.records.histogram = true; }},
};

} // namespace

TEST_CASE("a point is found again by all that it depends on", "[traffic]")
{
    std::map<std::string, std::string> keys{{Point().key(), "nothing"}};
    for (const auto& [what, change] : changes) {
        Point point;
        change(point);
        const auto [before, is_new] = keys.emplace(point.key(), what);
        CAPTURE(what, before->second);
        CHECK(is_new);
    }
}

TEST_CASE("runs with several seeds share a network and what of their routing draws nothing", "[traffic]")
{
    for (const auto& [routing, is_shared] :
         {std::pair("auto", true), {"shortest+layers", true}, {"valiant", false}, {"adaptive", false}}) {
        CAPTURE(routing);
        CurveSpecification first{"mesh:3x3", make_topology("mesh:3x3"), routing};
        CurveSpecification second = first;
        second.seed = 2;
        CHECK(second.network.is(first.network));
        REQUIRE(have_one_network(first, second));
        const PreparedCurve one = prepare_curve(first);
        PreparedCurve other = prepare_curve(second, &one);
        CHECK((other.routing == one.routing) == is_shared);
        CHECK(other.routing_taken == one.routing_taken);
        CHECK(stored_point_key(other, 0.1, {}) != stored_point_key(one, 0.1, {}));
        // What is made again is what it would be alone.
        other.traffic = nullptr;
        const auto again = traffic_of(other), alone = prepare_curve(second).traffic;
        CHECK(again->classes.front().traffic.seed == 2);
        if (again->routing().is_oblivious())
            for (ProcessorId destination = 0; destination < 9; ++destination)
                CHECK(again->routing().route(0, destination) == alone->routing().route(0, destination));
        else
            CHECK(again->routing().adaptive()->seed() == alone->routing().adaptive()->seed());
        second.hardware.link_cycles = 2;
        CHECK_FALSE(have_one_network(first, second));
    }
}

TEST_CASE("names of networks and what schedules start up with change no point", "[traffic]")
{
    Point point;
    point.curve.topology = "another name";
    point.curve.hardware.t0_ns = 1;
    point.curve.as_many_vcs_as_needed = false;
    CHECK(point.key() == Point().key());
}

} // namespace nocturne::prepared_curve_test
