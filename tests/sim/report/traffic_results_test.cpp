#include "sim/report/traffic_results.hpp"
#include "tests/catch.hpp"

#include <sstream>

namespace nocturne::traffic_results_test {

using Catch::Contains;

namespace {

TrafficPoint steady(double load, double latency)
{
    TrafficPoint point;
    point.load = load;
    point.offered_flit_rate = load;
    point.accepted_flit_rate = load;
    point.accepted_flit_rate_error = 0.001;
    point.blocked_cycles = 70;
    point.credit_wait_cycles = 30;
    point.latency.average_packet_latency_cycles = latency;
    point.latency.average_packet_latency_error_cycles = 0.5;
    point.latency.quantiles.p99 = 90;
    point.measured_packets = 1000;
    return point;
}

TrafficPoint saturated(double load)
{
    TrafficPoint point;
    point.load = load;
    point.accepted_flit_rate = 0.2;
    point.saturated = true;
    point.saturation_reason = "too much";
    return point;
}

TrafficCurve curve(const std::string& topology, const std::string& pattern)
{
    TrafficCurve made;
    made.topology = topology;
    made.routing = "auto";
    made.pattern = pattern;
    made.arrivals = "bernoulli";
    made.packet_flits = "8";
    made.points = {steady(0.1, 40), steady(0.2, 60), saturated(0.3)};
    return made;
}

} // namespace

TEST_CASE("curves come back from JSON as they were", "[report][traffic]")
{
    TrafficCurve searched = curve("mesh:8x8", "uniform");
    searched.highest_steady_load = 0.2;
    searched.lowest_saturated_load = 0.3;
    searched.points[2].stall = Stall{3, "deadlock", {{"00->01", 0, "0>1", "01->00"}}};
    searched.scaled = "all by one factor";
    TrafficPoint& point = searched.points[1];
    MulticastLatency multicast;
    multicast.sent_as = "2 unicasts";
    multicast.multicasts = 5;
    multicast.average_last_latency_cycles = 50.5;
    point.classes = {{"many", 0.1, 0.1, 0.1, 0, {}, 9, 10, 1, multicast}};
    point.multicast = multicast;
    point.buffers = {{"00", "01->00", 1, 8, 0.25, 3, 100}};
    CHECK(nlohmann::json(searched).get<TrafficCurve>() == searched);
    const TrafficCurve plain = curve("mesh:8x8", "uniform");
    CHECK(nlohmann::json(plain).get<TrafficCurve>() == plain);
    TraceResult trace;
    trace.trace = "app.csv";
    trace.time_cycles = 12;
    trace.blocked_cycles = 9;
    trace.credit_wait_cycles = 4;
    trace.latency.quantiles.median = 7;
    trace.channels = {{"00->01", {0.5, 0.25}, 12, 3}};
    trace.buffers = point.buffers;
    CHECK(nlohmann::json(trace).get<TraceResult>() == trace);
}

TEST_CASE("a point's latencies stand among its members, null where there are none", "[report][traffic]")
{
    const nlohmann::json good = steady(0.1, 40);
    CHECK(good["average_packet_latency_cycles"] == 40);
    CHECK(good["p99_packet_latency_cycles"] == 90);
    CHECK(good["saturated"] == false);
    const nlohmann::json bad = saturated(0.3);
    CHECK(bad["average_packet_latency_cycles"].is_null());
    CHECK(bad["accepted_flit_rate"] == 0.2);
    CHECK(bad["saturated"] == true);
}

TEST_CASE("the table has a row a point, without latencies where there is no steady state",
          "[report][traffic]")
{
    const std::vector<TrafficCurve> curves{curve("mesh:8x8", "uniform"), curve("torus:8x8", "uniform")};
    const Table table = table_of("Traffic", curves);
    CHECK(table.rows.size() == 6);
    std::ostringstream csv;
    print_csv(csv, table);
    CHECK_THAT(csv.str(), Contains("packet_flits,vcs,seed,highest_steady_load,lowest_saturated_load,scaled,"
                                   "mapping_cost,mapping_origin,load,"));
    CHECK_THAT(csv.str(), Contains("torus:8x8,auto,,,uniform,bernoulli,8,1,1,,,,,,0.1,0.1,0.1,0.001,40"));
    CHECK_THAT(csv.str(), Contains("0.3,0,0.2,,,,,,,,,,,,") && Contains("true,too much,saturated"));
}

TEST_CASE("the picture names what the curves differ in, and draws steady points only", "[report][traffic]")
{
    std::vector<TrafficCurve> curves{curve("mesh:8x8", "uniform"), curve("torus:8x8", "uniform")};
    curves[1].highest_steady_load = 0.2;
    const std::string picture = draw(load_latency_plot(curves));
    CHECK_THAT(picture, Contains("mesh:8x8") && Contains("torus:8x8 (saturates at 0.200)"));
    CHECK_THAT(picture, Contains("uniform, 8 flits, 1 VC"));
    curves[1].vcs = 2;
    CHECK_THAT(draw(load_latency_plot(curves)), Contains("torus:8x8, 2 VCs") && Contains("mesh:8x8, 1 VC"));
    curves[1] = curves[0];
    curves[1].seed = 2;
    CHECK_THAT(draw(load_latency_plot(curves)), Contains("seed 1") && Contains("seed 2"));
    for (TrafficCurve& each : curves)
        each.points = {saturated(0.3)};
    // Where nothing is steady: from which load on.
    CHECK_THAT(draw(load_latency_plot(curves)), Contains("saturated from 0."));
}

} // namespace nocturne::traffic_results_test
