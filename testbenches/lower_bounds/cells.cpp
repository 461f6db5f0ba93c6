#include "testbenches/lower_bounds/cells.hpp"

#include "models/topology/files.hpp"

#include <boost/tokenizer.hpp>
#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace nocturne::lower_bounds {
namespace {

constexpr std::string_view header =
    "paper,network,fault,collective,source,senders,receivers,ports,slack,printed_steps,printed_bound";

using Fields = std::vector<std::string>;

Fields split(const std::string& line)
{
    const boost::tokenizer<boost::escaped_list_separator<char>> tokens(line);
    return {tokens.begin(), tokens.end()};
}

std::optional<unsigned> number(const std::string& text)
{
    if (text.empty())
        return std::nullopt;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument(fmt::format("'{}' is no number", text));
    return value;
}

Cell cell_of(const Fields& fields)
{
    if (fields.size() != 11)
        throw std::invalid_argument(fmt::format("{} fields instead of 11", fields.size()));
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
    cell.problem.slack = number(fields[8]);
    cell.printed_steps = number(fields[9]);
    cell.printed_bound = number(fields[10]);
    return cell;
}

} // namespace

std::vector<Cell> read_cells(const std::filesystem::path& path)
{
    std::istringstream text(read_file(path));
    std::string line;
    if (!std::getline(text, line) || line != header)
        throw std::runtime_error(fmt::format("{}:1: expected the header {}", path.string(), header));
    std::vector<Cell> cells;
    for (unsigned at = 2; std::getline(text, line); ++at)
        try {
            cells.push_back(cell_of(split(line)));
        } catch (const std::exception& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path.string(), at, error.what()));
        }
    return cells;
}

} // namespace nocturne::lower_bounds
