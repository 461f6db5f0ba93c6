// What is recorded of a trace: use of links and timelines against the packet log of the same run.
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace nocturne::trace_records_test {

using namespace nocturne::test;

namespace {

struct Recorded {
    TraceResult result;
    std::vector<LoggedPacket> log;
    nlohmann::json timeline;
};

/// Records all of what `measure` replays.
template <class Measure>
Recorded recorded(Measure measure, std::uint32_t parts)
{
    const auto [result, log, timeline] = in_worker([&] {
        std::tuple<TraceResult, std::string, std::string> made;
        TraceRecords records;
        records.packets.log.sink = [&](std::string_view piece) { std::get<1>(made) += piece; };
        records.timeline = [&](std::string_view piece) { std::get<2>(made) += piece; };
        records.channel_parts = parts;
        std::get<0>(made) = measure(records);
        return made;
    });
    return {result, log.empty() ? std::vector<LoggedPacket>() : packets_in(log),
            nlohmann::json::parse(timeline)["traceEvents"]};
}

/// Of a trace on a mesh.
Recorded recorded(const Topology& mesh, const MeasuredNetwork& network,
                  const std::vector<TraceMessage>& trace, std::uint32_t parts)
{
    return recorded(
        [&](const TraceRecords& records) {
            return measure_trace(mesh, make_routing(mesh, "dor"), network, trace, records);
        },
        parts);
}

std::vector<TraceMessage> random_trace(std::uint32_t processors, std::uint64_t last_cycle)
{
    SplitMix64 random(last_cycle);
    std::vector<TraceMessage> trace;
    for (std::uint32_t i = 0; i < 200; ++i) {
        TraceMessage& message = trace.emplace_back();
        message.cycle = last_cycle * i / 200;
        message.source = random.below(processors);
        message.destination = random.below(processors);
        message.bytes = 1 + random.below(i % 10 == 0 ? 2000 : 60);
        if (i > 0 && i % 7 == 0) {
            message.after = {i - 1};
            message.cycle = 3;
        }
    }
    return trace;
}

} // namespace

TEST_CASE("the use of links of a trace is that of its packets, and its parts make up the whole",
          "[traffic][trace]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const unsigned vcs = GENERATE(1u, 3u);
    const std::uint32_t parts = GENERATE(1u, 20u, 33u);
    // Without a pause, and with long ones.
    const std::uint64_t last_cycle = GENERATE(2'000u, 10'000'000u);
    const Topology mesh = make_topology("mesh:4x4");
    const std::vector<TraceMessage> trace = random_trace(16, last_cycle);
    MeasuredNetwork network;
    network.model = model;
    network.hardware.vcs = vcs;
    const Recorded run = recorded(mesh, network, trace, parts);
    REQUIRE(run.log.size() == 200);
    std::uint64_t flits = 0, flit_hops = 0;
    for (const LoggedPacket& each : run.log) {
        flits += each.flits;
        flit_hops += each.flits * each.hops;
    }
    const std::vector<ChannelLoad>& channels = run.result.channels;
    REQUIRE(channels.size() == 48 + 16 + 16);
    const auto sum = [&](std::size_t first, std::size_t last) {
        return std::accumulate(channels.begin() + static_cast<std::ptrdiff_t>(first),
                               channels.begin() + static_cast<std::ptrdiff_t>(last), std::uint64_t{0},
                               [](std::uint64_t all, const ChannelLoad& load) { return all + load.flits; });
    };
    CHECK(sum(0, 48) == flit_hops);
    CHECK(sum(48, 64) == flits); // injection, and ejection
    CHECK(sum(64, 80) == flits);
    CHECK(flit_hops + flits == run.result.flit_hops);
    for (const ChannelLoad& load : channels) {
        REQUIRE(load.utilisation.size() == parts);
        CHECK(load.mean() * static_cast<double>(run.result.time_cycles) ==
              Approx(static_cast<double>(load.flits)));
        if (vcs == 1) // or else flits that are spread evenly may come together
            CHECK(load.most() <= 1 + 1e-9);
    }
    // Nothing of it changes the run.
    const auto with_timeline_only = [&](const TraceRecords& records) {
        TraceRecords less;
        less.timeline = records.timeline;
        return measure_trace(mesh, make_routing(mesh, "dor"), network, trace, less);
    };
    TraceResult plain = recorded(with_timeline_only, parts).result;
    CHECK(plain.channels.empty());
    plain.channels = channels;
    CHECK(plain == run.result);
}

TEST_CASE("a link is used in the cycles in which its flits enter it", "[traffic][trace]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology("mesh:1x3");
    MeasuredNetwork network;
    network.model = model;
    const std::vector<TraceMessage> trace{{0, 0, 2, 24}, {30, 2, 0, 4}}; // 6 flits, and one
    const Recorded run = recorded(mesh, network, trace, 1);
    const Recorded by_cycle =
        recorded(mesh, network, trace, static_cast<std::uint32_t>(run.result.time_cycles));
    for (const ChannelLoad& load : by_cycle.result.channels) {
        std::size_t first = 0, last = 0;
        for (std::size_t cycle = 0; cycle < load.utilisation.size(); ++cycle)
            if (load.utilisation[cycle] > 1e-9) {
                REQUIRE(load.utilisation[cycle] == Approx(1));
                first = first == 0 ? cycle : first;
                last = cycle;
            }
        CHECK(last + (load.flits > 0 ? 1 : 0) - first == load.flits); // one after the other
    }
}

TEST_CASE("the timeline of a trace has every message, and every link that it held", "[traffic][trace]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology("mesh:4x4");
    MeasuredNetwork network;
    network.model = model;
    const std::vector<TraceMessage> trace = random_trace(16, 3000);
    const Recorded run = recorded(mesh, network, trace, 1);
    std::map<std::string, std::uint64_t> spans; // by name of the message
    std::map<std::string, double> ends;
    std::size_t links = 0;
    for (const nlohmann::json& event : run.timeline) {
        if (event["ph"] != "X")
            continue;
        ++spans[event["name"]];
        links += 1;
        ends[event["name"]] =
            std::max(ends[event["name"]], event["ts"].get<double>() + event["dur"].get<double>());
    }
    std::uint64_t expected = 0;
    for (const LoggedPacket& each : run.log) {
        const std::string name = fmt::format("{}: {}>{}", each.packet, each.source, each.destination);
        // The message itself, its channels, injection and ejection.
        CHECK(spans[name] == 1 + each.hops + 2);
        expected += 1 + each.hops + 2;
        CHECK(ends[name] == Approx(static_cast<double>(each.ejected) * 2 / 1000)); // us
    }
    CHECK(links == expected);
}

TEST_CASE("the timeline of programs has what ranks compute", "[traffic][trace][goal]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:1x2");
    const RankPrograms programs =
        read_programs(folder.file("a.goal", "num_ranks 2\nrank 0 {\nc: calc 100\ns: send 8b to 1\n"
                                            "s requires c\n}\nrank 1 {\nr: recv 8b from 0\n"
                                            "c: calc 20\nc requires r\n}\n"))
            .value();
    MeasuredNetwork network;
    network.model = model;
    const Recorded run = recorded(
        [&](const TraceRecords& records) {
            return measure_programs(mesh, make_routing(mesh, "dor"), network, programs, records);
        },
        4);
    std::vector<std::pair<double, double>> computed; // ns
    for (const nlohmann::json& event : run.timeline)
        if (event["ph"] == "X" && event["name"].get<std::string>().starts_with("line "))
            computed.emplace_back(event["ts"].get<double>() * 1000, event["dur"].get<double>() * 1000);
    REQUIRE(computed.size() == 2);
    CHECK(computed[0].first == Approx(2)); // from cycle 1 on, 2 ns each
    CHECK(computed[0].second == Approx(100));
    CHECK(computed[1].second == Approx(20));
    CHECK(computed[1].first + computed[1].second == Approx(run.result.time_ns + 2));
    CHECK(run.result.channels.front().flits == 2);
    CHECK(run.result.channels.front().mean() == Approx(2.0 / static_cast<double>(run.result.time_cycles)));
}

TEST_CASE("no batch of a window has more flits of long worms than its cycles", "[traffic][worm]")
{
    TrafficSetting setting{"mesh:4x4", "uniform", 0.15, "dor", "512"};
    setting.model = NetworkModel::worm;
    setting.plan = {500, 4000, 40, 4000};
    setting.plan.records_channels = true;
    setting.plan.finds_warm_up = GENERATE(false, true);
    const TrafficPoint point = measure_here(setting);
    double busy = 0, flit_rate = 0;
    for (std::size_t link = 0; link < point.channels.size(); ++link) {
        CHECK(point.channels[link].most() <= 1 + 1e-9);
        if (link >= 48 + 16) {
            busy += point.channels[link].mean();
            ++flit_rate;
        }
    }
    CHECK(flit_rate == 16);
    // What is ejected is what arrives, but for messages that are only partly in the window.
    CHECK(busy / 16 == Approx(point.accepted_flit_rate).epsilon(0.25));
}

} // namespace nocturne::trace_records_test
