// What every single fault of a network costs a collective in chunks.
#pragma once

#include "schedules/portfolio/portfolio.hpp"
#include "schedules/reschedule/fault_table.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// One fault, or pair of faults, and the best schedule on the network that it leaves.
struct ChunkFault {
    FaultSet faults;
    /// The first row whose fault leaves the same network but for names: its schedule is this one's. Its own
    /// index, where it is that row.
    std::size_t like = 0;
    std::string refusal = {};                    ///< why nothing can be scheduled; empty: something can
    std::optional<double> cycles = std::nullopt; ///< nothing: no schedule was found
    std::optional<double> bound = std::nullopt;  ///< cycles, which no schedule beats
    std::string bound_reason = {};
    std::string engine = {};
    EndReason end = EndReason::settled;
    double seconds = 0;
};

struct ChunkFaults {
    PortfolioResult before; ///< without a fault
    std::vector<ChunkFault> rows;
};

/// The problem, which counts time, on what a fault has left of its network. Throws std::invalid_argument for
/// what cannot be posed there.
using ProblemOnRest = std::function<ChunkProblem(const Topology& rest)>;

/// Each network that some fault leaves is searched once, with the budget of `options` for itself: faults that
/// symmetries of the network take to each other are one search, for collectives among all processors. Ends
/// early, with the rows so far, when the flag of `options` is set. Throws std::invalid_argument as
/// all_faults() and find_schedule().
ChunkFaults chunk_faults(const Topology& topology, FaultKind kind, const ProblemOnRest& problem_on,
                         const PortfolioOptions& options,
                         const std::function<void(std::size_t done, std::size_t total)>& on_progress = {});

} // namespace nocturne
