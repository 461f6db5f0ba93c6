#include "testbenches/lower_bounds/cells.hpp"

#include "testbenches/records.hpp"

#include <string_view>

namespace nocturne::lower_bounds {
namespace {

constexpr std::string_view header =
    "paper,network,fault,collective,source,senders,receivers,ports,slack,printed_steps,printed_bound";

Cell cell_of(const testbench::Fields& fields)
{
    Cell cell;
    cell.paper = fields[0];
    cell.problem.topology = fields[1];
    if (!fields[2].empty())
        cell.problem.faults = {fields[2]};
    cell.problem.collective = fields[3];
    cell.problem.source = fields[4];
    cell.problem.senders = fields[5];
    cell.problem.receivers = fields[6];
    cell.problem.ports = fields[7];
    cell.problem.slack = testbench::number_of(fields[8]);
    cell.printed_steps = testbench::number_of(fields[9]);
    cell.printed_bound = testbench::number_of(fields[10]);
    return cell;
}

} // namespace

std::vector<Cell> read_cells(const std::filesystem::path& path)
{
    std::vector<Cell> cells;
    testbench::read_records(path, header,
                            [&](const testbench::Fields& fields) { cells.push_back(cell_of(fields)); });
    return cells;
}

} // namespace nocturne::lower_bounds
