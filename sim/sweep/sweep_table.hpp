// The table of a sweep: for each point that has a result, in the order of the points, a row for each row of
// its result (see rows_of()), or a single one without a result.
//
// Columns: `point`; each swept option; `status` and `error`; the fields of the results, as the points' JSON
// names their kinds, in the order of the kinds; `version` and `command`. If the plan names columns, of the
// fields only those whose names match one of its patterns (`*` for anything, as in a shell). A field whose
// name is taken has `result_` before it.
#pragma once

#include "sim/report/result_description.hpp"
#include "sim/sweep/sweep_database.hpp"
#include "sim/sweep/sweep_plan.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The kind of result that a name says; null if there is none.
using FindResult = std::function<const ResultDescription*(std::string_view name)>;

/// Goes through all results. Title and rows are empty.
Table sweep_header(const SweepPlan& plan, const SweepDatabase& database, const FindResult& find);

/// Patterns of the plan's columns that no field of the table has a name for. None where there is no result.
std::vector<std::string> idle_columns(const SweepPlan& plan, const SweepDatabase& database,
                                      const FindResult& find);

/// Makes the table `results` of the database. `header`: as above.
void write_results_table(const SweepPlan& plan, const std::string& version, const Table& header,
                         const FindResult& find, SweepDatabase& database);

/// The same as CSV.
std::string results_csv(const SweepPlan& plan, const std::string& version, const Table& header,
                        const FindResult& find, const SweepDatabase& database);

} // namespace nocturne
