#include "sim/traffic/runs_table.hpp"
#include "tests/catch.hpp"

#include <sstream>

namespace nocturne::runs_table_test {

namespace {

TrafficCurve run(std::uint64_t seed, double accepted, double latency)
{
    TrafficCurve curve{"flit", "mesh:4x4", "auto", "uniform", "bernoulli", "8", 1, seed, {}, {}, {}};
    TrafficPoint steady;
    steady.load = 0.1;
    steady.accepted_flit_rate = accepted;
    steady.latency.average_packet_latency_cycles = latency;
    TrafficPoint other = steady;
    other.load = 0.2;
    other.saturated = seed != 1;
    curve.points = {steady, other};
    return curve;
}

} // namespace

TEST_CASE("runs that differ in their seed are samples of one point", "[traffic]")
{
    std::vector<TrafficCurve> curves{run(1, 0.09, 40), run(2, 0.11, 44)};
    curves.push_back(run(1, 0.1, 30));
    curves.back().topology = "torus:4x4";
    const Table table = table_of("", runs_of(curves));
    std::ostringstream csv;
    print_csv(csv, table);
    // t(0.975, 1) = 12.706; the deviation of the mean is 0.01 and 2.
    CHECK_THAT(csv.str(), Catch::Contains("mesh:4x4,auto,uniform,bernoulli,8,0.1,2,2,0.1,0.1270620473617") &&
                              Catch::Contains(",42,25.412409472"));
    CHECK_THAT(csv.str(), Catch::Contains("mesh:4x4,auto,uniform,bernoulli,8,0.2,2,1,0.09,,40,\n"));
    CHECK_THAT(csv.str(), Catch::Contains("torus:4x4,auto,uniform,bernoulli,8,0.1,1,1,0.1,,30,\n"));
    CHECK(table.rows.size() == 4);
}

} // namespace nocturne::runs_table_test
