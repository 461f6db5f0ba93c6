// What every single fault of a network costs: each one re-scheduled.
#pragma once

#include "schedules/reschedule/reschedule.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

enum class FaultKind {
    link,       ///< every link: routers that channels join in both directions
    channel,    ///< every pair of routers that a channel joins, in that direction
    node,       ///< every router, with its processors
    link_pairs, ///< every two links
};

/// `link`, `channel`, `node`, `link-pairs`; parsing throws std::invalid_argument with that list.
FaultKind parse_fault_kind(std::string_view text);
std::string to_string(FaultKind kind);

/// Faults that happen together, as parse_faults() takes them: `link:00-01`.
using FaultSet = std::vector<std::string>;

/// All faults of that kind, in the order of channels or routers. Throws std::invalid_argument, one line, if
/// the network has none (a network of one-way channels has no links), or if a fault cannot be named because
/// of dashes in the names of routers.
std::vector<FaultSet> all_faults(const Topology& topology, FaultKind kind);

/// One fault and one collective.
struct FaultCell {
    std::string refusal = {}; ///< why there is nothing to schedule (`its source 00 has failed`), or empty
    std::optional<std::size_t> steps =
        std::nullopt; ///< nothing if it was refused, or no schedule was found in time
    unsigned lower_bound = 0;
    std::string engine = {};
    ScheduleChanges changes = {};
    double seconds = 0;

    bool is_optimal() const { return steps && *steps == lower_bound; }
};

struct FaultRow {
    FaultSet faults;
    /// Where no collective can be scheduled: which processor no longer reaches which. If not empty, there are
    /// no cells.
    std::string disconnection;
    std::vector<FaultCell> cells; ///< by problem
};

struct FaultTable {
    Topology topology;
    FaultKind kind;
    std::vector<Problem> problems;       ///< without a fault
    std::vector<PortfolioResult> before; ///< by problem: the schedules from which each fault is re-scheduled
    std::vector<FaultRow> rows;
};

/// The cells of one problem that have a schedule, taken together.
struct FaultSummary {
    std::size_t scheduled = 0;
    std::size_t optimal = 0;
    std::size_t refused = 0;
    std::size_t disconnected = 0;
    std::size_t unsolved = 0; ///< no schedule in time
    std::size_t worst = 0;    ///< steps; 0 if nothing is scheduled
    double mean = 0;          ///< steps
    double mean_seconds = 0;
    double worst_seconds = 0;
    double kept = 0; ///< part of the transfers before the fault that are kept, 0..1, mean
    std::map<std::size_t, std::size_t> cells_by_steps = {};
};

FaultSummary summarize(const FaultTable& table, std::size_t problem);

struct FaultTableOptions {
    RescheduleOptions reschedule =
        {};               ///< of each cell, but its slack is the problem's, and it has one worker
    unsigned workers = 0; ///< processes, each with a cell; 0 = one for each core
    std::function<void(std::size_t done, std::size_t total)> on_progress = {}; ///< cells
};

/// Searches a schedule for each problem (one or more, on the same network and without a fault), then
/// re-schedules it for every fault of that kind. The result depends on problems and seed, not on the number
/// of workers, as long as no budget ends. Call it as run_jobs(). Throws std::invalid_argument for no problem
/// or different networks, as all_faults() and reschedule(), std::runtime_error if no schedule is found
/// without a fault, and Interrupted.
FaultTable fault_table(std::span<const Problem> problems, FaultKind kind,
                       const FaultTableOptions& options = {});

} // namespace nocturne
