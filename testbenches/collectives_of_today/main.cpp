// The tables that other schedulers of collectives print, beside what comes out here; README.md says what is
// claimed and what came out.
#include "sim/report/progress.hpp"
#include "testbenches/collectives_of_today/tables.hpp"
#include "testbenches/testbench.hpp"

#include <iostream>

namespace {

using namespace nocturne;
using namespace nocturne::collectives_of_today;

struct Configuration {
    std::string data;
    std::string only; ///< part of a row's table and name; empty: all
    std::string expected;
    std::string output;
};

int run(const Configuration& configuration)
{
    std::vector<ReferenceRow> rows;
    for (std::vector<ReferenceRow> table :
         {dgx1_allgather_rows(configuration.data), dgx1_other_rows(configuration.data),
          all_reduce_rows(configuration.data), throughput_rows(configuration.data),
          cluster_rows(configuration.data), timed_allgather_rows(configuration.data, "tacos_allgather.csv"),
          timed_allgather_rows(configuration.data, "large_allgather.csv")})
        rows.insert(rows.end(), table.begin(), table.end());
    std::erase_if(rows, [&](const ReferenceRow& row) {
        return (row.table + " " + row.name).find(configuration.only) == std::string::npos;
    });
    testbench::require_chosen(rows.size(), configuration.only, configuration.data);
    std::vector<MeasuredRow> measured;
    {
        ProgressLine progress("collectives of today");
        for (const ReferenceRow& row : rows) {
            measured.push_back(measure(row));
            progress.update(measured.size(), rows.size());
        }
    }
    print_text(std::cout, result_table(measured));
    std::cout.flush();
    if (!configuration.output.empty())
        testbench::write_files(configuration.output,
                               {{"collectives_of_today.csv", csv_of(result_table(measured))}});
    return testbench::status_of("collectives_of_today", failures(measured, configuration.expected));
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("data", po::value(&configuration.data)->required(), "folder with the tables")(
        "only", po::value(&configuration.only), "rows that have this in table and name")(
        "expected", po::value(&configuration.expected),
        "table that must come out")("output", po::value(&configuration.output), "folder for the table");
    return nocturne::testbench::run(argc, argv, "collectives_of_today", options,
                                    [&] { return run(configuration); });
}
