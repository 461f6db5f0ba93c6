// Networks designed for few steps of an all-to-all scatter, against the conceptual networks of their size.
#pragma once

#include "schedules/design/design.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne::topology_design {

/// A network to design.
struct CodesignCell {
    design::Request request;
    std::string arrangement; ///< empty: wires have no length
    design::Objective objective;
    std::uint64_t exchanges = 0;
    std::chrono::milliseconds search_budget{0}; ///< wall-clock time for a schedule
};

/// From rows with the columns of codesigns.csv: the searches stop earlier at a schedule that is proven
/// optimal. Throws std::exception as design_cells().
std::vector<CodesignCell> codesign_cells(const nlohmann::json& rows);

struct CodesignOptions {
    std::uint64_t seed = 1;
    unsigned workers = 0;               ///< processes; 0: one for each core
    std::uint64_t message_bytes = 1024; ///< of the replays
    std::function<void(const std::string& what)> on_progress = {};
};

/// A design, its schedule, and what it is compared with. Steps are those of an all-to-all scatter, all-port,
/// wormhole switching, any paths.
struct Codesign {
    CodesignCell cell;
    design::Design design;
    double average_hops = 0; ///< without self
    double longest_wire = 0;
    unsigned moore_steps = 0;           ///< no network with so many channels out of each node takes fewer
    unsigned bound = 0;                 ///< proven for the design
    std::optional<unsigned> steps = {}; ///< of the schedule that was found, valid
    std::optional<double> time_ns = {}; ///< of its replay; nothing if a flit was blocked or a memory wrong
    std::string conceptual;             ///< the conceptual network with the least bound
    unsigned conceptual_bound = 0;      ///< proven for it; no other one has a smaller bound

    std::string name() const; ///< `design:64,4`, `design:64,4 one-way symmetry 4 grid 5`
    /// Is the schedule below the bound of every conceptual network, and has it run as it should?
    std::string verdict() const;
};

std::vector<Codesign> run_codesigns(std::span<const CodesignCell> cells, const CodesignOptions& options);

/// Everything that was found.
Table codesign_table(std::span<const Codesign> codesigns);

/// What does not depend on the speed of the machine: all but schedule and replay.
Table codesign_verdicts(std::span<const Codesign> codesigns);

} // namespace nocturne::topology_design
