#include "models/traffic/csv_rows.hpp"

#include "models/topology/files.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <cctype>
#include <sstream>
#include <stdexcept>

namespace nocturne {

void read_csv_rows(const std::string& path,
                   const std::function<void(const std::string& line, std::size_t number)>& take)
{
    std::istringstream lines(read_file(path));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        boost::trim_right(line);
        const bool is_numbered = line.size() > 1 && std::isdigit(static_cast<unsigned char>(line[1])) != 0;
        if (line.empty() || (line.front() == '#' && !is_numbered))
            continue;
        try {
            take(line, number);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(one_line(fmt::format("{}:{}: {}", path, number, error.what())));
        }
    }
}

} // namespace nocturne
