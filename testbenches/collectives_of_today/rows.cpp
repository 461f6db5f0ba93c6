#include "testbenches/collectives_of_today/rows.hpp"

#include "schedules/schedule/validator.hpp"
#include "testbenches/driver/columns.hpp"

#include <fmt/format.h>

#include <chrono>

namespace nocturne::collectives_of_today {

std::string refutation_of(const Schedule& schedule, const LinkNetwork& network)
{
    const auto violations = validate(schedule, network);
    return violations.empty() ? "" : fmt::format("the schedule is not valid: {}", violations.front().text);
}

MeasuredRow measure(const ReferenceRow& row)
{
    const auto begin = std::chrono::steady_clock::now();
    MeasuredRow measured{row.table, row.name, row.measure()};
    measured.result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return measured;
}

Table result_table(const std::vector<MeasuredRow>& rows)
{
    return table_of("Collectives of today", rows,
                    {{"table", "", &MeasuredRow::table},
                     {"row", "", &MeasuredRow::name},
                     {"theirs", "", [](const MeasuredRow& row) { return row.result.theirs; }},
                     {"bound", "", [](const MeasuredRow& row) { return row.result.bound; }},
                     {"ours", "", [](const MeasuredRow& row) { return row.result.ours; }},
                     {"time", "s", [](const MeasuredRow& row) { return row.result.seconds; }, 2},
                     {"verdict", "", [](const MeasuredRow& row) { return row.result.verdict; }}});
}

} // namespace nocturne::collectives_of_today
