#include "sim/traffic/prepared_curve.hpp"

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

} // namespace

PreparedCurve prepare_curve(const CurveSpecification& curve)
{
    const InputLog log;
    PreparedCurve prepared{
        curve,
        make_routing(curve.network, curve.routing, curve.seed, curve.hardware.path_cost_on(curve.network)),
        curve.hardware,
        {TrafficPattern::uniform(static_cast<std::uint32_t>(curve.network.processor_count())), 0,
         make_message_sizes("1"), BernoulliArrivals{}, curve.seed, curve.queue_packets},
        {parse_faults(curve.network, curve.faults.parts), curve.faults.down, curve.faults.reroute_after},
        {},
        {},
        {}};
    if (curve.classes.empty()) {
        if (constexpr std::string_view prefix = "application:"; curve.pattern.starts_with(prefix)) {
            prepared.application =
                map_application(curve.network, curve.pattern.substr(prefix.size()), curve.seed);
            prepared.traffic.pattern = pattern_of(curve.network, *prepared.application);
        } else {
            prepared.traffic.pattern = make_pattern(curve.network, curve.pattern, curve.seed);
        }
        prepared.traffic.sizes = make_message_sizes(curve.packet_flits);
        prepared.traffic.arrivals = make_arrivals(curve.arrivals);
    } else {
        prepared.classes = prepare_classes(curve.classes, curve.network, prepared.routing, curve.seed,
                                           curve.queue_packets, curve.class_vcs);
    }
    prepared.files = log.files();
    return prepared;
}

VcClasses PreparedCurve::vc_classes() const
{
    const Routing all{"all", classes ? classes->vc_classes : routing.vc_classes, ObliviousRoutes{}};
    if (!faults.any() || !faults.reroute_after)
        return all.vc_classes;
    return detour_routing(specification.network, all, hardware, faults.parts).vc_classes;
}

unsigned PreparedCurve::vcs_needed() const
{
    unsigned given = 0; // by classes themselves
    for (const ClassSpecification& each : specification.classes)
        given += each.vcs;
    const unsigned needed = std::max(given, (classes ? classes->vc_classes : routing.vc_classes).count());
    if (!faults.any() || !faults.reroute_after)
        return needed;
    const Routing around = detour_routing(specification.network, routing, hardware, faults.parts);
    return needed + around.vc_classes.count() - routing.vc_classes.count();
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
