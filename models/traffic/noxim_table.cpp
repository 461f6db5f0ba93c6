#include "models/traffic/noxim_table.hpp"

#include "models/text/number.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <vector>

namespace nocturne {

namespace {

std::vector<double> numbers_of_line(const std::string& line)
{
    std::vector<double> numbers;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        const auto number = number_of<double>(word);
        if (!number)
            throw std::invalid_argument(fmt::format("'{}' is no number", word));
        numbers.push_back(*number);
    }
    return numbers;
}

} // namespace

NoximTable read_noxim_table(const Topology& topology, const std::string& path)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<double> weights(std::size_t{processors} * processors);
    double sum = 0;
    bool has_more = false;
    std::istringstream lines(read_file(path));
    std::size_t line_number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++line_number;
        if (line.empty() || line.front() == '%')
            continue;
        try {
            const std::vector<double> numbers = numbers_of_line(line);
            if (numbers.empty())
                continue;
            if (numbers.size() < 3 || numbers.size() > 7)
                throw std::invalid_argument(fmt::format(
                    "{} numbers; expected source, destination, PIR and up to four more", numbers.size()));
            for (const double node : {numbers[0], numbers[1]})
                if (!(node >= 0 && node < processors) || node != static_cast<std::uint32_t>(node))
                    throw std::invalid_argument(fmt::format("node {}: there are {}", node, processors));
            if (!(numbers[2] >= 0 && numbers[2] <= 1))
                throw std::invalid_argument(fmt::format("PIR {}: from 0 to 1", numbers[2]));
            double& weight = weights[static_cast<std::size_t>(numbers[0]) * processors +
                                     static_cast<std::size_t>(numbers[1])];
            if (weight > 0)
                throw std::invalid_argument(fmt::format("{} to {} a second time", numbers[0], numbers[1]));
            weight = numbers[2];
            sum += numbers[2];
            has_more = has_more || numbers.size() > 3;
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path, line_number, error.what()));
        }
    }
    if (!(sum > 0))
        throw std::runtime_error(fmt::format("{}: no traffic", path));
    if (has_more)
        InputLog::remark(fmt::format("{}: POR and times of a table of Noxim are not used", path));
    return {TrafficPattern::matrix(processors, weights), sum / processors};
}

} // namespace nocturne
