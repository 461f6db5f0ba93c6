#include "sim/cli/chunk_input.hpp"

#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/formats/formats.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

JudgedChunks judge(ForeignSchedule foreign, const LinkNetwork& network, std::optional<Topology> topology,
                   const LinkDefaults& defaults)
{
    std::vector<Violation> violations = std::move(foreign.violations);
    // What the format asks for first: what is not delivered may follow from it.
    std::ranges::move(validate(foreign.schedule, network), std::back_inserter(violations));
    return {std::move(foreign.schedule),
            network,
            std::move(violations),
            std::move(foreign.places),
            std::move(topology),
            defaults,
            nlohmann::ordered_json::object(),
            {},
            std::nullopt,
            foreign.order_is_open,
            foreign.chosen_paths};
}

} // namespace

void OpenSetting::remark(const std::string& file) const
{
    if (!what_.empty())
        InputLog::remark(fmt::format("{}: the file does not say for which {} it was made: {}", file,
                                     fmt::join(what_, " and "), fmt::join(taken_, ", ")));
}

std::string bytes_text(const OptionValues& given, const std::string& file,
                       std::optional<std::uint64_t> made_for)
{
    if (given.is_given("bytes"))
        return given.text("bytes");
    if (made_for)
        return std::to_string(*made_for);
    OpenSetting open;
    open.add("size", "--bytes " + given.text("bytes"));
    open.remark(file);
    return given.text("bytes");
}

MadeFor setting_of(const OptionValues& given, const std::string& file, const MadeFor& made_for)
{
    MadeFor setting = made_for;
    OpenSetting open;
    if (given.is_given("bytes") || !made_for.bytes)
        setting.bytes = parse_size(given.text("bytes"));
    if (!given.is_given("bytes") && !made_for.bytes)
        open.add("size", "--bytes " + given.text("bytes"));
    if (given.is_given("start-cycles") || !made_for.start_cycles)
        setting.start_cycles = given.real("start-cycles");
    if (!given.is_given("start-cycles") && !made_for.start_cycles)
        open.add("start-up", fmt::format("--start-cycles {:g}", *setting.start_cycles));
    setting.latency_holds_link = made_for.latency_holds_link || given.is_on("latency-holds-link");
    if (given.is_given("cycle-ns"))
        setting.cycle_ns = cycle_of(given);
    open.remark(file);
    return setting;
}

namespace {

/// Programs have numbers of links: those of the network with failed parts that they were made on, which their
/// name says.
Topology network_of_program(Topology topology, std::string_view text, const std::string& file)
{
    const std::string name = fmt::format(" on {}{}", topology.name(), without_word);
    const std::string_view head = text.substr(0, text.find('>'));
    const std::size_t begin = head.find(name), end = head.find(", memory-to-memory");
    if (begin == std::string_view::npos || end == std::string_view::npos)
        return topology;
    topology = without_parts(topology, head.substr(begin + name.size(), end - begin - name.size()));
    InputLog::remark(fmt::format("{}: judged on {}, which it was made for", file, topology.name()));
    return topology;
}

} // namespace

JudgedChunks judged_chunks(const OptionValues& given, const std::string& file)
{
    if (kind_of_file(file) == FileKind::chunks)
        return judged_chunks(chunk_schedule_of(given, file));
    const std::string text = read_file(file);
    std::optional<Topology> topology;
    std::optional<LinkNetwork> network;
    LinkDefaults defaults;
    if (given.has("topology")) {
        topology = network_of_program(topology_from(given.text("topology")), text, file);
        defaults = link_defaults(given, *topology);
        network = link_network_of(*topology, defaults);
        if (!given.has("link-bytes") && has_open_widths(*topology)) {
            OpenSetting open;
            open.add("width of links", fmt::format("--link-bytes {}", defaults.bytes_per_cycle));
            open.remark(file);
        }
    }
    const ScheduleFormat* const format = recognized_format(text);
    if (format == nullptr)
        throw std::runtime_error(fmt::format("{}: no schedule of another tool", file));
    ReadSchedule read = format->read(text, file, network);
    return judge(std::move(read.foreign), read.network, std::move(topology), defaults);
}

void assume_size(MadeFor& made_for, const std::string& file)
{
    if (made_for.bytes)
        return;
    made_for.bytes = std::uint64_t{1} << 20;
    OpenSetting open;
    open.add("size", "1 MiB here");
    open.remark(file);
}

JudgedChunks judged_chunks(LoadedSchedule loaded)
{
    LinkNetwork network = loaded.network();
    auto violations = validate(loaded.schedule, network);
    return {std::move(loaded.schedule), std::move(network), std::move(violations),   {},
            std::move(loaded.topology), loaded.defaults,    std::move(loaded.claims)};
}

void make_ready(JudgedChunks& judged, const std::string& file)
{
    require_valid(judged.violations, file);
    if (judged.order_is_open)
        order_links(judged.schedule, judged.network, {});
}

void require_valid(const std::vector<Violation>& violations, const std::string& file)
{
    if (!violations.empty())
        throw std::runtime_error(
            fmt::format("{} is not valid: {}: {} ('nocturne validate' lists all violations)", file,
                        to_string(violations.front().rule), violations.front().text));
}

LoadedSchedule chunk_file_of(const OptionValues& given, const std::string& file)
{
    LoadedSchedule loaded = load_schedule_or_bound(file);
    require_topology(given, file, loaded.topology);
    if (given.has("link-bytes") && given.count("link-bytes") != loaded.defaults.bytes_per_cycle)
        throw std::invalid_argument(fmt::format("{}: --link-bytes {}: this schedule is for {}", file,
                                                given.count("link-bytes"), loaded.defaults.bytes_per_cycle));
    return loaded;
}

LoadedSchedule chunk_schedule_of(const OptionValues& given, const std::string& file)
{
    LoadedSchedule loaded = chunk_file_of(given, file);
    if (loaded.is_bound)
        throw std::invalid_argument(fmt::format("{}: it has bounds, and no schedule", file));
    return loaded;
}

} // namespace nocturne::cli
