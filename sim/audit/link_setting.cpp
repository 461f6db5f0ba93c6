#include "sim/audit/link_setting.hpp"

#include "models/topology/gpu_networks.hpp"
#include "models/topology/link_network.hpp"
#include "sim/imports/gpu_models.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace nocturne {

LinkRate link_rate_of(std::string_view text)
{
    const auto rate = parse_link_rate(text);
    if (!rate || *rate == 0)
        throw std::invalid_argument(fmt::format("'{}': expected a rate such as 25GB/s or 200Gb/s", text));
    return *rate;
}

LinkSetting link_setting(const Topology& topology, std::optional<LinkRate> rate,
                         std::optional<double> cycle_ns)
{
    const auto& channels = topology.channels();
    const auto open = static_cast<std::size_t>(std::ranges::count(channels, 0U, &Channel::width_bytes));
    LinkSetting setting{.bytes_per_cycle = 1, .cycle_ns = cycle_ns.value_or(1)};
    if (!has_open_widths(topology)) {
        if (rate)
            throw std::invalid_argument(
                fmt::format("--link-rate: every link of {} has a width of its own", topology.name()));
        if (!cycle_ns)
            setting.remark = "a width of 1 byte per cycle counts as 1 GB/s (a cycle of 1 ns; see --cycle-ns)";
        return setting;
    }
    if (!rate) {
        const GpuMachine* const machine = gpu_machine(topology.name());
        if (machine == nullptr)
            throw std::invalid_argument(fmt::format(
                "--link-rate is missing: {} of {} have no width; for example 25GB/s or 200Gb/s",
                open > 0 ? "links" : "links between a router and its several processors", topology.name()));
        rate = machine->gb_per_s * gb_per_s;
        setting.remark = fmt::format("an NVLink counts as {} one way ({}; see --link-rate)",
                                     shown_rate(*rate), machine->model);
    }
    if (!cycle_ns && open == channels.size())
        setting.cycle_ns = clock_for(std::array{*rate}).cycle_ns;
    const double bytes = static_cast<double>(*rate) / static_cast<double>(gb_per_s) * setting.cycle_ns;
    if (bytes < 0.5 || std::abs(bytes - std::round(bytes)) > 1e-6)
        throw std::invalid_argument(
            fmt::format("--link-rate: {} is no whole number of bytes in a cycle of {:g} ns "
                        "(--cycle-ns)",
                        shown_rate(*rate), setting.cycle_ns));
    setting.bytes_per_cycle = static_cast<std::uint64_t>(std::llround(bytes));
    return setting;
}

std::string other_gpus_remark(std::string_view device, std::string_view network)
{
    const GpuMachine* const machine = gpu_machine(network);
    std::vector<std::string> words;
    boost::split(words, device, boost::is_any_of(" -_"));
    const auto measured = std::ranges::find_if(gpu_models(), [&](const GpuModel& model) {
        return std::ranges::find(words, model.name) != words.end();
    });
    if (machine == nullptr || measured == gpu_models().end())
        return {};
    const GpuModel& expected = gpu_model(machine->model);
    if (measured->link * measured->links == expected.link * expected.links)
        return {};
    return fmt::format("the log is of {}, whose links carry {} one way together, those of an {} in {} {}",
                       device, shown_rate(measured->link * measured->links), machine->model, network,
                       shown_rate(expected.link * expected.links));
}

} // namespace nocturne
