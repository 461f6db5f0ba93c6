// The packet log, flows and histograms against each other, and against what the observer of a run sees.
#include "models/routing/distances.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/closed_loop.hpp"
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace nocturne::packet_records_test {

using namespace nocturne::test;

namespace {

const MeasurementPlan short_plan{500, 2000, 10, 4000};

TrafficSetting recorded(const std::string& routing, NetworkModel model, std::uint64_t sample = 1)
{
    TrafficSetting setting{"mesh:4x4", "uniform", 0.15, routing};
    setting.model = model;
    setting.plan = short_plan;
    setting.plan.records = {{{}, sample}, true, true};
    return setting;
}

std::uint32_t distance(const Topology& topology, const LoggedPacket& packet)
{
    const RouterId to = topology.processor(*topology.find_processor(packet.destination)).ejection;
    return distances_to(topology, to)[topology.processor(*topology.find_processor(packet.source)).injection];
}

} // namespace

TEST_CASE("the log has every packet once, and gives the figures of the point", "[traffic][packets]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const LoggedPoint run = logged(recorded("dor", model));
    REQUIRE(run.packets.size() == run.point.packets);
    const Topology mesh = make_topology("mesh:4x4");
    std::map<std::pair<std::string, std::uint64_t>, int> seen;
    double latency = 0, hops = 0;
    std::uint64_t packets = 0, last = 0, most = 0, flit_hops = 0;
    std::map<std::uint64_t, std::uint64_t> histogram;
    std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> by_flow;
    for (const LoggedPacket& line : run.packets) {
        CHECK(line.of_class == "traffic");
        CHECK(++seen[{line.source, line.packet}] == 1);
        REQUIRE(line.created < line.injected);
        REQUIRE(line.injected < line.ejected);
        REQUIRE(line.ejected >= last); // in the order of their arrival
        last = line.ejected;
        REQUIRE(line.latency == line.ejected - line.created);
        REQUIRE(line.latency_ns == Approx(2.0 * static_cast<double>(line.latency)));
        REQUIRE(line.hops == distance(mesh, line));
        flit_hops += line.flits * (line.hops + 1);
        if (line.created <= 500 || line.created > 2500)
            continue;
        latency += static_cast<double>(line.latency);
        hops += static_cast<double>(line.hops);
        ++packets;
        most = std::max(most, line.latency);
        ++histogram[line.latency];
        by_flow[{line.source, line.destination}].push_back(line.latency);
    }
    CHECK(packets == run.point.measured_packets);
    CHECK(flit_hops == run.point.flit_hops);
    CHECK(*run.point.latency.average_packet_latency_cycles == Approx(latency / static_cast<double>(packets)));
    CHECK(*run.point.latency.average_hops == Approx(hops / static_cast<double>(packets)));
    CHECK(run.point.latency.quantiles.maximum == most);
    REQUIRE(run.point.histogram.size() == histogram.size());
    for (const LatencyCount& count : run.point.histogram)
        CHECK(histogram.at(count.latency_cycles) == count.packets);
    double accepted = 0;
    for (const FlowLatency& flow : run.point.flows) {
        accepted += flow.accepted_flit_rate;
        if (flow.packets == 0)
            continue; // what came in the window was created before it
        std::vector<std::uint64_t>& own = by_flow.at({flow.source, flow.destination});
        std::ranges::sort(own);
        REQUIRE(flow.packets == own.size());
        CHECK(flow.quantiles.maximum == own.back());
        CHECK(flow.quantiles.median == own[(own.size() + 1) / 2 - 1]);
        CHECK(flow.quantiles.p95 == own[(own.size() * 95 + 99) / 100 - 1]);
        by_flow.erase({flow.source, flow.destination});
    }
    CHECK(by_flow.empty());
    CHECK(accepted / 16 == Approx(run.point.accepted_flit_rate));
}

TEST_CASE("hops of adaptive and randomized routings are those that were crossed", "[traffic][packets]")
{
    const Topology mesh = make_topology("mesh:4x4");
    for (const LoggedPacket& line : logged(recorded("adaptive", NetworkModel::flit)).packets)
        REQUIRE(line.hops == distance(mesh, line));
    std::uint64_t flit_hops = 0;
    const LoggedPoint valiant = logged(recorded("valiant", NetworkModel::flit));
    for (const LoggedPacket& line : valiant.packets)
        flit_hops += line.flits * (line.hops + 1);
    CHECK(flit_hops == valiant.point.flit_hops);
}

TEST_CASE("a sample is a part of the log, about as large as was asked for, and changes nothing",
          "[traffic][packets]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const LoggedPoint all = logged(recorded("dor", model));
    const LoggedPoint some = logged(recorded("dor", model, 4));
    CHECK(some.point == all.point);
    CHECK(static_cast<double>(some.packets.size()) ==
          Approx(static_cast<double>(all.packets.size()) / 4).epsilon(0.2));
    auto next = all.packets.begin();
    for (const LoggedPacket& line : some.packets) {
        next = std::find_if(next, all.packets.end(), [&](const LoggedPacket& other) {
            return other.source == line.source && other.packet == line.packet;
        });
        REQUIRE(next != all.packets.end());
        CHECK(next->ejected == line.ejected);
    }
}

TEST_CASE("a binary log has the packets of the CSV, record by record", "[traffic][packets]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const bool has_faults = GENERATE(false, true);
    const std::uint64_t sample = has_faults ? 1 : GENERATE(1u, 3u);
    const auto log_as = [&](PacketLogFormat format) {
        const auto bytes = in_worker([&] {
            TrafficSetting setting = recorded("dor", model, sample);
            setting.cycle_ns = 1.5;
            if (has_faults)
                setting.faults = {"link:11-12"};
            setting.down = {700, 900};
            std::vector<std::uint8_t> log;
            setting.plan.records.log = {
                [&](std::string_view piece) { log.insert(log.end(), piece.begin(), piece.end()); }, sample, 7,
                format};
            measure_here(setting);
            return log;
        });
        return std::string(bytes.begin(), bytes.end());
    };
    const std::string binary = log_as(PacketLogFormat::binary);
    const std::size_t begin = binary.find('\n') + 1;
    CHECK(begin % 64 == 0);
    const nlohmann::json header = nlohmann::json::parse(binary.substr(0, begin));
    CHECK(header["format"] == "nocturne-packets");
    CHECK(header["record_bytes"] == 48);
    CHECK(header["cycle_ns"] == 1.5);
    CHECK(header["sample"] == sample);
    CHECK(header["classes"] == std::vector<std::string>{"traffic"});
    std::size_t bytes = 0;
    for (const auto& [name, type] : header["fields"].get<std::vector<std::pair<std::string, std::string>>>())
        bytes += type == "<u8" ? 8 : 4;
    CHECK(bytes == 48);
    REQUIRE((binary.size() - begin) % sizeof(PacketRecord) == 0);
    std::string as_text =
        "class,packet,source,destination,flits,created_cycle,injected_cycle,ejected_cycle,hops,"
        "latency_cycles,latency_ns\n";
    std::size_t lost = 0;
    for (std::size_t at = begin; at < binary.size(); at += sizeof(PacketRecord)) {
        PacketRecord record;
        std::memcpy(&record, binary.data() + at, sizeof record);
        as_text += fmt::format("{},{},{},{},{},{},{},", header["classes"][record.of_class].get<std::string>(),
                               record.packet, header["processors"][record.source].get<std::string>(),
                               header["processors"][record.destination].get<std::string>(), record.flits,
                               record.created_cycle, record.injected_cycle);
        const std::uint64_t latency = record.ejected_cycle - record.created_cycle;
        as_text += record.ejected_cycle == 0 ? ",,,\n"
                                             : fmt::format("{},{},{},{}\n", record.ejected_cycle, record.hops,
                                                           latency, static_cast<double>(latency) * 1.5);
        lost += record.ejected_cycle == 0 ? 1 : 0;
    }
    CHECK((lost > 0) == has_faults);
    CHECK(as_text == log_as(PacketLogFormat::csv));
}

TEST_CASE("traces and closed loops have logs and flows", "[traffic][packets]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology("mesh:4x4");
    const std::vector<TraceMessage> trace{{0, 0, 5, 64}, {3, 2, 1, 4}, {0, 5, 0, 8, {0}}};
    MeasuredNetwork network;
    network.model = model;
    const auto [result, log] = in_worker([&] {
        std::pair<TraceResult, std::string> made;
        made.first = measure_trace(mesh, make_routing(mesh, "dor"), network, trace,
                                   {{{[&](std::string_view piece) { made.second += piece; }}, true, true}});
        return made;
    });
    std::vector<LoggedPacket> lines = packets_in(log);
    REQUIRE(lines.size() == 3);
    std::ranges::sort(lines, {}, &LoggedPacket::packet);
    CHECK(lines[0].created == 1);
    CHECK(lines[1].created == 4);
    CHECK(lines[2].created == lines[0].ejected);
    CHECK(result.flows.size() == 3);
    CHECK(*result.latency.average_hops == Approx((2 + 1 + 2) / 3.0));
}

TEST_CASE("a closed loop logs requests and replies", "[traffic][packets]")
{
    const Topology mesh = make_topology("mesh:2x2");
    MeasuredNetwork network;
    network.hardware.vcs = 2;
    ClosedLoop loop{TrafficPattern::uniform(4)};
    loop.request_sizes = make_message_sizes("2");
    const auto [result, log] = in_worker([&] {
        std::pair<ClosedLoopResult, std::string> made;
        MeasurementPlan plan{100, 500, 5, 500};
        plan.records = {{[&](std::string_view piece) { made.second += piece; }}, true, true};
        made.first = measure_closed_loop(mesh, make_routing(mesh, "dor"), network, loop,
                                         MessageClasses::separate, plan);
        return made;
    });
    std::map<std::string, std::uint64_t> packets;
    for (const LoggedPacket& line : packets_in(log)) {
        ++packets[line.of_class];
        CHECK(line.flits == (line.of_class == "request" ? 2 : 8));
        CHECK(mesh.find_processor(line.source));
    }
    REQUIRE(packets.size() == 2);
    CHECK(packets["request"] == packets["reply"]);
    std::map<std::string, std::size_t> flows;
    for (const FlowLatency& flow : result.flows)
        ++flows[flow.traffic_class];
    REQUIRE(flows.size() == 2);
    CHECK(flows["request"] <= 16);
    CHECK(flows["reply"] <= 16);
    CHECK_FALSE(result.histogram.empty());
}

} // namespace nocturne::packet_records_test
