// Flits in buffers: against a count for each cycle, and by Little's law against the packet log.
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/simulation/network_model.hpp"
#include "sim/traffic/buffer_use.hpp"
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace nocturne::buffer_use_test {

using namespace nocturne::test;

namespace {

/// Cycles that single flits spend in buffers, and their number, by the log of their packets.
struct Spent {
    double cycles = 0;
    double packets = 0;
};

/// Of packets that were created from one cycle to another; what they need for the links is subtracted.
Spent spent_in_buffers(const std::vector<LoggedPacket>& packets, const LinkPlan& plan, std::uint64_t from,
                       std::uint64_t to)
{
    const double injection = plan.timing(plan.first_injection_link(0)).flit_cycles;
    const double channel = plan.timing(0).flit_cycles;
    const double ejection = plan.timing(plan.first_ejection_link(0)).flit_cycles;
    Spent spent;
    for (const LoggedPacket& each : packets) {
        REQUIRE(each.flits == 1);
        if (each.created < from || each.created >= to)
            continue;
        const auto all = static_cast<double>(each.hops);
        spent.cycles += static_cast<double>(each.ejected - each.injected) - injection - all * channel -
                        ejection + all + 1;
        ++spent.packets;
    }
    return spent;
}

double mean_of_all(const std::vector<BufferOccupancy>& buffers)
{
    return std::accumulate(buffers.begin(), buffers.end(), 0.0,
                           [](double sum, const BufferOccupancy& each) { return sum + each.mean_flits; });
}

} // namespace

TEST_CASE("the flits of a buffer are those of each cycle of the window", "[traffic][buffers]")
{
    const auto seed = GENERATE(range(0, 10));
    const Job job = [&] {
        SplitMix64 random(static_cast<std::uint64_t>(seed));
        const Topology mesh = make_topology("mesh:1x2");
        HardwareConfig hardware;
        hardware.buffer_flits = 1 + random.below(6);
        const auto network =
            make_network(NetworkModel::flit, mesh, hardware, one_port, make_routing(mesh, "dor"));
        const Window window{50, 10, 10};
        BufferUse use(*network, hardware, window);
        std::vector<std::uint64_t> by_cycle(400), came(400);
        std::deque<std::uint64_t> present;
        for (std::uint64_t at = 1; at < 300; ++at) {
            if (present.size() < hardware.buffer_flits && random.below(3) > 0) {
                const std::uint64_t arrival =
                    std::max(at + random.below(4), present.empty() ? 0 : present.back() + 1);
                present.push_back(arrival);
                use.flit_comes(0, 0, arrival);
                ++came[arrival];
            }
            if (!present.empty() && present.front() <= at && random.below(3) > 0) {
                for (std::uint64_t cycle = present.front(); cycle <= at; ++cycle)
                    ++by_cycle[cycle];
                present.pop_front();
                use.flit_leaves(0, 0, at);
            }
            if (at == 119)
                use.end_window(120); // before its time
        }
        for (const std::uint64_t arrival : present) // a deadlock
            for (std::uint64_t cycle = arrival; cycle < 300; ++cycle)
                ++by_cycle[cycle];
        const auto sum = [](const std::vector<std::uint64_t>& of) {
            return std::accumulate(of.begin() + 50, of.begin() + 120, std::uint64_t{0});
        };
        const std::vector<BufferOccupancy> buffers = use.buffers(70, 300);
        return nlohmann::json{{"rows", buffers.size()},
                              {"buffer", buffers[0]},
                              {"sum", sum(by_cycle)},
                              {"came", sum(came)},
                              {"most", *std::max_element(by_cycle.begin() + 50, by_cycle.begin() + 120)}};
    };
    const nlohmann::json result = run_jobs(std::vector{job}).front();
    CHECK(result["rows"] == 2 + 2); // channels and injection links
    CHECK(result["buffer"]["mean_flits"].get<double>() * 70 == Approx(result["sum"].get<double>()));
    CHECK(result["buffer"]["maximum_flits"] == result["most"]);
    CHECK(result["buffer"]["flits"] == result["came"]);
    CHECK(result["buffer"]["router"] == "01");
    CHECK(result["buffer"]["channel"] == "00->01");
}

TEST_CASE("Little's law holds exactly for a whole trace", "[traffic][buffers]")
{
    const unsigned vcs = GENERATE(1u, 2u);
    const unsigned link_cycles = GENERATE(1u, 3u);
    const Topology mesh = make_topology("mesh:4x4");
    const Routing routing = make_routing(mesh, "dor");
    SplitMix64 random(5);
    std::vector<TraceMessage> trace;
    for (std::uint64_t i = 0; i < 3000; ++i)
        trace.push_back({i / 6, random.below(16), random.below(16), 4});
    MeasuredNetwork network;
    network.hardware.vcs = vcs;
    network.hardware.link_cycles = link_cycles;
    const auto [result, log] = in_worker([&] {
        std::pair<TraceResult, std::string> made;
        TraceRecords records;
        records.packets.log.sink = [&](std::string_view piece) { made.second += piece; };
        records.buffers = true;
        made.first = measure_trace(mesh, routing, network, trace, records);
        return made;
    });
    const LinkPlan plan(mesh, network.hardware, one_port, routing.vc_classes);
    const Spent spent = spent_in_buffers(packets_in(log), plan, 0, std::numeric_limits<std::uint64_t>::max());
    REQUIRE(spent.packets == 3000);
    const auto time = static_cast<double>(result.time_cycles);
    CHECK(mean_of_all(result.buffers) == Approx(spent.packets / time * (spent.cycles / spent.packets)));
    REQUIRE(result.buffers.size() == (48 + 16) * vcs);
    std::uint64_t flits = 0;
    for (const BufferOccupancy& buffer : result.buffers) {
        CHECK(buffer.maximum_flits <= buffer.buffer_flits);
        CHECK(buffer.mean_flits <= buffer.maximum_flits);
        flits += buffer.flits;
    }
    CHECK(flits == result.flit_hops); // each is in a buffer of each router
}

TEST_CASE("Little's law holds for a window of steady traffic", "[traffic][buffers]")
{
    TrafficSetting setting{"mesh:4x4", "uniform", GENERATE(0.05, 0.15), "dor", "1"};
    setting.plan = {2000, 20'000, 10, 4000};
    setting.plan.finds_warm_up = GENERATE(false, true);
    const TrafficPoint plain = measure_each({setting}).front();
    setting.plan.records_buffers = true;
    auto [point, packets] = logged(setting);
    const Topology mesh = make_topology("mesh:4x4");
    const LinkPlan links(mesh, {}, one_port, make_routing(mesh, "dor").vc_classes);
    const std::uint64_t begin = point.warm_up_cycles + 1;
    const Spent spent = spent_in_buffers(packets, links, begin, begin + point.measured_cycles);
    const double rate = spent.packets / static_cast<double>(point.measured_cycles);
    CHECK(mean_of_all(point.buffers) == Approx(rate * (spent.cycles / spent.packets)).epsilon(0.005));
    // It changes nothing else.
    point.buffers.clear();
    CHECK(point == plain);
}

TEST_CASE("messages have no flits in buffers", "[traffic][buffers]")
{
    TrafficSetting setting{"mesh:2x2"};
    setting.model = NetworkModel::worm;
    setting.plan.records_buffers = true;
    CHECK_THROWS_WITH(measure_here(setting), Catch::Contains("take the model flit"));
}

} // namespace nocturne::buffer_use_test
