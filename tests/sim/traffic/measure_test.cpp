#include "models/network/zero_load.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

namespace nocturne::measure_test {

using namespace nocturne::test;

namespace {

using Case = TrafficSetting;

double zero_load(const std::string& specification, ProcessorId source, ProcessorId destination)
{
    const Topology topology = make_topology(specification);
    return static_cast<double>(zero_load_cycles(
        topology, HardwareConfig{}, make_routing(topology, "auto").route(source, destination), 8));
}

} // namespace

TEST_CASE("at almost no load latency is that of an idle network", "[traffic]")
{
    // A permutation in which all ways are equally long; one packet in a thousand cycles from each source.
    MeasurementPlan plan{1000, 100'000, 20, 10000};
    const std::vector<TrafficPoint> points =
        measure_each({{"hypercube:4", "complement", 0.0002, "auto", "8", "bernoulli", 1, plan},
                      {"omega:16", "reversal", 0.0002, "auto", "8", "bernoulli", 1, plan}});
    CHECK(*points[0].latency.average_packet_latency_cycles ==
          Approx(zero_load("hypercube:4", 0, 15)).epsilon(0.003));
    CHECK(points[0].latency.quantiles.median == zero_load("hypercube:4", 0, 15));
    CHECK(points[1].latency.quantiles.median == zero_load("omega:16", 0, 0));
    for (const TrafficPoint& point : points) {
        CHECK_FALSE(point.saturated);
        CHECK(*point.latency.average_queueing_latency_cycles ==
              Approx(1).epsilon(0.01)); // the interface's cycle
    }
}

/// No value but what a cycle takes.
PacketLatency no_latency(const TrafficPoint& point)
{
    PacketLatency latency;
    latency.cycle_ns = point.latency.cycle_ns;
    return latency;
}

TEST_CASE("no load is a steady point without packets", "[traffic]")
{
    const TrafficPoint point = measure_each({{"mesh:4x4", "uniform", 0}}).front();
    CHECK_FALSE(point.saturated);
    CHECK(point.packets == 0);
    CHECK(point.accepted_flit_rate == 0);
    CHECK(point.latency == no_latency(point));
}

TEST_CASE("packets that come after the end of simulated time do not come", "[traffic]")
{
    std::vector<Case> cases;
    for (const double load : {1e-10, 1e-15, 1e-30})
        for (const char* arrivals : {"bernoulli", "bursty:50,0.5", "periodic"}) {
            cases.push_back({"mesh:4x4", "uniform", load});
            cases.back().arrivals = arrivals;
            cases.back().cycle_ns = load == 1e-10 ? 1e6 : 2;
        }
    for (const TrafficPoint& point : measure_each(cases)) {
        CHECK_FALSE(point.saturated);
        CHECK(point.packets == 0);
    }
    const Topology mesh = make_topology("mesh:2x2");
    MeasuredNetwork slow;
    slow.hardware.cycle_ns = 1e6;
    const Job too_long = [&] {
        return nlohmann::json(measure_traffic(mesh, make_routing(mesh, "dor"), slow,
                                              {TrafficPattern::uniform(4), 0.1},
                                              {MeasurementPlan::most_cycles, 100, 2, 0}));
    };
    CHECK_THROWS_WITH(run_jobs(std::vector<Job>{too_long}), Catch::Contains("simulated time"));
}

TEST_CASE("below saturation what is offered is accepted, and latency is the sum of its parts", "[traffic]")
{
    std::vector<Case> cases;
    for (const char* pattern : {"uniform", "transpose", "neighbour", "hotspot:00,0.05"})
        for (const double load : {0.02, 0.1})
            cases.push_back({"mesh:4x4", pattern, load});
    cases.push_back({"mesh:4x4", "uniform", 0.1, "auto", "2:0.7,16:0.3"});
    cases.push_back({"mesh:4x4", "uniform", 0.1, "auto", "8", "bursty:50,0.5"});
    cases.push_back({"mesh:4x4", "uniform", 0.1, "auto", "8", "periodic"});
    cases.push_back({"torus:4x4", "uniform", 0.1});
    cases.push_back({"benes:2,4", "uniform", 0.1, "tag_random"});
    const std::vector<TrafficPoint> points = measure_each(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(cases[i].topology, cases[i].pattern, cases[i].load, cases[i].arrivals);
        const TrafficPoint& point = points[i];
        REQUIRE_FALSE(point.saturated);
        CHECK(point.accepted_flit_rate == Approx(point.offered_flit_rate).epsilon(0.02));
        CHECK(std::abs(point.accepted_flit_rate - point.load) < 3 * *point.accepted_flit_rate_error + 1e-4);
        CHECK(*point.latency.average_packet_latency_cycles ==
              Approx(*point.latency.average_queueing_latency_cycles +
                     *point.latency.average_network_latency_cycles));
        CHECK(point.latency.quantiles.median <= point.latency.quantiles.p95);
        CHECK(point.latency.quantiles.p95 <= point.latency.quantiles.p99);
        CHECK(point.latency.quantiles.p99 <= point.latency.quantiles.maximum);
        CHECK(point.packets >= point.measured_packets);
        CHECK(point.measured_packets > 0);
    }
}

TEST_CASE("beyond saturation a point is called saturated and has no latency", "[traffic]")
{
    std::vector<Case> cases;
    for (const double load : {0.6, 1.0})
        cases.push_back({"mesh:8x8", "uniform", load});
    cases.push_back({"mesh:4x4", "hotspot:00,1", 0.1}); // 1.6 flits a cycle for one processor
    cases.push_back({"omega:16", "transpose", 0.6});
    for (const TrafficPoint& point : measure_each(cases)) {
        CAPTURE(point.load);
        CHECK(point.saturated);
        CHECK_FALSE(point.saturation_reason.empty());
        CHECK_FALSE(point.stall);
        CHECK(point.accepted_flit_rate < 0.95 * point.load);
        CHECK(point.latency == no_latency(point));
    }
}

TEST_CASE("a saturated mesh accepts less than its bisection carries", "[traffic]")
{
    // Half of uniform traffic crosses the middle of the 8x8 mesh, 8 channels each way: 64 x load / 4 <= 8.
    const std::vector<TrafficPoint> points = measure_each({{"mesh:8x8", "uniform", 0.9}});
    CHECK(points[0].accepted_flit_rate < 0.5);
    CHECK(points[0].accepted_flit_rate > 0.15);
}

TEST_CASE("a permutation that Omega passes does not queue, one that it blocks does", "[traffic]")
{
    // One packet after the other from each source, all at the same times: periodic, at almost full load.
    const std::vector<TrafficPoint> points = measure_each(
        {{"omega:16", "shuffle", 0.4}, {"omega:16", "tornado", 0.4}, {"omega:16", "reversal", 0.4}});
    // A uniform shift passes Omega (Lawrie 1975): what waits waits for its own source only.
    CHECK_FALSE(points[1].saturated);
    CHECK(*points[1].latency.average_network_latency_cycles == zero_load("omega:16", 0, 7) - 1);
    // Bit reversal sends four messages over one link.
    CHECK(points[2].saturated);
}

TEST_CASE("a deadlock ends the run when it is there, not at the end", "[traffic]")
{
    // A window that would take minutes; in the warm-up, and with traffic that goes on beside the deadlock.
    std::vector<Case> cases{{"torus:4x4", "uniform", 1.0, "dor"}, {"torus:4x4", "uniform", 0.5, "dor"}};
    cases[0].plan = {1'000'000, 100'000'000, 20, 0};
    cases[1].plan = {0, 100'000'000, 20, 0};
    for (const TrafficPoint& point : measure_each(cases)) {
        REQUIRE(point.stall);
        CHECK_THAT(point.saturation_reason, Catch::StartsWith("deadlock"));
        CHECK(point.stall->time_ns < 2 * 100'000);
        CHECK(point.stall->cycle.size() >= 2);
        CHECK(point.latency == no_latency(point));
        CHECK(point.measured_cycles == 0);
        CHECK(point.offered_flit_rate == 0);
    }
}

TEST_CASE("a saturated point ends when that is plain, a steady one with the window", "[traffic]")
{
    std::vector<Case> cases{
        {"mesh:4x4", "uniform", 0.9}, {"mesh:4x4", "uniform", 0.9}, {"mesh:4x4", "uniform", 0.1}};
    cases[1].plan.saturated_batches = 0;
    const std::vector<TrafficPoint> points = measure_each(cases);
    CHECK(points[0].saturated);
    CHECK(points[0].measured_cycles < 10'000);
    CHECK(points[0].measured_cycles >= 5 * 500);
    CHECK_THAT(points[0].saturation_reason,
               Catch::EndsWith(
                   fmt::format("seen after {} of 10000 cycles of the window", points[0].measured_cycles)));
    CHECK(points[0].accepted_flit_rate == Approx(points[1].accepted_flit_rate).epsilon(0.05));
    CHECK(points[1].measured_cycles == 10'000);
    CHECK(points[2].measured_cycles == 10'000);
    CHECK_FALSE(points[2].saturated);
}

TEST_CASE("the use of channels adds up to what is carried", "[traffic]")
{
    Case each;
    each.plan.records_channels = true;
    const std::vector<TrafficPoint> points = measure_each({each, {}});
    CHECK(points[1].channels.empty());
    const std::vector<ChannelLoad>& channels = points[0].channels;
    REQUIRE(channels.size() == 48 + 16 + 16);
    double ejected = 0;
    for (std::size_t id = 0; id < channels.size(); ++id) {
        CHECK(channels[id].utilisation.size() == 20);
        for (const double use : channels[id].utilisation)
            CHECK((use >= 0 && use <= 1));
        ejected += id >= 64 ? channels[id].mean() : 0;
    }
    // What is ejected has arrived, but for flits on their way at both ends of the window.
    CHECK(ejected / 16 == Approx(points[0].accepted_flit_rate).epsilon(0.01));
    // The whole run, warm-up and drain included: each packet is on an injection and an ejection link once.
    std::uint64_t injected = 0;
    std::uint64_t hops = 0;
    for (std::size_t id = 0; id < channels.size(); ++id) {
        CHECK(channels[id].flits == 8 * channels[id].packets);
        injected += id >= 48 && id < 64 ? channels[id].packets : 0;
        hops += id < 48 || id >= 64 ? channels[id].flits : 0;
    }
    CHECK(injected == points[0].packets);
    CHECK(hops == points[0].flit_hops);
    // Recording changes nothing.
    TrafficPoint without = points[0];
    without.channels.clear();
    CHECK(without == points[1]);
}

TEST_CASE("confidence intervals cover the long-run mean", "[traffic]")
{
    // One hundred seeds, and a run twenty times as long as each in the place of the long run.
    std::vector<Case> cases(101);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        cases[i].load = 0.2;
        cases[i].seed = i + 1;
    }
    cases.back().plan.window_cycles *= 20;
    const std::vector<TrafficPoint> points = measure_each(cases);
    const double mean = *points.back().latency.average_packet_latency_cycles;
    int latencies = 0;
    int rates = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        const PacketLatency& latency = points[i].latency;
        latencies += std::abs(*latency.average_packet_latency_cycles - mean) <=
                             *latency.average_packet_latency_error_cycles
                         ? 1
                         : 0;
        rates += std::abs(points[i].accepted_flit_rate - 0.2) <= *points[i].accepted_flit_rate_error ? 1 : 0;
    }
    CHECK(latencies >= 90);
    CHECK(rates >= 90);
}

TEST_CASE("a pattern of another network is refused", "[traffic]")
{
    const Topology mesh = make_topology("mesh:4x4");
    CHECK_THROWS_WITH(
        measure_traffic(mesh, make_routing(mesh, "dor"), {}, {TrafficPattern::uniform(15), 0.1}, {}),
        Catch::Contains("15 processors for the 16"));
}

} // namespace nocturne::measure_test
