#include "sim/cli/run_remarks.hpp"

#include "models/routing/deadlock.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "sim/cli/error_text.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/simulation/buffer_need.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne::cli {

namespace {

constexpr std::size_t most_processors_checked = 1024;

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

/// What is to be said; empty if the routing cannot deadlock.
std::string deadlock_text(const Topology& topology, const Routing& routing)
{
    if (topology.processor_count() > most_processors_checked)
        return fmt::format("whether it can deadlock is not checked on more than {} processors ('nocturne "
                           "topology --routing' does)",
                           most_processors_checked);
    std::vector<Hop> cycle;
    try {
        cycle = check_deadlock(topology, routing).cycle;
    } catch (const std::invalid_argument& error) {
        if (!routing.is_oblivious() || routing.fragments())
            return fmt::format("whether it can deadlock is not checked: {}", error.what());
        cycle = check_deadlock(topology, routing, routed_pairs(topology, routing)).cycle;
    }
    return cycle.empty() ? std::string() : fmt::format("can deadlock: {}", describe(topology, cycle));
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
        InputLog::remark(
            fmt::format("{}: {} of {} channels are wider than a flit of {} bytes, and carry no more "
                        "than one a cycle (--flit-bytes)",
                        topology.name(), wide, topology.channel_count(), hardware.flit_bytes));
}

void print_remarks()
{
    for (const std::string& remark : InputLog::take_remarks())
        print_notice(one_line(remark));
}

} // namespace nocturne::cli
