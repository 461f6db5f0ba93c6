#include "sim/traffic/prepared_curve.hpp"

#include "models/hardware/network_plan.hpp"
#include "models/routing/make_routing.hpp"
#include "models/text/fnv1a.hpp"
#include "models/topology/json_format.hpp"
#include "sim/traffic/model_digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nocturne {

namespace {

std::string key_of(const ClassSpecification& each)
{
    const auto& [name, pattern, load, packet_flits, arrivals, vcs, priority, senders, vcs_of] = each;
    return fmt::format(" class {} pattern {} senders {} load {} packet-flits {} arrivals {} vcs {}{} "
                       "priority {}",
                       name, pattern, senders, load, packet_flits, arrivals, vcs, vcs_of, priority);
}

std::shared_ptr<const Routing> routing_of(const CurveSpecification& curve)
{
    return std::make_shared<const Routing>(
        make_routing(curve.network, curve.routing, curve.seed, curve.hardware.path_cost_on(curve.network)));
}

/// Virtual channels that its routes use.
unsigned needed_vcs(const PreparedCurve& curve)
{
    const CurveTraffic& traffic = *curve.traffic;
    unsigned given = 0; // by classes themselves
    for (const ClassSpecification& each : curve.specification.classes)
        given += each.vcs;
    const unsigned needed = std::max(given, traffic.vc_classes().count());
    const TrafficFaults& faults = curve.faults;
    if (!faults.any() || !faults.reroute_after)
        return needed;
    const Routing around =
        detour_routing(curve.specification.network, *traffic.routing, curve.hardware, faults.parts);
    return needed + around.vc_classes.count() - traffic.routing->vc_classes.count();
}

} // namespace

PreparedCurve prepare_curve(const CurveSpecification& curve, const PreparedCurve* like)
{
    const InputLog log;
    PreparedCurve prepared{
        curve,
        curve.hardware,
        {parse_faults(curve.network, curve.faults.parts), curve.faults.down, curve.faults.reroute_after},
        {},
        {},
        {},
        {},
        1,
        {},
        {}};
    if (constexpr std::string_view prefix = "application:";
        curve.classes.empty() && curve.pattern.starts_with(prefix))
        prepared.application =
            map_application(curve.network, curve.pattern.substr(prefix.size()), curve.seed);
    prepared.routing = like != nullptr ? like->traffic->routing : routing_of(curve);
    prepared.traffic = traffic_of(prepared);
    if (like != nullptr && !prepared.routing->in_order() && like->specification.seed != curve.seed)
        prepared.routing = nullptr;
    prepared.routing_taken = prepared.traffic->routing->name;
    prepared.selection = selection_taken(*prepared.traffic->routing, curve.hardware);
    prepared.vcs_needed = needed_vcs(prepared);
    prepared.files = log.files();
    return prepared;
}

std::shared_ptr<const CurveTraffic> traffic_of(const PreparedCurve& prepared)
{
    if (prepared.traffic)
        return prepared.traffic;
    const CurveSpecification& curve = prepared.specification;
    const Topology& network = curve.network;
    CurveTraffic made{prepared.routing ? prepared.routing : routing_of(curve),
                      {TrafficPattern::uniform(static_cast<std::uint32_t>(network.processor_count())), 0,
                       make_message_sizes("1"), BernoulliArrivals{}, curve.seed, curve.queue_packets},
                      {}};
    if (curve.classes.empty()) {
        made.traffic.pattern = prepared.application ? pattern_of(network, *prepared.application)
                                                    : make_pattern(network, curve.pattern, curve.seed);
        made.traffic.sizes = make_message_sizes(curve.packet_flits);
        made.traffic.arrivals = make_arrivals(curve.arrivals);
    } else {
        made.classes = prepare_classes(curve.classes, network, *made.routing, curve.seed, curve.queue_packets,
                                       curve.class_vcs);
    }
    return std::make_shared<const CurveTraffic>(std::move(made));
}

bool have_one_network(const CurveSpecification& a, const CurveSpecification& b)
{
    return a.network.is(b.network) && a.routing == b.routing && a.hardware == b.hardware;
}

VcClasses PreparedCurve::vc_classes() const
{
    const Routing all{"all", traffic->vc_classes(), ObliviousRoutes{}};
    if (!faults.any() || !faults.reroute_after)
        return all.vc_classes;
    return detour_routing(specification.network, all, hardware, faults.parts).vc_classes;
}

std::string key_of(const PreparedCurve& prepared, double load, const MeasurementPlan& plan)
{
    const CurveSpecification& curve = prepared.specification;
    // By their members, so that none can be forgotten.
    const auto& [cycle_ns, flit_bytes, t0_ns, router, crossbar, link_cycles, credit_cycles, interface_cycles,
                 buffer_flits, vcs, synchronizer_cycles, allocation, selection] = prepared.hardware;
    const auto& [switch_allocator, vc_allocator, arbiter, iterations, input_speedup] = allocation;
    const auto& [warm_up_cycles, window_cycles, batches, drain_cycles, saturated_batches, records_channels,
                 records_buffers, finds_warm_up, records] = plan;
    const auto& [log, has_flows, has_histogram] = records;
    static_cast<void>(t0_ns); // of schedules
    static_cast<void>(log);   // written beside the point
    const auto stages = [](const Pipeline& pipeline) {
        return fmt::format("{},{},{},{}{}", pipeline.route_computation, pipeline.vc_allocation,
                           pipeline.switch_allocation, pipeline.switch_traversal,
                           pipeline.speculation == Speculation::none ? "" : ",speculative");
    };
    std::string more;
    for (const auto& [file, digest] : prepared.files)
        more += fmt::format(" file {} {}", file, digest);
    for (const ClassSpecification& each : curve.classes)
        more += key_of(each);
    for (ChannelId id = 0; id < curve.class_vcs.size(); ++id)
        if (!curve.class_vcs[id].empty())
            more += fmt::format(" vcs by class of channel {} {}", id, fmt::join(curve.class_vcs[id], ","));
    if (!curve.faults.parts.empty())
        more +=
            fmt::format(" faults {} from {} until {} reroute {}", fmt::join(curve.faults.parts, " "),
                        curve.faults.down.from, curve.faults.down.until,
                        curve.faults.reroute_after ? fmt::to_string(*curve.faults.reroute_after) : "never");
    more += finds_warm_up ? " mser-5" : "";
    more += records_buffers ? " buffers" : "";
    more += has_flows ? " flows" : "";
    more += has_histogram ? " histogram" : "";
    const std::string allocators =
        fmt::format("switch {}*{} vc {} arbiter {} speed-up {}", to_string(switch_allocator), iterations,
                    to_string(vc_allocator), to_string(arbiter), input_speedup);
    return fmt::format(
        "model {} level {} network {:016x} routing {} pattern {} arrivals {} packet-flits {} load {} seed {} "
        "ports {} cycle-ns {} router {} crossbar {} link {} credit {} interface {} buffer {} vcs {} "
        "synchronizer {} {} flit-bytes {} selection {} queue {} warm-up {} window {} batches {} drain {} "
        "saturated-batches {}{}{}",
        model_digest(), to_string(curve.model), fnv1a(to_json(curve.network)), curve.routing, curve.pattern,
        curve.arrivals, curve.packet_flits, load, curve.seed, to_string(curve.ports), cycle_ns,
        stages(router), stages(crossbar), link_cycles, credit_cycles, interface_cycles, buffer_flits, vcs,
        synchronizer_cycles, allocators, flit_bytes, selection ? to_string(*selection) : "auto",
        curve.queue_packets, warm_up_cycles, window_cycles, batches, drain_cycles, saturated_batches,
        records_channels ? " channels" : "", more);
}

} // namespace nocturne
