#include "sim/cli/run_notes.hpp"

#include "models/routing/deadlock.hpp"
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
    return routing.adaptive() || (routing.in_order() && routing.vc_classes > 1);
}

} // namespace

std::vector<std::string> run_notes(const Topology& topology, const Routing& routing,
                                   const HardwareConfig& hardware)
{
    std::vector<std::string> notes;
    const std::string what = fmt::format("{}, routing {}: ", topology.name(), routing.name);
    if (!is_deadlock_ruled_out(routing) && topology.processor_count() <= most_processors_checked) {
        try {
            if (const DependencyCheck check = check_deadlock(topology, routing); !check.deadlock_free())
                notes.push_back(fmt::format("{}can deadlock: {}", what, describe(topology, check.cycle)));
        } catch (const std::invalid_argument&) {
            // Some pair has no route: what matters is whether it sends anything, which the run finds out.
        }
    }
    if (const std::string minimal = minimal_text(topology, routing); !minimal.empty())
        notes.push_back(fmt::format("{}paths of {}", what, minimal));
    if (const std::uint32_t missing = missing_buffer_flits(topology, hardware); missing > 0)
        notes.push_back(fmt::format("{}: {}", topology.name(), describe_missing_buffers(missing)));
    return notes;
}

void NotePrinter::print(const Topology& topology, const Routing& routing, const HardwareConfig& hardware)
{
    for (std::string& note : run_notes(topology, routing, hardware))
        if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) {
            if (!is_silent_)
                print_notice(note);
            notes_.push_back(std::move(note));
        }
}

} // namespace nocturne::cli
