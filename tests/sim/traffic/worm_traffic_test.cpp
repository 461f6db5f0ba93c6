// Synthetic traffic at the message level, beside the flit level.
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"

namespace nocturne::worm_traffic_test {

using namespace nocturne::test;

namespace {

using Case = TrafficSetting;

const MeasurementPlan long_plan{2000, 20'000, 20, 10'000};

/// Flit level, then message level, for each case.
std::vector<TrafficPoint> measure_both(const std::vector<Case>& cases)
{
    std::vector<Case> both;
    for (Case each : cases)
        for (const NetworkModel model : {NetworkModel::flit, NetworkModel::worm}) {
            each.plan = long_plan;
            each.model = model;
            both.push_back(each);
        }
    return measure_each(both);
}

} // namespace

TEST_CASE("below 70 % of saturation messages of 16 flits and more take the flit level's latency within 5 %",
          "[traffic][worm]")
{
    std::vector<Case> cases;
    for (const char* flits : {"16", "64", "16:0.5,40:0.5"})
        for (const double load : {0.02, 0.1, 0.18}) {
            for (const char* network : {"mesh:4x4", "torus:4x4", "fattree:2,3"})
                cases.push_back({network, "uniform", load, "auto", flits});
            cases.push_back({"mesh:4x4", "tornado", load / 2, "auto", flits});
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
    std::vector<Case> cases;
    const auto add = [&](const char* network, double load, const char* flits, unsigned vcs) {
        cases.push_back({network, "uniform", load, "auto", flits});
        cases.back().vcs = vcs;
    };
    for (const double load : {0.2, 0.4})
        add("mesh:4x4", load, "16", 4);
    for (const double load : {0.25, 0.5})
        add("torus:4x4", load, "16", 4);
    for (const double load : {0.15, 0.3})
        add("mesh:4x4", load, "32", 2);
    add("fattree:16,1", 0.3, "64", 4);
    add("mesh:4x4", 0.2, "64", 8);
    const std::vector<TrafficPoint> points = measure_both(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(cases[i].topology, cases[i].packet_flits, cases[i].vcs);
        CHECK(*points[2 * i + 1].latency.average_packet_latency_cycles ==
              Approx(*points[2 * i].latency.average_packet_latency_cycles).epsilon(0.05));
    }
}

TEST_CASE("the levels saturate at about the same load", "[traffic][worm]")
{
    const std::vector<TrafficPoint> points = measure_both({{"mesh:4x4", "uniform", 0.9, "auto", "16"}});
    REQUIRE(points[0].saturated);
    REQUIRE(points[1].saturated);
    CHECK(points[1].accepted_flit_rate == Approx(points[0].accepted_flit_rate).epsilon(0.1));
}

TEST_CASE("the message level gives the same point every time, and counts the use of channels",
          "[traffic][worm]")
{
    Case each{"mesh:4x4", "uniform", 0.1, "dor", "16"};
    each.model = NetworkModel::worm;
    each.plan.records_channels = true;
    const TrafficPoint point = measure_here(each);
    CHECK(measure_here(each) == point);
    double injected = 0;
    for (const ChannelLoad& channel : point.channels)
        if (channel.channel.starts_with("P"))
            injected += channel.mean() / 16;
    CHECK(injected == Approx(point.offered_flit_rate).epsilon(0.05));
}

TEST_CASE("a deadlock at the message level is a stall", "[traffic][worm]")
{
    Case ring{"ring:8", "uniform", 0.4, "shortest", "64"};
    ring.model = NetworkModel::worm;
    ring.plan = long_plan;
    const TrafficPoint point = measure_here(ring);
    REQUIRE(point.stall);
    CHECK(point.saturated);
    CHECK(point.stall->reason.starts_with("deadlock: "));
}

} // namespace nocturne::worm_traffic_test
