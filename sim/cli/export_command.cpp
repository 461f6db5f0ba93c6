#include "models/routing/make_routing.hpp"
#include "models/text/number.hpp"
#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/formats/formats.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/problem/chunk_problem.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/results.hpp"
#include "sim/rtl/bench_packets.hpp"
#include "sim/rtl/scheduled_design.hpp"
#include "sim/rtl/wormhole_design.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

/// `0.1` or `FIRST:LAST`: two loads.
std::pair<double, double> bench_loads(const std::string& text)
{
    const std::vector<std::string> parts = parts_of(text, ':');
    const auto first = number_of<double>(parts.front());
    const auto last = number_of<double>(parts.back());
    if (parts.size() > 2 || !first || !last)
        throw std::invalid_argument("expected a number, or FIRST:LAST");
    return {*first, *last};
}

OptionTable export_network_options()
{
    static const std::string pattern_help =
        fmt::format("traffic pattern: {}", fmt::join(pattern_names(), ", "));
    return option_table(
        "Network",
        {{"routing", name_value("NAME", "auto"), routing_help()},
         {"pattern", name_value("PATTERN", "uniform"), pattern_help},
         {"packet-flits", text_value("SIZES", "8").parsed_by(make_message_sizes),
          "flits per packet: 8, or sizes with weights 2:0.7,16:0.3"},
         {"packets", count_value(1000, {1, most_bench_packets}), "packets that the test bench sends"},
         {"load", text_value("LOAD", "0.05:0.5").parsed_by(bench_loads),
          "offered flits per processor and cycle, FIRST:LAST: it rises with the packets"}});
}

OptionTable export_options()
{
    OptionTable options = option_table(
        "Export", {{"what", name_value("FILE|SPEC"),
                    "schedule file, or network (specification or file); positional argument"},
                   {"rtl", written_value("DIR", Written::new_folder),
                    "write SystemVerilog, memory images and a test bench to this new folder"},
                   {"name", name_value("PREFIX"), "prefix of all SystemVerilog modules and files", {"rtl"}},
                   {"out-of-place",
                    switch_value(),
                    "MSCCL XML: separate input and output buffers of an allgather",
                    {"msccl-xml"}}});
    for (const ScheduleFormat& format : schedule_formats())
        if (format.write != nullptr)
            options.add({{std::string(format.name),
                          format.name_in_folder.empty() ? written_value("FILE")
                                                        : written_value("DIR", Written::new_folder),
                          std::string(format.summary)}});
    options.add(option_table(
        "Schedule", {{"bytes",
                      text_value("SIZE", "64").parsed_by(parse_size),
                      "message size; for chunks the size of the largest vector that a processor contributes; "
                      "default: that for which the schedule was made, with --rtl 64",
                      {"rtl", "goal", "chakra"}},
                     {"max-slack", count_value(2, slack_range),
                      "if the file omits paths, search paths of at most N hops more than the shortest"}}));
    return options.add(export_network_options());
}

BenchTraffic bench_traffic_of(const OptionValues& given)
{
    const auto [first, last] = bench_loads(given.text("load"));
    return {given.count("packets"), first, last, given.count("seed")};
}

/// A design, and what the command says of it.
struct Export {
    RtlDesign design;
    std::string summary;
    std::optional<InputSchedule> input = std::nullopt; ///< of a schedule
};

Export scheduled_export(const OptionValues& given)
{
    refuse_given(given, export_network_options(), "only for a network, not for a schedule");
    InputSchedule input = schedule_from(given.text("what"), given);
    input.topology = with_parts_of(given, std::move(input.topology));
    if (!input.unrouted.empty())
        throw std::invalid_argument(input.unrouted.front());
    refuse_idle_hardware(given, NetworkModel::flit, {input.topology});
    // A memory answers in the next cycle.
    const unsigned least_start_cycles = hardware_of(given).interface_cycles > 1 ? 0 : 1;
    const ScheduledOptions options{hardware_for(given, input, 1, least_start_cycles),
                                   message_size(input, parse_simulated_size(given.text("bytes"))),
                                   given.count("seed")};
    RtlDesign design = scheduled_design(input.schedule, input.topology, options);
    const ScheduledPlan plan = plan_scheduled(input.schedule, input.topology, options);
    return {std::move(design), fmt::format("{} steps in {} cycles", plan.durations.size(), plan.cycles()),
            input};
}

Export wormhole_export(const OptionValues& given)
{
    refuse_given(given, {"bytes", "max-slack"}, "only for a schedule, not for a network");
    refuse_given(given, {"t0-ns"}, only_for_steps);
    const Topology topology = with_parts_of(given, topology_from(given.text("what")));
    refuse_idle_hardware(given, NetworkModel::flit, {topology});
    const Routing routing = make_routing(topology, given.text("routing"), given.count("seed"),
                                         hardware_of(given).path_cost_on(topology));
    remark_routing(topology, routing);
    const std::vector<BenchPacket> packets =
        draw_packets(make_pattern(topology, given.text("pattern"), given.count("seed")),
                     make_message_sizes(given.text("packet-flits")), bench_traffic_of(given));
    return {wormhole_design(topology, hardware_of(given, routing.vc_classes), routing, packets),
            fmt::format("{} packets", packets.size())};
}

/// The formats that options name, as these are called.
std::vector<const ScheduleFormat*> asked_formats(const OptionValues& given)
{
    std::vector<const ScheduleFormat*> asked;
    for (const ScheduleFormat& format : schedule_formats())
        if (format.write != nullptr && given.has(std::string(format.name)))
            asked.push_back(&format);
    return asked;
}

struct ExportedChunks {
    Schedule schedule;
    LinkNetwork network;
    std::uint64_t bytes_per_weight;
};

/// The file's chunks, or its messages as chunks. `has_sizes`: what is written of them has.
ExportedChunks exported_chunks(const OptionValues& given, bool has_sizes)
{
    const std::string& file = given.text("what");
    constexpr std::array exported{FileKind::schedule, FileKind::chunks};
    require_kind(file, exported, "a schedule");
    if (kind_of_file(file) == FileKind::chunks) {
        refuse_given(given, {"max-slack"}, only_for_messages);
        LoadedSchedule loaded = chunk_schedule_of(given, file);
        const std::uint64_t bytes =
            has_sizes ? parse_size(bytes_text(given, file, loaded.schedule.made_for.bytes)) : 0;
        const std::uint64_t weight = largest_contribution(loaded.schedule.collective);
        LinkNetwork network = loaded.network();
        return {std::move(loaded.schedule), std::move(network), chunk_bytes(bytes, weight)};
    }
    const InputSchedule input = schedule_from(file, given);
    if (!input.unrouted.empty())
        throw std::invalid_argument(input.unrouted.front());
    if (const auto violations = validate(input.schedule, input.topology); !violations.empty())
        throw std::invalid_argument(fmt::format("{} is not valid: {}", file, violations.front().text));
    LinkNetwork network = link_network_of(input.topology);
    Schedule schedule = chunks_of_steps(input.schedule, network);
    return {std::move(schedule), std::move(network), parse_size(given.text("bytes"))};
}

/// A file that was written.
struct WrittenFile {
    std::string format;
    std::string path;
};

Fields<WrittenFile> fields_of(const WrittenFile*)
{
    return {"written file",
            "A file, or a folder, that was written.",
            {{"format", "", "Name of the format.", &WrittenFile::format},
             {"path", "", "Path of the file or folder.", &WrittenFile::path}}};
}

/// What is printed of an export in formats of other tools.
struct ExportedSchedule {
    std::string schedule;
    std::size_t transfers;
    std::vector<WrittenFile> written;
};

Fields<ExportedSchedule> fields_of(const ExportedSchedule*)
{
    return {"export schedule",
            "A schedule in formats of other tools.",
            {{"schedule", "", "Name of the schedule.", &ExportedSchedule::schedule},
             {"transfers", "", "Transfers from one processor to another.", &ExportedSchedule::transfers},
             {"written", "", "Written files.", &ExportedSchedule::written, Shown::as_rows}}};
}

/// What is printed of an export as hardware.
struct ExportedHardware {
    std::string folder;
    const RtlDesign& design;
    std::string converted;
};

Fields<ExportedHardware> fields_of(const ExportedHardware*)
{
    using Output = ExportedHardware;
    return {
        "export rtl",
        "A network, or a schedule, as SystemVerilog.",
        {{"folder", "", "Folder of the design.", [](const Output& output) { return output.folder; }},
         {"top", "", "Top module.", [](const Output& output) { return output.design.top; }},
         {"bench", "", "Module of the test bench.", [](const Output& output) { return output.design.bench; }},
         {"design_sources", "", "Files of the design.",
          [](const Output& output) { return output.design.design_sources; }},
         {"bench_sources", "", "Files of the test bench.",
          [](const Output& output) { return output.design.bench_sources; }},
         {"converted", "", converted_meaning, [](const Output& output) { return output.converted; }}}};
}

/// What was written where, unless it was written to where this would go.
void print_written(const OptionValues& given, const Schedule& schedule)
{
    ExportedSchedule exported{schedule.name, count_sent(schedule), {}};
    for (const ScheduleFormat* const format : asked_formats(given)) {
        const std::string path = given.text(std::string(format->name).c_str());
        exported.written.push_back({std::string(format->name), path});
        if (!given.is_on("json") && !is_special(path))
            fmt::print("{}: {} of {} transfers\n", path, format->in_words, count_sent(schedule));
    }
    print_result(exported, given, [] {});
}

std::vector<std::string> written_in(const ScheduleFormat& format, const ExportedChunks& loaded,
                                    const OptionValues& given)
{
    try {
        return format.write(loaded.schedule, loaded.network,
                            {loaded.bytes_per_weight, !given.is_on("out-of-place")});
    } catch (const ExecutorLimit& limit) {
        throw std::invalid_argument(
            fmt::format("{}; 'nocturne schedule' with --for {} searches for a schedule that the format takes",
                        limit.what(), format.name));
    }
}

/// Of a schedule in chunks, or of one in whole messages as such.
int export_chunks(const OptionValues& given)
{
    refuse_given(given, {"rtl"}, "only for a network or a schedule of whole messages");
    refuse_given(given, export_network_options(), "only for a network, not for a schedule");
    refuse_given(given, hardware_options(), "only with --rtl");
    refuse_given(given, {"seed"}, nothing_random);
    const std::vector<const ScheduleFormat*> formats = asked_formats(given);
    bool has_sizes = false;
    for (const ScheduleFormat* const format : formats)
        has_sizes = has_sizes || format->has_sizes;
    const ExportedChunks loaded = exported_chunks(given, has_sizes);
    if (const auto violations = validate(loaded.schedule, loaded.network); !violations.empty())
        throw std::invalid_argument(
            fmt::format("{} is not valid: {}", given.text("what"), violations.front().text));
    // All of them before the first is written: one that cannot be made leaves nothing behind.
    std::vector<std::vector<std::string>> texts;
    for (const ScheduleFormat* const format : formats)
        texts.push_back(written_in(*format, loaded, given));
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const std::string path = given.text(std::string(formats[i]->name).c_str());
        if (formats[i]->name_in_folder.empty()) {
            write_file_atomically(path, texts[i].front());
            continue;
        }
        std::vector<FolderFile> files;
        for (std::size_t rank = 0; rank < texts[i].size(); ++rank)
            files.push_back(
                {fmt::format(fmt::runtime(formats[i]->name_in_folder), rank), std::move(texts[i][rank])});
        write_new_folder(path, files);
    }
    print_written(given, loaded.schedule);
    return all_is_well;
}

int run_export(const OptionValues& given)
{
    if (!asked_formats(given).empty())
        return export_chunks(given);
    if (!given.has("rtl"))
        throw std::invalid_argument("export: nothing to write: give --rtl, or for a schedule one of the "
                                    "formats in 'nocturne export --help'");
    const std::string folder = given.text("rtl");
    const std::string& what = given.text("what");
    std::error_code error;
    const auto is_schedule = [&] {
        const FileKind kind = kind_of_file(what);
        return kind == FileKind::schedule || kind == FileKind::chunks || kind == FileKind::foreign;
    };
    Export made = std::filesystem::is_regular_file(what, error) && is_schedule() ? scheduled_export(given)
                                                                                 : wormhole_export(given);
    if (given.has("name"))
        made.design = with_prefix(std::move(made.design), given.text("name"));
    write_new_folder(folder, made.design.files);
    const ExportedHardware exported{folder, made.design, made.input ? converted_text(*made.input) : ""};
    if (made.input)
        print_conversion(*made.input, given);
    print_result(exported, given, [&] {
        fmt::print("{}: {}, {} files; the bench runs {}\n", folder, made.design.top, made.design.files.size(),
                   made.summary);
    });
    return all_is_well;
}

} // namespace

Command export_command()
{
    return {{.command = "export",
             .summary = "write a network in SystemVerilog, or a schedule in the format of another tool",
             .positional = "what",
             .description =
                 "Writes a network in SystemVerilog with a self-checking test bench: wormhole "
                 "routers for a network, bufferless routers\nthat follow the steps for a schedule. "
                 "Every flit is on every link in the same cycle as in the simulation. Or writes\na "
                 "schedule as a program for GPUs or as a trace for cluster simulators.\n",
             .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                          "nocturne export aas.json --rtl octagon_aas --router-stages 0,1,0,0",
                          "nocturne export torus:4x4 --rtl torus --packets 500",
                          "nocturne schedule ring:4 --collective allgather --objective time -o ring.json",
                          "nocturne export ring.json --msccl-xml ring.xml"}},
            [] { return OptionTable().add(export_options()).add(hardware_options()); },
            run_export,
            {description_of<ExportedSchedule>, description_of<ExportedHardware>}};
}

} // namespace nocturne::cli
