#include "sim/cli/chunk_request.hpp"

#include "models/network/configuration.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/gpu_networks.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/collective/bandwidth.hpp"
#include "schedules/collective/kind_names.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/report/words.hpp"
#include "sim/result_files/problem_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

OptionTable link_options()
{
    return option_table("Links", {{"link-bytes", count_value("N", {1, 1'000'000}),
                                   "width in bytes per cycle of channels without a width in the network, and "
                                   "of the links between a router and its several processors; default: 4, of "
                                   "dgx1, dgx2, dgx_a100 and dgx_h100 the 25 GB/s of an NVLink"}});
}

OptionTable chunk_cost_options()
{
    OptionTable options = option_table(
        "Links and time",
        {{"bytes", text_value("M", "1MiB").parsed_by(parse_size),
          "size of the largest vector that a processor contributes (of an all-to-all or "
          "a scatter without its own block); default for a schedule in a file: that for which it was made"}});
    options.add_rows_of(link_options());
    options.add(
        {{"start-cycles", real_value("CYCLES", 0, {.least = 0}),
          "start-up time of a transfer, in addition to link latency; default for a schedule in a file: that "
          "for which it was made"},
         {"latency-holds-link", switch_value(),
          "a link is busy until its transfer has arrived, not only until it has left; default for a schedule "
          "in a file: as it was made"},
         {"cycle-ns", real_value("X", HardwareConfig{}.cycle_ns, above_zero),
          "clock cycle of the network, ns; default for a schedule in a file: that for which it was made"}});
    return options;
}

OptionTable objective_options()
{
    OptionTable options = option_table(
        "Schedules in chunks, on links with bandwidth and latency",
        {{"objective", text_value("O").parsed_by(parse_chunk_objective),
          "steps (fewest steps, then fewest rounds), bandwidth (fewest rounds per chunk) or time (alpha-beta "
          "model, no barriers); the best number of chunks, unless --chunks is given"}});
    options.add_rows_of(chunk_cost_options());
    return options;
}

std::optional<ChunkObjective> objective_of(const OptionValues& given)
{
    if (given.has("objective"))
        return parse_chunk_objective(given.text("objective"));
    return given.is_given("bytes") ? std::optional(ChunkObjective::time) : std::nullopt;
}

bool has_objective(const OptionValues& given)
{
    const auto objective = objective_of(given);
    if (!objective) {
        refuse_given(given,
                     {"link-bytes", "start-cycles", "latency-holds-link", "cycle-ns", "in-steps", "for"},
                     "only with --objective, or --bytes");
        return false;
    }
    const std::string other =
        given.has("objective") ? "not with --objective" : "not with --bytes, which means --objective time";
    refuse_given(given, {"ports", "slack", "switching", "steps"}, other.c_str());
    refuse_given(given, {"checkpoint"}, (other + "; --start continues from a schedule").c_str());
    if (!given.has("objective"))
        InputLog::remark("--bytes given: the objective is time");
    return true;
}

LinkDefaults link_defaults(const OptionValues& given, const Topology& topology)
{
    if (given.has("link-bytes"))
        return {.bytes_per_cycle = given.count("link-bytes")};
    const GpuMachine* const machine = gpu_machine(topology.name());
    if (machine == nullptr || !has_open_widths(topology))
        return {};
    // Without a clock of its own the command is about steps, and its files are for the usual one.
    const double cycle_ns = given.has("cycle-ns") ? cycle_of(given) : HardwareConfig{}.cycle_ns;
    const double bytes = static_cast<double>(machine->gb_per_s) * cycle_ns;
    if (bytes < 0.5 || std::abs(bytes - std::round(bytes)) > 1e-6)
        throw std::invalid_argument(fmt::format("--cycle-ns {:g}: the {} GB/s of {} are no whole number of "
                                                "bytes in a cycle; --link-bytes gives it",
                                                cycle_ns, machine->gb_per_s, machine->link));
    return {.bytes_per_cycle = static_cast<std::uint64_t>(std::llround(bytes))};
}

std::string link_rates_text(const OptionValues& given, const Topology& topology, const LinkNetwork& network,
                            double start_cycles)
{
    std::string text = link_rates_text(network, cycle_of(given));
    std::string start;
    if (start_cycles > 0)
        start = fmt::format("; start-ups of {}, which hold {}", time_text(start_cycles * cycle_of(given)),
                            given.has("latency-holds-link") && given.is_on("latency-holds-link")
                                ? "the links of their transfers (--latency-holds-link)"
                                : "neither links nor processors");
    else if (!given.is_given("start-cycles"))
        start = "; no start-up of transfers is counted (--start-cycles)";
    if (given.has("link-bytes") || !has_open_widths(topology))
        return text + start;
    const auto width = static_cast<double>(link_defaults(given, topology).bytes_per_cycle);
    if (const std::string open = fmt::format("{:.4g} GB/s", width / cycle_of(given)); open != text)
        text += fmt::format("; without a width {}", open);
    const GpuMachine* const machine = gpu_machine(topology.name());
    return text + fmt::format(", {}{}", machine ? machine->link : "the default (--link-bytes)", start);
}

double cycle_of(const OptionValues& given)
{
    const double cycle_ns = given.real("cycle-ns");
    HardwareConfig{.cycle_ns = cycle_ns}.validate();
    return cycle_ns;
}

AlphaBeta cost_in(const MadeFor& setting, const Collective& collective)
{
    const auto weight = static_cast<double>(largest_contribution(collective));
    return {.bytes_per_weight =
                static_cast<double>(setting.bytes.value_or(usual_bytes)) / std::max(weight, 1.0),
            .start_cycles = setting.start_cycles.value_or(0),
            .latency_holds_link = setting.latency_holds_link};
}

std::uint64_t chunk_bytes(std::uint64_t bytes, std::uint64_t chunks)
{
    constexpr std::uint64_t element = 4;
    return (bytes + element * chunks - 1) / (element * chunks) * element;
}

void remark_parallel_links(const Topology& topology, std::span<const std::string> faults)
{
    for (const std::string& fault : faults) {
        const std::size_t links = fault.starts_with("link:") ? 2 : fault.starts_with("channel:") ? 1 : 0;
        if (links == 0)
            continue;
        const std::size_t failed = parse_faults(topology, std::span(&fault, 1)).channels.size() / links;
        if (failed > 1) {
            InputLog::remark(
                fmt::format("{}: {}: all {} parallel links fail together", topology.name(), fault, failed));
            return;
        }
    }
}

ChunkInput chunk_input(const OptionValues& given)
{
    Topology topology = topology_from(given.text("topology"));
    if (const auto faults = given.texts("fault"); !faults.empty()) {
        remark_parallel_links(topology, faults);
        topology = with_faults(topology, faults);
    }
    const LinkDefaults defaults = link_defaults(given, topology);
    LinkNetwork network = link_network_of(topology, defaults);
    ProblemText text = collective_text(given);
    const std::uint32_t parts = std::exchange(text.parts, 1);
    const CollectiveKind kind = parse_collective_kind(text.collective);
    Collective collective =
        make_collective(kind, network.processor_count(), participants_of(text, kind, topology));
    if (given.has("group") && members_in(collective).size() < network.processor_count())
        InputLog::remark(fmt::format(
            "{}: processors outside the group may pass data on and add; '{} without node:NAME' is "
            "the network without one",
            topology.name(), topology.name()));
    ChunkProblem problem{.network = std::move(network), .collective = std::move(collective)};
    problem.topology = std::move(topology);
    if (given.has("chunks"))
        problem.parts = parts;
    if (const auto objective = objective_of(given)) {
        problem.objective = *objective;
        problem.bytes = static_cast<double>(parse_size(given.text("bytes")));
        problem.start_cycles = given.real("start-cycles");
        problem.latency_holds_link = given.is_on("latency-holds-link");
    }
    return {std::move(problem), defaults};
}

} // namespace nocturne::cli
