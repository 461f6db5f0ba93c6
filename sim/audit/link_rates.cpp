#include "sim/audit/link_rates.hpp"

#include "models/text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne {
namespace {

constexpr double nvlink = 25;

bool is_whole(double number)
{
    return number >= 0.5 && std::abs(number - std::round(number)) < 1e-6;
}

} // namespace

double parse_rate(std::string_view text)
{
    constexpr double least = 1e-3, most = 1e6;
    for (const auto& [unit, in_gigabytes] :
         {std::pair{std::string_view("GB/s"), 1.0}, std::pair{std::string_view("Gb/s"), 0.125}}) {
        if (!text.ends_with(unit))
            continue;
        const auto number = number_of<double>(text.substr(0, text.size() - unit.size()));
        if (number && *number * in_gigabytes >= least && *number * in_gigabytes <= most)
            return *number * in_gigabytes;
    }
    throw std::invalid_argument(fmt::format("'{}': expected a rate such as 25GB/s or 200Gb/s", text));
}

LinkRates link_rates(const Topology& topology, std::optional<double> rate, std::optional<double> cycle_ns)
{
    constexpr unsigned longest_cycle = 1000;
    const auto& channels = topology.channels();
    const auto open = std::ranges::count(channels, 0U, &Channel::width_bytes);
    LinkRates rates{.bytes_per_cycle = 1, .cycle_ns = cycle_ns.value_or(1)};
    if (open == 0) {
        if (rate)
            throw std::invalid_argument(
                fmt::format("--link-rate: every link of {} has a width of its own", topology.name()));
        if (!cycle_ns)
            rates.remark = "a width of 1 byte per cycle counts as 1 GB/s (a cycle of 1 ns; see --cycle-ns)";
        return rates;
    }
    if (!rate) {
        if (!topology.name().starts_with("dgx"))
            throw std::invalid_argument(fmt::format(
                "--link-rate is missing: the links of {} have no width; for example 25GB/s or 200Gb/s",
                topology.name()));
        rate = nvlink;
        rates.remark = "an NVLink counts as 25 GB/s one way (V100, A100, H100; see --link-rate)";
    }
    if (!cycle_ns && static_cast<std::size_t>(open) == channels.size())
        while (!is_whole(*rate * rates.cycle_ns) && rates.cycle_ns < longest_cycle)
            ++rates.cycle_ns;
    if (!is_whole(*rate * rates.cycle_ns))
        throw std::invalid_argument(fmt::format(
            "--link-rate: {:g} GB/s is no whole number of bytes in a cycle of {:g} ns (--cycle-ns)", *rate,
            rates.cycle_ns));
    rates.bytes_per_cycle = static_cast<std::uint64_t>(std::llround(*rate * rates.cycle_ns));
    return rates;
}

} // namespace nocturne
