// Rows of the tables of other tools, beside what comes out here.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"
#include "sim/report/table.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::collectives_of_today {

struct RowComparison {
    std::string theirs; ///< what the tool prints
    std::string bound;  ///< what nothing can beat
    std::string ours;
    std::string verdict;
    double seconds = 0;     ///< of ours, checks included
    std::string refutation; ///< why ours does not hold, or is worse than theirs; empty: neither
};

struct ReferenceRow {
    std::string table;
    std::string name;
    std::function<RowComparison()> measure;
};

struct MeasuredRow {
    std::string table;
    std::string name;
    RowComparison result;
};

/// "the schedule is not valid: …", or nothing.
std::string refutation_of(const Schedule& schedule, const LinkNetwork& network);

/// Measures and times it.
MeasuredRow measure(const ReferenceRow& row);

Table result_table(const std::vector<MeasuredRow>& rows);

} // namespace nocturne::collectives_of_today
