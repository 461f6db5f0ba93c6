// What came out: tables of phases, and what contradicts the claim.
#pragma once

#include "sim/report/table.hpp"
#include "testbenches/fault_recovery/cases.hpp"

#include <string>
#include <vector>

namespace nocturne::fault_recovery {

/// One row a case; everything in it is deterministic.
Table phase_table(const std::vector<Case>& cases);

/// One row a phase of a case: what the pictures show.
Table box_table(const std::vector<Case>& cases);

/// A line for each memory that is wrong, delivery that came twice, message lost that was not counted or the
/// other way round, and fault that was not told from an intermittent one.
std::vector<std::string> contradictions(const std::vector<Case>& cases);

} // namespace nocturne::fault_recovery
