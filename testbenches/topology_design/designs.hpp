// Networks that both engines design, with budgets that do not depend on the machine.
#pragma once

#include "schedules/design/design.hpp"
#include "schedules/design/gappin.hpp"
#include "sim/report/table.hpp"
#include "testbenches/topology_design/figures.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::topology_design {

/// What is to be designed, and how long each engine searches.
struct DesignCell {
    std::string name; ///< `short 64/3`
    design::Request request;
    std::string weights; ///< `average=1 maximum=1`
    design::Objective objective;
    design::GappinOptions gappin; ///< population 0: not by this engine
    std::uint64_t exchanges = 0;  ///< 0: not by the other one
};

/// From rows with the columns of designs.csv. Throws std::exception for a weight that does not exist, and a
/// request that no network fulfils.
std::vector<DesignCell> design_cells(const nlohmann::json& rows);

/// The request of so many nodes with so many links each. `arrangement` is empty, or one of backplane,
/// centerplane and grid; `longest_wire` is empty, or a length. Throws std::invalid_argument.
design::Request request_of(unsigned nodes, unsigned links, const std::string& arrangement,
                           const std::string& longest_wire);

/// `average=1 wire=0.01`, names as `nocturne design` has them. Throws std::invalid_argument.
design::Objective objective_of(std::string_view weights);

struct DesignOptions {
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0: one for each core
    std::function<void(const std::string& what)> on_progress = {};
};

/// A network and what it took.
struct Designed {
    DesignCell cell;
    std::string engine; ///< `gappin` or `exchange`
    design::Design design;
    std::uint64_t evaluations = 0; ///< candidates of gappin, or exchanges
    double seconds = 0;
    std::vector<design::GappinGeneration> history = {}; ///< of gappin

    Topology topology() const;
};

/// Those of gappin first, each in the order of the cells. The networks depend on cells and seed alone.
std::vector<Designed> run_designs(std::span<const DesignCell> cells, const DesignOptions& options);

/// Candidates of gappin up to the first generation whose best network is as good as printed in each of the
/// figures that are terms of its cost; nothing if there is no such generation, or no such figure.
std::optional<std::uint64_t> evaluations_to_print(const Designed& designed,
                                                  std::span<const PrintedFigure> figures);

/// A line for each network: the budget and the time on a clock, after how many evaluations it was as good as
/// printed, cost, latencies with their Moore bounds, and wires.
Table design_table(std::span<const Designed> designs, std::span<const PrintedFigure> figures);

} // namespace nocturne::topology_design
