// The tables that other schedulers of collectives print, beside what comes out here; README.md says what is
// claimed and what came out.
#include "sim/report/progress.hpp"
#include "testbenches/collectives_of_today/tables.hpp"
#include "testbenches/driver/measured.hpp"

#include <fmt/format.h>

namespace {

using namespace nocturne;
using namespace nocturne::collectives_of_today;

testbench::Measured measure_rows(const nlohmann::json& settings)
{
    std::vector<ReferenceRow> rows;
    for (const std::vector<ReferenceRow>& table :
         {dgx1_allgather_rows(settings), dgx1_other_rows(settings), all_reduce_rows(settings),
          throughput_rows(settings), cluster_rows(settings),
          timed_allgather_rows(settings, "tacos_allgather"),
          timed_allgather_rows(settings, "large_allgather")})
        rows.insert(rows.end(), table.begin(), table.end());
    const auto only = settings.at("only").get<std::string>();
    std::erase_if(rows, [&](const ReferenceRow& row) {
        return (row.table + " " + row.name).find(only) == std::string::npos;
    });
    if (rows.empty())
        throw std::invalid_argument(fmt::format("--only {}: no row has this in its table and name", only));
    std::vector<MeasuredRow> measured;
    std::vector<std::string> failed;
    ProgressLine progress("collectives of today");
    for (const ReferenceRow& row : rows) {
        measured.push_back(measure(row));
        progress.update(measured.size(), rows.size());
        if (const std::string& why = measured.back().result.refutation; !why.empty())
            failed.push_back(fmt::format("{}, {}: {}", row.table, row.name, why));
    }
    return {{{"collectives_of_today", result_table(measured)}}, failed};
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "collectives_of_today", measure_rows);
}
