#include "sim/cli/schedule_input.hpp"

#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "models/topology/topology_reference.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/formats/foreign_schedule.hpp"
#include "schedules/problem/chunk_problem.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/execution/chunk_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

constexpr unsigned usual_max_slack = 2;

/// A step that cannot be routed keeps the others from nothing: the validator wants to see them all.
void complete(InputSchedule& input, const PathSearch& search)
{
    input.is_completed = true;
    try {
        input.schedule = complete_paths(input.schedule, input.topology, search);
        return;
    } catch (const std::exception&) {
        // Some step: each on its own, then.
    }
    std::vector<Step> steps(input.schedule.steps.size());
    std::swap(steps, input.schedule.steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        input.schedule.steps[i] = std::move(steps[i]);
        try {
            steps[i] = complete_paths(input.schedule, input.topology, search).steps[i];
        } catch (const std::exception& error) {
            steps[i] = input.schedule.steps[i];
            input.unrouted.emplace_back(error.what());
        }
        input.schedule.steps[i].clear();
    }
    std::swap(steps, input.schedule.steps);
}

} // namespace

OptionTable schedule_options()
{
    return option_table(
        "Schedule",
        {{"schedule", name_value("FILE"), "schedule file (JSON, or binary .nsched); positional argument"},
         {"topology", name_value("SPEC"), "expected network: a specification or a file"},
         {"max-slack", count_value(usual_max_slack, slack_range),
          "if the file omits paths, search paths of at most N hops more than the shortest"}});
}

namespace {

InputSchedule input_of(LoadedSchedule loaded, const std::string& path, unsigned max_slack)
{
    const bool has_name = !loaded.schedule.name.empty();
    InputSchedule input{std::move(loaded.schedule), std::move(loaded.topology), std::move(loaded.claims),
                        has_name};
    if (!input.has_name)
        input.schedule.name = std::filesystem::path(path).stem().string();
    if (!is_complete(input.schedule)) {
        PathSearch search;
        search.max_slack = max_slack;
        complete(input, search);
    }
    return input;
}

/// Not every command that takes schedules has the option.
unsigned max_slack_of(const OptionValues& given)
{
    return given.has("max-slack") ? given.small_count("max-slack") : usual_max_slack;
}

std::string synchronization_text(const Schedule& schedule)
{
    return is_in_steps(schedule)
               ? fmt::format("{} steps of {} rounds", count_steps(schedule), count_rounds(schedule))
               : "dependencies";
}

/// Its channels are as wide as they are for the schedule, whatever flits the hardware has.
Topology with_widths(Topology topology, const LinkDefaults& defaults)
{
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        if (Channel channel = topology.channel(id); channel.width_bytes == 0) {
            channel.width_bytes = static_cast<unsigned>(defaults.bytes_per_cycle);
            topology.set_channel(id, channel);
        }
    return topology;
}

/// Of chunks.
InputSchedule converted_from(const std::string& path, const OptionValues& given)
{
    refuse_given(given, {"max-slack"}, only_for_messages);
    JudgedChunks judged = judged_chunks(given, path);
    if (!judged.topology)
        throw std::invalid_argument(fmt::format("{}: --topology names the network", path));
    make_ready(judged, path);
    const bool has_name = !judged.schedule.name.empty();
    judged.topology = with_widths(std::move(*judged.topology), judged.defaults);
    InputSchedule input{steps_from(path, judged.schedule, *judged.topology, judged.network),
                        std::move(*judged.topology), nlohmann::ordered_json::object(), has_name};
    input.schedule.topology = input.topology.name();
    if (!has_name)
        input.schedule.name = std::filesystem::path(path).stem().string();
    input.converted = {synchronization_text(judged.schedule), count_transfers(judged.schedule),
                       largest_contribution(input.schedule.collective), judged.schedule.made_for};
    input.links = judged.defaults;
    return input;
}

} // namespace

void require_topology(const OptionValues& given, const std::string& path, const Topology& topology)
{
    if (!given.has("topology"))
        return;
    if (const auto objection =
            objection_to_network("schedule", topology, topology_from(given.text("topology"))))
        throw std::runtime_error(fmt::format("{}: {}", path, *objection));
}

Schedule steps_from(const std::string& path, const Schedule& chunks, const Topology& topology,
                    const LinkNetwork& network)
{
    try {
        return steps_of_chunks(chunks, topology, network);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
    }
}

void require_schedule_file(const std::string& path)
{
    constexpr std::array kinds{FileKind::schedule, FileKind::chunks, FileKind::foreign};
    require_kind(path, kinds, "a schedule");
}

InputSchedule schedule_of(const OptionValues& given)
{
    return schedule_from(given.text("schedule"), given);
}

InputSchedule schedule_to_run(const OptionValues& given)
{
    const std::string& path = given.text("schedule");
    require_schedule_file(path);
    if (kind_of_file(path) == FileKind::schedule)
        return schedule_from(path, given);
    refuse_given(given, {"max-slack"}, only_for_messages);
    JudgedChunks judged = judged_chunks(given, path);
    if (!judged.topology)
        throw std::invalid_argument(fmt::format("{}: --topology names the network", path));
    if (kind_of_file(path) == FileKind::foreign)
        make_ready(judged, path);
    const bool has_name = !judged.schedule.name.empty();
    if (!has_name)
        judged.schedule.name = std::filesystem::path(path).stem().string();
    return {.schedule = std::move(judged.schedule),
            .topology = with_widths(std::move(*judged.topology), judged.defaults),
            .claims = std::move(judged.claims),
            .has_name = has_name,
            .links = judged.defaults};
}

InputSchedule schedule_from(const std::string& path, const OptionValues& given)
{
    require_schedule_file(path);
    const FileKind kind = kind_of_file(path);
    if (kind == FileKind::chunks || kind == FileKind::foreign)
        return converted_from(path, given);
    LoadedSchedule loaded = load_schedule(path);
    require_topology(given, path, loaded.topology);
    return input_of(std::move(loaded), path, max_slack_of(given));
}

std::string converted_text(const InputSchedule& input)
{
    if (!input.converted)
        return "";
    const auto& [synchronization, transfers, chunks, made_for] = *input.converted;
    return fmt::format("{}, {} transfers, in {} steps of one message a channel, {} transfers; a message is "
                       "{} --bytes",
                       synchronization, transfers, input.schedule.steps.size(),
                       count_transfers(input.schedule),
                       chunks == 1 ? "all of" : fmt::format("1/{} of", chunks));
}

void print_conversion(const InputSchedule& input, const OptionValues& given)
{
    if (input.converted && !given.is_on("json"))
        fmt::print("converted    {}\n", converted_text(input));
    std::fflush(stdout);
}

std::uint64_t message_size(const InputSchedule& input, std::uint64_t size)
{
    return message_sizes(input, {size}).front();
}

const MadeFor& made_for_of(const InputSchedule& input)
{
    return input.converted ? input.converted->made_for : input.schedule.made_for;
}

namespace {

/// What a run differs in from the setting for which its schedule was made, in one line.
void remark_differences(const OptionValues& given, const InputSchedule& input, const LinkNetwork& network,
                        const HardwareConfig& hardware)
{
    const MadeFor& made_for = made_for_of(input);
    OpenSetting open;
    std::vector<std::string> made, runs;
    const auto differs = [&](std::string of_schedule, std::string of_run) {
        made.push_back(std::move(of_schedule));
        runs.push_back(std::move(of_run));
    };
    const auto start_up = static_cast<double>(hardware.start_up_cycles());
    if (!made_for.start_cycles && !given.is_given("t0-ns"))
        open.add("start-up", fmt::format("--t0-ns {:g}", hardware.t0_ns));
    if (made_for.start_cycles && *made_for.start_cycles != start_up)
        differs(fmt::format("a start-up of {:g} cycles", *made_for.start_cycles),
                fmt::format("{:g}", start_up));
    if (!made_for.cycle_ns && !given.is_given("cycle-ns"))
        open.add("clock", fmt::format("--cycle-ns {:g}", hardware.cycle_ns));
    if (made_for.cycle_ns && *made_for.cycle_ns != hardware.cycle_ns)
        differs(fmt::format("cycles of {:g} ns", *made_for.cycle_ns), fmt::format("{:g}", hardware.cycle_ns));
    if (made_for.latency_holds_link)
        differs("links that are busy until a transfer has arrived", "links that are free once it has left");
    if (hardware.link_cycles != 1)
        differs("the network's latencies", fmt::format("{} times these", hardware.link_cycles));
    std::set<std::pair<std::uint64_t, std::uint64_t>> links; // width, and cycles for a flit
    for (const NetworkLink& link : network.links())
        links.emplace(link.bytes_per_cycle,
                      link.channel ? hardware.cycles_per_flit(input.topology.channel(*link.channel)) : 1);
    for (const auto& [width, cycles] : links)
        if (width * cycles != hardware.flit_bytes)
            differs(fmt::format("links of {} bytes a cycle", width),
                    fmt::format("{:.4g}",
                                static_cast<double>(hardware.flit_bytes) / static_cast<double>(cycles)));
    const std::string& file = given.text(given.has("schedule") ? "schedule" : "what");
    open.remark(file);
    if (!made.empty())
        InputLog::remark(fmt::format("{}: it was made for {}, and runs with {}", file,
                                     fmt::join(made, " and "), fmt::join(runs, " and ")));
}

} // namespace

HardwareConfig hardware_for(const OptionValues& given, const InputSchedule& input, unsigned vc_classes,
                            unsigned least_start_cycles)
{
    HardwareConfig hardware = hardware_of(given, vc_classes);
    if (!is_between_memories(input.schedule) && !input.converted)
        return hardware;
    const LinkNetwork network = link_network_of(input.topology, input.links);
    const MadeFor& made_for = made_for_of(input);
    if (!given.is_given("cycle-ns"))
        hardware.cycle_ns = made_for.cycle_ns.value_or(hardware.cycle_ns);
    if (!given.is_given("t0-ns") && made_for.start_cycles)
        hardware.t0_ns =
            std::max(*made_for.start_cycles, static_cast<double>(least_start_cycles)) * hardware.cycle_ns;
    if (!given.is_given("flit-bytes"))
        hardware.flit_bytes = flit_bytes_wanted(network, hardware.flit_bytes);
    if (!given.is_given("buffer-flits"))
        hardware.buffer_flits = 0;
    hardware.validate();
    remark_differences(given, input, network, hardware);
    return hardware;
}

std::vector<std::uint64_t> message_sizes(const InputSchedule& input, std::vector<std::uint64_t> sizes)
{
    if (input.converted || is_between_memories(input.schedule))
        for (std::uint64_t& size : sizes)
            size = chunk_bytes(size, largest_contribution(input.schedule.collective));
    else if (const std::uint32_t parts = input.schedule.collective.parts; parts > 1)
        InputLog::remark(
            fmt::format("{}: a message is one of {} chunks of a block, and --bytes is the size of a message",
                        input.schedule.name, parts));
    const auto repeated = std::unique(sizes.begin(), sizes.end());
    if (repeated != sizes.end())
        InputLog::remark(fmt::format("{}: sizes whose chunks are rounded up to the same size are run once",
                                     input.schedule.name));
    sizes.erase(repeated, sizes.end());
    return sizes;
}

} // namespace nocturne::cli
