// Synthetic traffic at the message level, beside the flit level.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/traffic/load_curves.hpp"
#include "sim/traffic/measure.hpp"
#include "tests/catch.hpp"

namespace nocturne::worm_traffic_test {

namespace {

struct Case {
    std::string topology = "mesh:4x4";
    std::string pattern = "uniform";
    std::string packet_flits = "16";
    double load = 0.1;
    unsigned vcs = 0; ///< 0: as many as the routing needs
    std::string routing = "auto";
};

TrafficPoint measure_here(const Case& each, NetworkModel model)
{
    const Topology topology = make_topology(each.topology);
    const Routing routing = make_routing(topology, each.routing);
    MeasuredNetwork network;
    network.hardware.vcs = each.vcs == 0 ? routing.vc_classes.count() : each.vcs;
    network.model = model;
    return measure_traffic(
        topology, routing, network,
        {make_pattern(topology, each.pattern, 1), each.load, make_message_sizes(each.packet_flits)},
        {2000, 20000, 20, 10000});
}

/// Flit level, then message level, for each case.
std::vector<TrafficPoint> measure_both(const std::vector<Case>& cases)
{
    std::vector<Job> jobs;
    for (const Case& each : cases)
        for (const NetworkModel model : {NetworkModel::flit, NetworkModel::worm})
            jobs.emplace_back([&each, model] { return nlohmann::json(measure_here(each, model)); });
    std::vector<TrafficPoint> points;
    for (const nlohmann::json& result : run_jobs(jobs))
        points.push_back(result.get<TrafficPoint>());
    return points;
}

} // namespace

TEST_CASE("below 70 % of saturation messages of 16 flits and more take the flit level's latency within 5 %",
          "[traffic][worm]")
{
    std::vector<Case> cases;
    for (const char* flits : {"16", "64", "16:0.5,40:0.5"})
        for (const double load : {0.02, 0.1, 0.18}) {
            cases.push_back({"mesh:4x4", "uniform", flits, load});
            cases.push_back({"torus:4x4", "uniform", flits, load});
            cases.push_back({"fattree:2,3", "uniform", flits, load});
            cases.push_back({"mesh:4x4", "tornado", flits, load / 2});
        }
    const std::vector<TrafficPoint> points = measure_both(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const TrafficPoint& flit = points[2 * i];
        const TrafficPoint& worm = points[2 * i + 1];
        CAPTURE(cases[i].topology, cases[i].pattern, cases[i].packet_flits, cases[i].load);
        REQUIRE_FALSE(flit.saturated);
        REQUIRE_FALSE(worm.saturated);
        CHECK(worm.packets == flit.packets); // the same sources
        CHECK(worm.flit_hops == flit.flit_hops);
        CHECK(worm.offered_flit_rate == flit.offered_flit_rate);
        CHECK(*worm.latency.average_packet_latency_cycles ==
              Approx(*flit.latency.average_packet_latency_cycles).epsilon(0.05));
    }
}

TEST_CASE("with several virtual channels the levels are within 5 % up to 70 % of the saturation load",
          "[traffic][worm]")
{
    const std::vector<Case> cases{
        {"mesh:4x4", "uniform", "16", 0.2, 4},     {"mesh:4x4", "uniform", "16", 0.4, 4},
        {"torus:4x4", "uniform", "16", 0.25, 4},   {"torus:4x4", "uniform", "16", 0.5, 4},
        {"mesh:4x4", "uniform", "32", 0.15, 2},    {"mesh:4x4", "uniform", "32", 0.3, 2},
        {"fattree:16,1", "uniform", "64", 0.3, 4}, {"mesh:4x4", "uniform", "64", 0.2, 8}};
    const std::vector<TrafficPoint> points = measure_both(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(cases[i].topology, cases[i].packet_flits, cases[i].vcs);
        CHECK(*points[2 * i + 1].latency.average_packet_latency_cycles ==
              Approx(*points[2 * i].latency.average_packet_latency_cycles).epsilon(0.05));
    }
}

TEST_CASE("the levels saturate at about the same load", "[traffic][worm]")
{
    const std::vector<TrafficPoint> points = measure_both({{"mesh:4x4", "uniform", "16", 0.9}});
    REQUIRE(points[0].saturated);
    REQUIRE(points[1].saturated);
    CHECK(points[1].accepted_flit_rate == Approx(points[0].accepted_flit_rate).epsilon(0.1));
}

TEST_CASE("the message level gives the same point every time, and counts the use of channels",
          "[traffic][worm]")
{
    const Topology topology = make_topology("mesh:4x4");
    const Routing routing = make_routing(topology, "dor");
    const Traffic traffic{make_pattern(topology, "uniform", 1), 0.1, make_message_sizes("16")};
    MeasurementPlan plan{1000, 10000, 10, 10000};
    plan.records_channels = true;
    MeasuredNetwork network;
    network.model = NetworkModel::worm;
    const TrafficPoint point = measure_traffic(topology, routing, network, traffic, plan);
    CHECK(measure_traffic(topology, routing, network, traffic, plan) == point);
    double injected = 0;
    for (const ChannelLoad& channel : point.channels)
        if (channel.channel.starts_with("P"))
            injected += channel.mean() / 16;
    CHECK(injected == Approx(point.offered_flit_rate).epsilon(0.05));
}

TEST_CASE("a deadlock at the message level is a stall", "[traffic][worm]")
{
    const TrafficPoint point =
        measure_here({"ring:8", "uniform", "64", 0.4, 1, "shortest"}, NetworkModel::worm);
    REQUIRE(point.stall);
    CHECK(point.saturated);
    CHECK(point.stall->reason.starts_with("deadlock: "));
}

TEST_CASE("traffic at the message level refuses in one line what only the flit level can do",
          "[traffic][worm]")
{
    CHECK_THROWS_WITH(measure_here({"mesh:4x4", "uniform", "16", 0.1, 2, "adaptive"}, NetworkModel::worm),
                      Catch::Contains("is adaptive; that takes the model flit"));
}

TEST_CASE("curves name their model, and a checkpoint keeps the levels apart", "[traffic][worm]")
{
    CurveSpecification curve{"mesh:2x2", make_topology("mesh:2x2")};
    CurveSpecification worm = curve;
    worm.model = NetworkModel::worm;
    CurveOptions options;
    options.plan = {500, 2000, 10, 2000};
    const std::vector<double> loads{0.3};
    const std::vector<TrafficCurve> curves = measure_curves(std::vector{curve, worm}, loads, options);
    CHECK(curves[0].model == "flit");
    CHECK(curves[1].model == "worm");
    CHECK(curves[0].points.front().packets == curves[1].points.front().packets);
    CHECK(curves[0].points != curves[1].points);
}

} // namespace nocturne::worm_traffic_test
