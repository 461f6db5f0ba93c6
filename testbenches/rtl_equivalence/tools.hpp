// Simulators and synthesis, run on a design in its folder.
#pragma once

#include "sim/rtl/rtl_design.hpp"

#include <string>
#include <string_view>

namespace nocturne::rtl_equivalence {

struct ToolRun {
    int status; ///< 0 if all is well
    std::string output;
};

/// Runs a shell command in the folder.
ToolRun run_in(const std::string& folder, const std::string& command);

enum class Simulator { icarus, verilator };

/// `icarus` or `verilator`. Throws std::invalid_argument for anything else.
Simulator parse_simulator(std::string_view text);

/// What compiles the bench of a design in its folder, as a shell command.
std::string compile_command(const RtlDesign& design, Simulator simulator);

/// Compiles the bench of the design that is in the folder, runs it, and leaves the flits on its links in the
/// file flits.txt; returns what the bench said. Throws std::runtime_error with what the tool said if it
/// complains.
std::string run_bench(const RtlDesign& design, const std::string& folder, Simulator simulator);

/// The lines of a text, each of which begins with a number, sorted by these.
std::string sorted_lines(const std::string& text);

/// The first lines in which they differ, `A | B`; empty if they do not.
std::string first_difference(std::string_view a, std::string_view b);

} // namespace nocturne::rtl_equivalence
