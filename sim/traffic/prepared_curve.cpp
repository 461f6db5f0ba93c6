#include "sim/traffic/prepared_curve.hpp"

#include "models/hardware/network_plan.hpp"
#include "models/routing/make_routing.hpp"
#include "models/text/fnv1a.hpp"
#include "models/topology/json_format.hpp"
#include "sim/traffic/model_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace nocturne {

namespace {

/// A text of parts. Who adds a structure binds its members by name, all of them: a new one does not compile
/// until it is decided here whether a point depends on it.
class Identity {
public:
    template <class... Parts>
    void add(const Parts&... parts)
    {
        (add_one(parts), ...);
    }
    const std::string& text() const { return text_; }

private:
    template <class Part>
    void add_one(const Part& part)
    {
        if constexpr (std::is_enum_v<Part>)
            add_one(static_cast<unsigned>(part));
        else
            text_ += fmt::format("{}|", part);
    }
    template <class Part>
    void add_one(const std::optional<Part>& part)
    {
        part ? add_one(*part) : add_one("none");
    }
    template <class Part>
    void add_one(const std::vector<Part>& parts)
    {
        add_one(parts.size());
        for (const Part& part : parts)
            add_one(part);
    }
    void add_one(const FileDigests& files)
    {
        for (const auto& [file, digest] : files)
            add(file, digest);
    }
    void add_one(const Pipeline& of)
    {
        const auto& [route_computation, vc_allocation, switch_allocation, switch_traversal, speculation] = of;
        add(route_computation, vc_allocation, switch_allocation, switch_traversal, speculation);
    }
    void add_one(const Allocation& of)
    {
        const auto& [switch_allocator, vc_allocator, arbiter, iterations, input_speedup] = of;
        add(switch_allocator, vc_allocator, arbiter, iterations, input_speedup);
    }
    void add_one(const HardwareConfig& of)
    {
        const auto& [cycle_ns, flit_bytes, t0_ns, router, crossbar, link_cycles, credit_cycles,
                     interface_cycles, buffer_flits, vcs, synchronizer_cycles, allocation, selection,
                     multicast] = of;
        static_cast<void>(t0_ns); // of schedules
        add(cycle_ns, flit_bytes, router, crossbar, link_cycles, credit_cycles, interface_cycles,
            buffer_flits, vcs, synchronizer_cycles, allocation, selection, multicast);
    }
    void add_one(const ClassSpecification& of)
    {
        const auto& [name, pattern, load, packet_flits, arrivals, vcs, priority, senders, vcs_of] = of;
        add(name, pattern, load, packet_flits, arrivals, vcs, priority, senders, vcs_of);
    }
    void add_one(const FaultSpecification& of)
    {
        const auto& [parts, down, reroute_after] = of;
        const auto& [from, until] = down;
        add(parts, from, until, reroute_after);
    }
    void add_one(const MeasurementPlan& of)
    {
        const auto& [warm_up_cycles, window_cycles, batches, drain_cycles, saturated_batches,
                     records_channels, records_buffers, finds_warm_up, records] = of;
        const auto& [log, has_flows, has_histogram] = records;
        static_cast<void>(log); // written beside the point
        add(warm_up_cycles, window_cycles, batches, drain_cycles, saturated_batches, records_channels,
            records_buffers, finds_warm_up, has_flows, has_histogram);
    }

    std::string text_;
};

std::shared_ptr<const Routing> routing_of(const CurveSpecification& curve)
{
    return std::make_shared<const Routing>(
        make_routing(curve.network, curve.routing, curve.seed, curve.hardware.path_cost_on(curve.network)));
}

/// Virtual channels that its routes use.
unsigned needed_vcs(const PreparedCurve& curve)
{
    unsigned given = 0; // by classes themselves
    for (const ClassSpecification& each : curve.specification.classes)
        given += each.vcs;
    const unsigned needed = std::max(given, curve.traffic->vc_classes.count());
    const TrafficFaults& faults = curve.faults;
    if (!faults.any() || !faults.reroute_after)
        return needed;
    const Routing& routing = curve.traffic->routing();
    const Routing around =
        routing_around_faults(curve.specification.network, routing, curve.hardware, faults.parts);
    return needed + around.vc_classes.count() - routing.vc_classes.count();
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
    prepared.routing = like != nullptr ? like->traffic->classes.front().routing : routing_of(curve);
    prepared.traffic = traffic_of(prepared);
    if (like != nullptr && !prepared.routing->in_order() && like->specification.seed != curve.seed)
        prepared.routing = nullptr;
    prepared.routing_taken = prepared.traffic->routing().name;
    prepared.selection = selection_taken(prepared.traffic->routing(), curve.hardware);
    prepared.vcs_needed = needed_vcs(prepared);
    prepared.files = log.files();
    return prepared;
}

std::shared_ptr<const PreparedClasses> traffic_of(const PreparedCurve& prepared)
{
    if (prepared.traffic)
        return prepared.traffic;
    const CurveSpecification& curve = prepared.specification;
    const Topology& network = curve.network;
    std::shared_ptr<const Routing> routing = prepared.routing ? prepared.routing : routing_of(curve);
    if (!curve.classes.empty())
        return std::make_shared<const PreparedClasses>(prepare_classes(
            curve.classes, network, routing, curve.seed, curve.queue_packets, curve.class_vcs));
    TrafficPattern pattern = prepared.application ? pattern_of(network, *prepared.application)
                                                  : make_pattern(network, curve.pattern, curve.seed);
    Traffic traffic{std::move(pattern),
                    0,
                    make_message_sizes(curve.packet_flits),
                    make_arrivals(curve.arrivals),
                    curve.seed,
                    curve.queue_packets};
    return std::make_shared<const PreparedClasses>(single_class(std::move(traffic), std::move(routing)));
}

bool have_one_network(const CurveSpecification& a, const CurveSpecification& b)
{
    return a.network.is(b.network) && a.routing == b.routing && a.hardware == b.hardware;
}

VcClasses PreparedCurve::vc_classes() const
{
    const Routing all{"all", traffic->vc_classes, ObliviousRoutes{}};
    if (!faults.any() || !faults.reroute_after)
        return all.vc_classes;
    return routing_around_faults(specification.network, all, hardware, faults.parts).vc_classes;
}

std::string stored_point_key(const PreparedCurve& prepared, double load, const MeasurementPlan& plan)
{
    const auto& [topology, network, routing, pattern, arrivals, packet_flits, hardware, as_many_vcs_as_needed,
                 ports, queue_packets, seed, model, classes, class_vcs, faults] = prepared.specification;
    static_cast<void>(topology);              // what results call it
    static_cast<void>(hardware);              // as it was prepared
    static_cast<void>(as_many_vcs_as_needed); // likewise
    Identity identity;
    identity.add(model_digest(), fmt::format("{:016x}", fnv1a(to_json(network))), routing, pattern, arrivals,
                 packet_flits, prepared.hardware, ports.ports, queue_packets, seed, model, classes, class_vcs,
                 faults, prepared.files, load, plan);
    return identity.text();
}

} // namespace nocturne
