#include "tests/sim/traffic/measured.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace nocturne::test {

TrafficPoint measure_here(const TrafficSetting& setting)
{
    const Topology topology = make_topology(setting.topology);
    const Routing routing = make_routing(topology, setting.routing, setting.seed);
    MeasuredNetwork network;
    network.model = setting.model;
    network.hardware.cycle_ns = setting.cycle_ns;
    network.faults = {parse_faults(topology, setting.faults), setting.down, setting.reroute_after};
    network.hardware.vcs =
        setting.vcs != 0 ? setting.vcs
        : setting.reroute_after
            ? routing_around_faults(topology, routing, network.hardware, network.faults.parts)
                  .vc_classes.count()
            : routing.vc_classes.count();
    return measure_traffic(topology, routing, network,
                           {make_pattern(topology, setting.pattern, setting.seed), setting.load,
                            make_message_sizes(setting.packet_flits), make_arrivals(setting.arrivals),
                            setting.seed},
                           setting.plan);
}

std::vector<TrafficPoint> measure_each(const std::vector<TrafficSetting>& settings)
{
    return in_workers(settings, measure_here);
}

std::vector<LoggedPacket> packets_in(const std::string& log)
{
    std::istringstream lines(log);
    std::string line;
    std::getline(lines, line);
    REQUIRE(line == "class,packet,source,destination,flits,created_cycle,injected_cycle,ejected_cycle,hops,"
                    "latency_cycles,latency_ns");
    std::vector<LoggedPacket> packets;
    while (std::getline(lines, line)) {
        const bool is_lost = line.ends_with(",,,");
        std::ranges::replace(line, ',', ' ');
        std::istringstream fields(line);
        LoggedPacket& each = packets.emplace_back();
        fields >> each.of_class >> each.packet >> each.source >> each.destination >> each.flits >>
            each.created >> each.injected;
        if (!is_lost)
            fields >> each.ejected >> each.hops >> each.latency >> each.latency_ns;
        REQUIRE(fields);
    }
    return packets;
}

LoggedPoint logged(const TrafficSetting& setting)
{
    const auto [point, log] = in_worker([&] {
        std::pair<TrafficPoint, std::string> made;
        TrafficSetting with_log = setting;
        with_log.plan.records.log.sink = [&](std::string_view piece) { made.second += piece; };
        made.first = measure_here(with_log);
        return made;
    });
    return {point, packets_in(log)};
}

} // namespace nocturne::test
