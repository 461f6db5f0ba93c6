#include "sim/cli/run_remarks.hpp"

#include "models/routing/deadlock.hpp"
#include "models/routing/distances.hpp"
#include "models/topology/files.hpp"
#include "models/topology/gpu_networks.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/link_network.hpp"
#include "sim/cli/error_text.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/execution/chunk_times.hpp"
#include "sim/simulation/buffer_need.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <variant>

namespace nocturne::cli {

namespace {

constexpr std::size_t most_processors_checked = 1024;
constexpr double least_states = 100; ///< of arrivals in a window

/// Those between which the routing has a route, in an order in which tables of routes are built once.
std::vector<ProcessorPair> routed_pairs(const Topology& topology, const Routing& routing)
{
    std::vector<ProcessorPair> pairs;
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            try {
                static_cast<void>(routing.route(source, destination));
                pairs.push_back({source, destination});
            } catch (const std::invalid_argument&) {
                // Whether this pair sends anything is found out by the run.
            }
    return pairs;
}

/// Is it a routing that is made so that it cannot deadlock?
bool is_deadlock_free_by_construction(const Topology& topology, const Routing& routing)
{
    constexpr std::array anywhere{"updown", "updown_hops", "tag", "adaptive", "adaptive_hops"};
    constexpr std::array in_dimension_order{"dor", "dor_even", "dor_random", "xy", "yx"};
    const std::string base = routing.name.substr(0, routing.name.find('+'));
    const bool has_assignment = base != routing.name; // which breaks the cycles of rings, or of all
    const bool has_wraps = topology.grid() && topology.grid()->wraps;
    return routing.name.ends_with("+layers") || std::ranges::find(anywhere, routing.name) != anywhere.end() ||
           ((has_assignment || !has_wraps) &&
            std::ranges::find(in_dimension_order, base) != in_dimension_order.end());
}

/// What is to be said; empty if the routing cannot deadlock.
std::string deadlock_text(const Topology& topology, const Routing& routing)
{
    if (topology.processor_count() > most_processors_checked) {
        if (is_deadlock_free_by_construction(topology, routing))
            return {};
        return fmt::format(
            "deadlock is not checked on more than {} processors; 'nocturne topology --routing' does",
            most_processors_checked);
    }
    std::vector<Hop> cycle;
    try {
        cycle = check_deadlock(topology, routing).cycle;
    } catch (const std::invalid_argument& error) {
        if (!routing.is_oblivious() || routing.fragments())
            return fmt::format("deadlock is not checked: {}", error.what());
        cycle = check_deadlock(topology, routing, routed_pairs(topology, routing)).cycle;
    }
    return cycle.empty()
               ? std::string()
               : fmt::format("can deadlock: {}; '--routing auto' cannot", describe(topology, cycle));
}

} // namespace

void remark_routing(const Topology& topology, const Routing& routing)
{
    const std::string what = fmt::format("{}, routing {}: ", topology.name(), routing.name);
    if (const std::string text = deadlock_text(topology, routing); !text.empty())
        InputLog::remark(what + text);
    if (const std::string minimal = minimal_text(topology, routing); !minimal.empty())
        InputLog::remark(fmt::format("{}paths of {}", what, minimal));
}

void RoutingRemarks::add(const Topology& topology, const Routing& routing)
{
    const auto is_same = [&](const auto& other) {
        return other.second == routing.name && (other.first == &topology || *other.first == topology);
    };
    if (std::ranges::any_of(done_, is_same))
        return;
    done_.emplace_back(&topology, routing.name);
    remark_routing(topology, routing);
}

void remark_hardware(const Topology& topology, const HardwareConfig& hardware)
{
    if (const std::uint32_t missing = missing_buffer_flits(topology, hardware); missing > 0)
        InputLog::remark(fmt::format("{}: {}", topology.name(), describe_missing_buffers(missing)));
    const auto wide = std::ranges::count_if(topology.channels(), [&](const Channel& channel) {
        return channel.width_bytes > hardware.flit_bytes;
    });
    if (wide > 0)
        InputLog::remark(fmt::format("{}: {} of {} channels are wider than a flit of {} bytes but carry one "
                                     "flit per cycle (--flit-bytes)",
                                     topology.name(), wide, topology.channel_count(), hardware.flit_bytes));
    constexpr double as_fast = 0.99;
    const double rate = static_cast<double>(hardware.flit_bytes) / hardware.cycle_ns; // GB/s
    if (const GpuMachine* const machine = gpu_machine(topology.name());
        machine != nullptr && has_open_widths(topology) &&
        rate < as_fast * static_cast<double>(machine->gb_per_s))
        InputLog::remark(
            fmt::format("{}: links carry {:.4g} GB/s here, and {} {}: '--flit-bytes {:.0f}' makes it so",
                        topology.name(), rate, machine->link, machine->gb_per_s,
                        std::ceil(static_cast<double>(machine->gb_per_s) * hardware.cycle_ns)));
}

void remark_trees(const Topology& topology, const HardwareConfig& hardware, std::uint64_t flits)
{
    if (hardware.multicast != Multicast::tree)
        return;
    std::uint64_t least = ~std::uint64_t{0};
    bool has_pools = false; // of which others may have taken all but one flit
    for (const Channel& channel : topology.channels()) {
        least = std::min<std::uint64_t>(least, hardware.buffer_of(topology, channel));
        has_pools = has_pools || hardware.pool_of(topology, channel) > 0;
    }
    for (const Processor& processor : topology.processors())
        least = std::min<std::uint64_t>(least, hardware.injection_buffer_of(topology, processor.injection));
    least = has_pools ? 1 : least;
    if (least < flits)
        InputLog::remark(fmt::format(
            "{}: routers copy multicasts of up to {} flits, and buffers have room "
            "for {}: trees that meet can "
            "deadlock; not with room for whole packets (--buffer-flits {}), nor with --multicast reserved",
            topology.name(), flits, least, flits));
}

void note_way(std::map<std::string, std::uint64_t>& across, const Topology& topology,
              const HardwareConfig& hardware)
{
    const RouterId first = topology.processor(0).injection;
    std::uint64_t hops = 0;
    for (const std::uint32_t distance : distances_from(topology, first))
        hops = std::max<std::uint64_t>(hops, distance == unreachable ? 0 : distance);
    across[topology.name()] = hops * (hardware.router_cycles_of(topology, first) + 1);
}

namespace {

/// A saturation that is stated more closely than its windows can tell. On mesh:8x8 that found with windows of
/// twenty latencies is 1 to 2 % too high, of seven 3 %, of one 6 %, on mesh:4x4 17 %: backlogs grow too
/// slowly to be seen.
void remark_saturation(const TrafficCurve& curve, const MeasurementPlan& plan)
{
    constexpr double least_latencies = 20;
    if (!curve.highest_steady_load || !curve.lowest_saturated_load ||
        *curve.lowest_saturated_load > 1.05 * *curve.highest_steady_load)
        return;
    const auto steady = std::ranges::find(curve.points, *curve.highest_steady_load, &TrafficPoint::load);
    const double cycles =
        steady == curve.points.end() ? 0 : steady->latency.average_packet_latency_cycles.value_or(0);
    if (static_cast<double>(plan.window_cycles) < least_latencies * cycles)
        InputLog::remark(fmt::format(
            "{}: saturation may be lower, by up to a fifth: at load {:.4f} packets take {:.0f} cycles, "
            "and windows of {} are less than {} times that (--window)",
            curve.topology, steady->load, cycles, plan.window_cycles, least_latencies));
}

} // namespace

void remark_windows(const std::vector<TrafficCurve>& curves, const MeasurementPlan& plan,
                    const std::map<std::string, std::uint64_t>& across)
{
    for (const TrafficCurve& curve : curves) {
        remark_saturation(curve, plan);
        const auto cycles = across.find(curve.topology);
        const bool is_short =
            cycles != across.end() && !plan.finds_warm_up && plan.warm_up_cycles < cycles->second;
        for (const TrafficPoint& point : curve.points)
            if (point.load > 0 && point.measured_packets == 0 && !point.saturated)
                InputLog::remark(
                    fmt::format("{}: load {}: no packet was created in the {} cycles of the window",
                                curve.topology, point.load, point.measured_cycles));
            else if (point.saturated && !point.stall && is_short)
                InputLog::remark(fmt::format(
                    "{}: load {}: called saturated after a warm-up of {} cycles; packets take up to {} "
                    "across the network without load (--warm-up)",
                    curve.topology, point.load, plan.warm_up_cycles, cycles->second));
    }
}

void remark_shared_links(const Schedule& schedule, const Topology& topology, const SimulationOptions& options)
{
    if (const auto shortage = shortage_of_vcs(schedule, topology, options))
        InputLog::remark(
            fmt::format("{}: transfers that share links in the time model wait for each other in "
                        "the simulation: {}",
                        schedule.name, *shortage));
}

namespace {

/// The run of which `ratio` is largest, if it is more than `most`.
template <class Ratio>
const ReplayResult* worst_of(const std::vector<ReplayResult>& runs, double most, Ratio ratio)
{
    const auto worst = std::ranges::max_element(runs, {}, ratio);
    return worst != runs.end() && ratio(*worst) > most ? &*worst : nullptr;
}

double over(const ReplayResult& run, double expected_ns)
{
    return expected_ns > 0 && !run.run.stall ? run.run.time_ns / expected_ns : 0;
}

} // namespace

void remark_blocked(const std::vector<ReplayResult>& runs)
{
    constexpr double most = 1.01;
    const auto ratio = [](const ReplayResult& run) { return over(run, run.unblocked_ns.value_or(0)); };
    if (const ReplayResult* worst = worst_of(runs, most, ratio))
        InputLog::remark(fmt::format("{}, {} bytes: blocked flits cost {:.1f} % of the time", worst->schedule,
                                     worst->run.message_bytes, 100 * (ratio(*worst) - 1)));
}

void remark_uncounted(const Schedule& schedule, const Topology& topology, const SimulationOptions& options,
                      const std::vector<ReplayResult>& runs)
{
    constexpr double most = 1.05;
    const auto ratio = [](const ReplayResult& run) {
        return run.unblocked_ns ? over(run, run.model_time_ns) : 0;
    };
    const ReplayResult* const worst = worst_of(runs, most, ratio);
    if (worst == nullptr)
        return;
    const std::uint64_t cycles =
        uncounted_cycles(schedule, topology, link_network_of(topology, options.links), options.hardware);
    if (cycles > 0)
        InputLog::remark(fmt::format(
            "{}, chunks of {} bytes: {:.1f} % above the schedule's own time: here a chunk is {} flits of {} "
            "bytes, and routers and interfaces take {} cycles of a transfer; fewer, larger chunks cost less "
            "('nocturne schedule --chunks' or '--start-cycles')",
            worst->schedule, worst->run.message_bytes, 100 * (ratio(*worst) - 1),
            options.hardware.flits(worst->run.message_bytes), options.hardware.flit_bytes, cycles));
}

namespace {

/// Of a class of which only some processors send: the load counts all.
void remark_senders(const CurveSpecification& curve)
{
    for (const ClassSpecification& each : curve.classes) {
        const std::vector<bool> senders = senders_of(each, curve.network);
        const auto count = std::ranges::count(senders, true);
        if (count > 0 && static_cast<std::size_t>(count) < senders.size())
            InputLog::remark(
                fmt::format("class {}: its load of {:.4g} is a mean over all {} processors: each of {} "
                            "senders offers {:.4g}",
                            each.name, each.load, senders.size(), count,
                            each.load * static_cast<double>(senders.size()) / static_cast<double>(count)));
    }
}

} // namespace

void remark_arrivals(const std::vector<CurveSpecification>& curves, const MeasurementPlan& plan)
{
    std::set<std::string> all;
    for (const CurveSpecification& curve : curves) {
        remark_senders(curve);
        if (curve.classes.empty())
            all.insert(curve.arrivals);
        for (const ClassSpecification& each : curve.classes)
            all.insert(each.arrivals);
    }
    for (const std::string& text : all) {
        const ArrivalProcess arrivals = make_arrivals(text);
        if (std::holds_alternative<ParetoArrivals>(arrivals))
            InputLog::remark(fmt::format(
                "arrivals {} are self-similar: batches of one run are correlated at any length, so errors "
                "are too small and steady points may be called saturated; use several seeds (--runs)",
                text));
        else if (std::holds_alternative<PeriodicArrivals>(arrivals))
            InputLog::remark(fmt::format("arrivals {}: each processor's phase is drawn once per run, so "
                                         "errors do not cover other phases; use several seeds (--runs)",
                                         text));
        else if (const double cycles = state_cycles(arrivals);
                 cycles * least_states > static_cast<double>(plan.window_cycles))
            InputLog::remark(
                fmt::format("arrivals {}: a window of {} cycles has few of their states of {:.6g} "
                            "cycles: errors may be too small, and steady points be called saturated",
                            text, plan.window_cycles, cycles));
    }
}

void remark_short_messages(const CurveSpecification& curve, const HardwareConfig& hardware)
{
    // See testbenches/worm_model/README.md.
    constexpr double long_enough = 8, long_enough_to_share = 32; // flits
    constexpr unsigned many_vcs = 4;
    if (curve.model != NetworkModel::worm || !curve.classes.empty())
        return;
    const double flits = make_message_sizes(curve.packet_flits).mean_flits();
    if (flits < (hardware.vcs >= many_vcs ? long_enough_to_share : long_enough))
        InputLog::remark(
            fmt::format("{}, packets of {:.6g} flits, virtual channels: {}: the model flit takes "
                        "no longer here, often half as long, and is exact",
                        curve.topology, flits, hardware.vcs));
}

void print_remarks()
{
    for (const std::string& remark : InputLog::take_remarks())
        print_notice(one_line(remark));
}

} // namespace nocturne::cli
