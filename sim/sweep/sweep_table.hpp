// The table of a sweep: a row for each point that has a result, in the order of the points.
//
// Columns: `point`; each swept option; `status` and `error`; each leaf of the points' JSON, under the names
// on the way to it with `_` between them (`curves_0_points_0_load`), in the order in which they first appear;
// `version` and `command`. All are written as column_key() has it. Arrays of more than eight elements have no
// columns, unless the plan names columns: then those leaves have one, and only those, whose names match one
// of its patterns (`*` for anything, as in a shell). A leaf whose name is taken has `result_` before it.
#pragma once

#include "sim/sweep/sweep_database.hpp"
#include "sim/sweep/sweep_plan.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace nocturne {

struct SweepColumns {
    std::vector<std::string> names;  ///< of all columns
    std::vector<std::string> leaves; ///< names in the JSON, of those columns that come from it
    std::size_t left_out = 0;        ///< leaves for which the table had no room: SQLite has 2000 columns
};

/// Goes through all results.
SweepColumns columns_of(const SweepPlan& plan, const SweepDatabase& database);

/// Makes the table `results` of the database.
void write_results_table(const SweepPlan& plan, const std::string& version, const SweepColumns& columns,
                         SweepDatabase& database);

/// The same as CSV.
std::string results_csv(const SweepPlan& plan, const std::string& version, const SweepColumns& columns,
                        const SweepDatabase& database);

} // namespace nocturne
