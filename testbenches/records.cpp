#include "testbenches/records.hpp"

#include "models/text/number.hpp"
#include "models/topology/files.hpp"

#include <boost/tokenizer.hpp>
#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

namespace nocturne::testbench {
namespace {

Fields split(const std::string& line)
{
    const boost::tokenizer<boost::escaped_list_separator<char>> tokens(line);
    return {tokens.begin(), tokens.end()};
}

} // namespace

std::optional<unsigned> number_of(const std::string& text)
{
    if (text.empty())
        return std::nullopt;
    const auto number = nocturne::number_of<unsigned>(text);
    if (!number)
        throw std::invalid_argument(fmt::format("'{}' is no number", text));
    return number;
}

void read_records(const std::filesystem::path& path, std::string_view header,
                  const std::function<void(const Fields&)>& take)
{
    std::istringstream text(read_file(path));
    std::string line;
    if (!std::getline(text, line) || line != header)
        throw std::runtime_error(fmt::format("{}:1: expected the header {}", path.string(), header));
    const std::size_t columns = split(line).size();
    for (unsigned at = 2; std::getline(text, line); ++at)
        try {
            const Fields fields = split(line);
            if (fields.size() != columns)
                throw std::invalid_argument(fmt::format("{} fields instead of {}", fields.size(), columns));
            take(fields);
        } catch (const std::exception& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path.string(), at, error.what()));
        }
}

} // namespace nocturne::testbench
