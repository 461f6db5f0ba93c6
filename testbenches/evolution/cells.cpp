#include "testbenches/evolution/cells.hpp"

#include "testbenches/records.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

namespace nocturne::evolution {
namespace {

constexpr std::string_view header =
    "paper,network,collective,source,senders,receivers,ports,slack,engine,"
    "printed_steps,printed_success_percent,printed_seconds,generations,evaluations,"
    "as_printed_evaluations,population";

PrintedCell cell_of(const testbench::Fields& fields)
{
    PrintedCell cell;
    cell.paper = fields[0];
    cell.problem.topology = fields[1];
    cell.problem.collective = fields[2];
    cell.problem.source = fields[3];
    cell.problem.senders = fields[4];
    cell.problem.receivers = fields[5];
    cell.problem.ports = fields[6];
    cell.problem.slack = testbench::number_of(fields[7]);
    cell.engine = fields[8];
    const auto steps = testbench::number_of(fields[9]);
    if (!steps)
        throw std::invalid_argument("no printed steps");
    cell.printed_steps = *steps;
    cell.printed_percent = testbench::number_of(fields[10]);
    cell.printed_seconds = testbench::number_of(fields[11]);
    cell.generations = testbench::number_of(fields[12]);
    cell.evaluations = testbench::number_of(fields[13]);
    cell.as_printed_evaluations = testbench::number_of(fields[14]);
    cell.population = testbench::number_of(fields[15]);
    return cell;
}

} // namespace

std::vector<PrintedCell> read_cells(const std::filesystem::path& path)
{
    std::vector<PrintedCell> cells;
    testbench::read_records(path, header,
                            [&](const testbench::Fields& fields) { cells.push_back(cell_of(fields)); });
    return cells;
}

} // namespace nocturne::evolution
