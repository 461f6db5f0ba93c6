#include "models/topology/csv_rows.hpp"

#include "models/text/csv.hpp"
#include "models/topology/files.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace nocturne {

void read_csv_rows(const std::string& text, const std::string& path, const TakeCsvRow& take)
{
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        boost::trim(line);
        const bool is_numbered = line.size() > 1 && std::isdigit(static_cast<unsigned char>(line[1])) != 0;
        if (line.empty() || (line.front() == '#' && !is_numbered))
            continue;
        try {
            std::vector<std::string> fields = csv_fields(line);
            for (std::string& field : fields)
                boost::trim(field);
            take(fields, number);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(one_line(fmt::format("{}:{}: {}", path, number, error.what())));
        }
    }
}

void require_csv_fields(std::size_t fields, std::string_view header)
{
    const auto expected = static_cast<std::size_t>(std::ranges::count(header, ',')) + 1;
    if (fields != expected)
        throw std::invalid_argument(
            fmt::format("{} fields; expected {}{}", fields, header,
                        fields > expected ? "; a name with a comma stands in double quotes" : ""));
}

std::string csv_line(const std::vector<std::string>& fields)
{
    std::string line;
    for (const std::string& field : fields)
        line += (&field == &fields.front() ? "" : ",") + csv_quoted(field);
    return line;
}

} // namespace nocturne
