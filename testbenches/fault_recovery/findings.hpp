// What came out: a table of phases, a picture of them, and what contradicts the claim.
#pragma once

#include "sim/report/table.hpp"
#include "testbenches/fault_recovery/cases.hpp"

#include <string>
#include <vector>

namespace nocturne::fault_recovery {

/// One row a case; everything in it is deterministic.
Table phase_table(const std::vector<Case>& cases);

/// Of a network: one row a case with its phases over simulated time, as SVG.
std::string phase_picture(const std::string& network, const std::vector<Case>& cases);

/// A line for each memory that is wrong, delivery that came twice, message lost that was not counted or the
/// other way round, and fault that was not told from an intermittent one.
std::vector<std::string> contradictions(const std::vector<Case>& cases);

} // namespace nocturne::fault_recovery
