#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nocturne::traffic_faults_test {

using namespace nocturne::test;

namespace {

struct Case {
    std::vector<std::string> faults;
    DownTime down;
    std::optional<std::uint64_t> reroute_after;
    std::string pattern = "uniform";
};

/// On a mesh of 4x4.
TrafficPoint measured(const Case& each, NetworkModel model, double load = 0.05)
{
    TrafficSetting setting{"mesh:4x4", each.pattern, load, "xy"};
    setting.plan = {500, 5000, 10, 5000};
    setting.model = model;
    setting.faults = each.faults;
    setting.down = each.down;
    setting.reroute_after = each.reroute_after;
    return measure_each({setting}).front();
}

} // namespace

TEST_CASE("traffic that takes no detour loses packets for as long as the fault lasts", "[traffic][faults]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const TrafficPoint whole = measured({}, model);
    CHECK_FALSE(whole.faults);
    const TrafficPoint for_good = measured({{"link:11-12"}, {1000}, {}}, model);
    REQUIRE(for_good.faults);
    CHECK_FALSE(for_good.saturated);
    CHECK(for_good.packets == whole.packets); // the same sources
    CHECK(for_good.faults->lost_packets > 0);
    CHECK(for_good.faults->lost_flits <= 8 * for_good.faults->lost_packets);
    CHECK(for_good.faults->rerouted_packets == 0);
    CHECK(for_good.accepted_flit_rate < whole.accepted_flit_rate);
    const TrafficPoint for_a_while = measured({{"link:11-12"}, {1000, 2000}, {}}, model);
    CHECK(for_a_while.faults->lost_packets > 0);
    CHECK(for_a_while.faults->lost_packets < for_good.faults->lost_packets);
    CHECK(for_a_while.faults->measured_lost_packets <= for_a_while.faults->lost_packets);
}

TEST_CASE("after a detour is known nothing more is lost", "[traffic][faults]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const TrafficPoint at_once = measured({{"link:11-12"}, {1000}, 0}, model);
    const TrafficPoint late = measured({{"link:11-12"}, {1000}, 500}, model);
    const TrafficPoint never = measured({{"link:11-12"}, {1000}, {}}, model);
    CHECK(at_once.faults->lost_packets < late.faults->lost_packets);
    CHECK(late.faults->lost_packets < never.faults->lost_packets);
    CHECK(at_once.faults->rerouted_packets > late.faults->rerouted_packets);
    CHECK(late.faults->undeliverable_packets == 0);
    CHECK(late.packets == never.packets);
}

TEST_CASE("one pair over one link: every packet of the time without detour is lost", "[traffic][faults]")
{
    // Of a permutation in a ring of neighbours one packet crosses each link from left to right.
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const TrafficPoint point = measured({{"channel:00-01"}, {0}, {}, "neighbour"}, model, 0.02);
    const TrafficPoint whole = measured({{}, {}, {}, "neighbour"}, model, 0.02);
    // Of 16 sources one sends over it alone; those at the end of a row send back over other channels.
    CHECK(point.faults->lost_packets > whole.packets / 32);
    CHECK(point.faults->lost_packets < whole.packets / 8);
    const TrafficPoint around = measured({{"channel:00-01"}, {0}, 0, "neighbour"}, model, 0.02);
    CHECK(around.faults->lost_packets == 0);
    CHECK(around.faults->rerouted_packets == point.faults->lost_packets);
}

TEST_CASE("a router that fails takes its processor with it", "[traffic][faults]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const TrafficPoint point = measured({{"node:11"}, {1000}, 0}, model);
    REQUIRE(point.faults);
    CHECK(point.faults->undeliverable_packets > 0);
    CHECK(point.faults->rerouted_packets > 0);
    CHECK_FALSE(point.saturated);
}

} // namespace nocturne::traffic_faults_test
