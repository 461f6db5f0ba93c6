#include "models/traffic/noxim_table.hpp"

#include "models/text/number.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>
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

namespace {

/// A line, as Noxim takes it: what is left out is what it would be there.
struct NoximFlow {
    std::size_t source;
    std::size_t destination;
    double pir = 0; ///< packets a cycle while it is on, of a processor that has sent none in the last cycle
    double por = 0; ///< likewise, of one that has
    double share_on = 1;
};

NoximFlow flow_of(const std::vector<double>& numbers, std::size_t processors)
{
    if (numbers.size() < 3 || numbers.size() > 7)
        throw std::invalid_argument(
            fmt::format("{} numbers; expected source, destination, PIR and up to four more", numbers.size()));
    for (const double node : {numbers[0], numbers[1]})
        if (!(node >= 0 && node < static_cast<double>(processors)) || node != std::floor(node))
            throw std::invalid_argument(fmt::format("node {}: there are {}", node, processors));
    NoximFlow flow{static_cast<std::size_t>(numbers[0]), static_cast<std::size_t>(numbers[1]), numbers[2],
                   numbers.size() > 3 ? numbers[3] : numbers[2]};
    for (const auto& [name, rate] : {std::pair("PIR", flow.pir), std::pair("POR", flow.por)})
        if (!(rate >= 0 && rate <= 1))
            throw std::invalid_argument(fmt::format("{} {}: from 0 to 1", name, rate));
    if (numbers.size() < 6)
        return flow; // from T_ON on for ever
    if (numbers.size() == 6)
        throw std::invalid_argument(
            fmt::format("T_OFF {} without a T_PERIOD: it sends once, and a pattern goes on", numbers[5]));
    const double on = numbers[4], off = numbers[5], period = numbers[6];
    if (!(on >= 0 && on < off && off <= period))
        throw std::invalid_argument(fmt::format(
            "on from {} to {} of {} cycles: expected 0 <= T_ON < T_OFF <= T_PERIOD", on, off, period));
    flow.share_on = (off - on) / period;
    return flow;
}

/// Of all lines of a processor the packets a cycle, in the mean: with PIR after a cycle without a packet,
/// with POR after one with a packet.
double mean_rate(double pir, double por)
{
    return pir + 1 > por ? pir / (1 + pir - por) : 0;
}

} // namespace

NoximTable read_noxim_table(const Topology& topology, const std::string& path)
{
    const std::size_t processors = topology.processor_count();
    std::vector<NoximFlow> flows;
    std::set<std::pair<std::size_t, std::size_t>> always_on;
    bool has_times = false;
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
            const NoximFlow& flow = flows.emplace_back(flow_of(numbers, processors));
            if (flow.share_on == 1 && !always_on.emplace(flow.source, flow.destination).second)
                throw std::invalid_argument(
                    fmt::format("{} to {} a second time", flow.source, flow.destination));
            has_times = has_times || flow.share_on < 1;
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path, line_number, error.what()));
        }
    }
    std::vector<double> pir(processors), por(processors); // by source, of all its lines
    for (const NoximFlow& flow : flows) {
        pir[flow.source] += flow.pir * flow.share_on;
        por[flow.source] += flow.por * flow.share_on;
    }
    std::vector<double> weights(processors * processors);
    double sum = 0;
    for (const NoximFlow& flow : flows) {
        const double busy = mean_rate(pir[flow.source], por[flow.source]);
        const double rate = flow.share_on * ((1 - busy) * flow.pir + busy * flow.por);
        weights[flow.source * processors + flow.destination] += rate;
        sum += rate;
    }
    if (!(sum > 0))
        throw std::runtime_error(fmt::format("{}: no traffic", path));
    if (has_times)
        InputLog::remark(
            fmt::format("{}: of the times of a table of Noxim only the mean rates are kept: lines "
                        "that take turns there send at the same time here",
                        path));
    return {TrafficPattern::matrix(static_cast<std::uint32_t>(processors), weights),
            sum / static_cast<double>(processors)};
}

} // namespace nocturne
