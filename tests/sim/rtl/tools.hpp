// Simulators and synthesis, run on a design in its folder.
#pragma once

#include "sim/rtl/rtl_design.hpp"

#include <string>

namespace nocturne::test {

struct ToolRun {
    int status; ///< 0 if all is well
    std::string output;
};

/// Runs a shell command in the folder.
ToolRun run_in(const std::string& folder, const std::string& command);

/// What the bench of a design said, and the flits on its links, a line each, sorted.
struct BenchRun {
    std::string output;
    std::string trace;
};

/// Writes the design into the folder, which must not exist, and runs its bench with Icarus Verilog. Throws
/// std::runtime_error with what the tool said if there is a warning.
BenchRun run_with_icarus(const RtlDesign& design, const std::string& folder);

/// The lines of a text, each of which begins with a number, sorted by these.
std::string sorted_lines(const std::string& text);

/// The first lines in which they differ, `A | B`; empty if they do not.
std::string first_difference(const std::string& a, const std::string& b);

} // namespace nocturne::test
