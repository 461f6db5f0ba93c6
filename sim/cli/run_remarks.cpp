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

/// What classes of virtual channels are there for, or routers see to.
bool is_deadlock_ruled_out(const Routing& routing)
{
    if (routing.is_given)
        return false;
    return routing.adaptive() || (routing.in_order() && routing.vc_classes > 1);
}

} // namespace

void remark_routing(const Topology& topology, const Routing& routing)
{
    const std::string what = fmt::format("{}, routing {}: ", topology.name(), routing.name);
    if (!is_deadlock_ruled_out(routing) && topology.processor_count() <= most_processors_checked) {
        try {
            if (const DependencyCheck check = check_deadlock(topology, routing); !check.deadlock_free())
                InputLog::remark(fmt::format("{}can deadlock: {}", what, describe(topology, check.cycle)));
        } catch (const std::invalid_argument&) {
            // Some pair has no route: what matters is whether it sends anything, which the run finds out.
        }
    }
    if (const std::string minimal = minimal_text(topology, routing); !minimal.empty())
        InputLog::remark(fmt::format("{}paths of {}", what, minimal));
}

void RoutingRemarks::add(const Topology& topology, const Routing& routing)
{
    const auto is_same = [&](const auto& other) {
        return other.second == routing.name && *other.first == topology;
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
