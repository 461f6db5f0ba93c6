#include "sim/traffic/prepared_curve.hpp"

#include "models/routing/make_routing.hpp"
#include "models/text/fnv1a.hpp"
#include "models/topology/json_format.hpp"
#include "sim/traffic/model_digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nocturne {

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
    const HardwareConfig& hardware = prepared.hardware;
    const auto stages = [](const Pipeline& pipeline) {
        return fmt::format("{},{},{},{}{}", pipeline.route_computation, pipeline.vc_allocation,
                           pipeline.switch_allocation, pipeline.switch_traversal,
                           pipeline.speculation == Speculation::none ? "" : ",speculative");
    };
    const Allocation& allocation = hardware.allocation;
    const std::string allocators =
        fmt::format("switch {}*{} vc {} arbiter {} speed-up {}", to_string(allocation.switch_allocator),
                    allocation.iterations, to_string(allocation.vc_allocator), to_string(allocation.arbiter),
                    allocation.input_speedup);
    std::string more;
    for (const auto& [file, digest] : prepared.files)
        more += fmt::format(" file {} {}", file, digest);
    for (const ClassSpecification& each : curve.classes)
        more += fmt::format(" class {} pattern {} senders {} load {} packet-flits {} arrivals {} vcs {}{} "
                            "priority {}",
                            each.name, each.pattern, each.senders, each.load, each.packet_flits,
                            each.arrivals, each.vcs, each.vcs_of, each.priority);
    for (ChannelId id = 0; id < curve.class_vcs.size(); ++id)
        if (!curve.class_vcs[id].empty())
            more += fmt::format(" vcs by class of channel {} {}", id, fmt::join(curve.class_vcs[id], ","));
    if (!curve.faults.parts.empty())
        more +=
            fmt::format(" faults {} from {} until {} reroute {}", fmt::join(curve.faults.parts, " "),
                        curve.faults.down.from, curve.faults.down.until,
                        curve.faults.reroute_after ? fmt::to_string(*curve.faults.reroute_after) : "never");
    more += plan.finds_warm_up ? " mser-5" : "";
    more += plan.records_buffers ? " buffers" : "";
    more += plan.records.flows ? " flows" : "";
    more += plan.records.histogram ? " histogram" : "";
    return fmt::format(
        "model {} level {} network {:016x} routing {} pattern {} arrivals {} packet-flits {} load {} seed {} "
        "ports {} "
        "cycle-ns {} router {} crossbar {} link {} credit {} interface {} buffer {} vcs {} {} flit-bytes "
        "{} selection {} "
        "queue {} "
        "warm-up {} window {} batches {} drain {} saturated-batches {}{}{}",
        model_digest(), to_string(curve.model), fnv1a(to_json(curve.network)), curve.routing, curve.pattern,
        curve.arrivals, curve.packet_flits, load, curve.seed, to_string(curve.ports), hardware.cycle_ns,
        stages(hardware.router), stages(hardware.crossbar), hardware.link_cycles, hardware.credit_cycles,
        hardware.interface_cycles, hardware.buffer_flits, hardware.vcs, allocators, hardware.flit_bytes,
        hardware.selection ? to_string(*hardware.selection) : "auto", curve.queue_packets,
        plan.warm_up_cycles, plan.window_cycles, plan.batches, plan.drain_cycles, plan.saturated_batches,
        plan.records_channels ? " channels" : "", more);
}

} // namespace nocturne
