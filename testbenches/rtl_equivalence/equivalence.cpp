#include "testbenches/rtl_equivalence/equivalence.hpp"

#include "models/routing/make_routing.hpp"
#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/rtl/bench_packets.hpp"
#include "sim/rtl/scheduled_design.hpp"
#include "testbenches/rtl_equivalence/flit_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace nocturne::rtl_equivalence {

namespace {

std::vector<std::string> fields_of(const std::string& line, char separator)
{
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, separator);)
        fields.push_back(field);
    return fields;
}

unsigned number_of(const std::string& text, const std::string& line)
{
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::runtime_error(fmt::format("'{}' is no number in the line {}", text, line));
    return number;
}

Pipeline stages_of(const std::string& text)
{
    const std::vector<std::string> cycles = fields_of(text, ':');
    if (cycles.size() != 4)
        throw std::runtime_error(fmt::format("'{}': expected four stages", text));
    return {number_of(cycles[0], text), number_of(cycles[1], text), number_of(cycles[2], text),
            number_of(cycles[3], text)};
}

/// A processor's ejection links are alike: which of them the hardware takes, it decides when a message comes.
std::string with_one_ejection_link(const std::string& text, const NetworkPlan& plan)
{
    std::istringstream in(text);
    std::string result;
    std::uint64_t cycle = 0;
    std::uint32_t link = 0;
    for (std::string flit; in >> cycle >> link >> flit;) {
        if (plan.numbers.is_ejection(link))
            link = plan.numbers.first_ejection_link(plan.links[link].to.owner);
        result += fmt::format("{} {} {}\n", cycle, link, flit);
    }
    return sorted_lines(result);
}

std::string last_line(const std::string& text)
{
    for (const std::string& line : fields_of(text, '\n'))
        if (line.starts_with("PASS") || line.starts_with("FAIL"))
            return line;
    return text;
}

std::uint64_t line_count(const std::string& text)
{
    return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

WormholeCell cell_of(const nlohmann::json& row)
{
    const auto text = [&](const char* member) { return row.at(member).get<std::string>(); };
    return {text("topology"), text("routing"),      number_of(text("vcs"), json_text(row)),    text("stages"),
            text("traffic"),  text("packet_flits"), number_of(text("packets"), json_text(row))};
}

Equivalence compare_packets(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                            std::span<const BenchPacket> packets, const std::string& folder,
                            Simulator simulator)
{
    const RtlDesign design = wormhole_design(topology, hardware, routing, packets);
    write_new_folder(folder, design.files);
    const std::string model_file = folder + "/model.txt";
    const Job job = [&] {
        write_file_atomically(model_file, trace_packets(topology, hardware, routing, packets));
        return nlohmann::json();
    };
    run_jobs(std::span(&job, 1));
    const std::string said = run_bench(design, folder, simulator);
    const std::string flits = read_file(folder + "/flits.txt");
    return {last_line(said), line_count(flits), first_difference(flits, read_file(model_file))};
}

Equivalence compare_wormhole(const WormholeCell& cell, const std::string& folder, Simulator simulator)
{
    const Topology topology = topology_from(cell.topology);
    const Routing routing = make_routing(topology, cell.routing);
    HardwareConfig hardware;
    hardware.vcs = cell.vcs;
    hardware.router = hardware.crossbar = stages_of(cell.stages);
    std::string sizes = cell.packet_flits;
    std::replace(sizes.begin(), sizes.end(), '+', ',');
    const std::vector<BenchPacket> packets = draw_packets(
        make_pattern(topology, cell.traffic), make_message_sizes(sizes), {cell.packets, 0.01, 1, 1});
    return compare_packets(topology, hardware, routing, packets, folder, simulator);
}

Equivalence compare_scheduled(const Schedule& schedule, const Topology& topology,
                              const ScheduledOptions& options, const std::string& folder, Simulator simulator)
{
    const RtlDesign design = scheduled_design(schedule, topology, options);
    const ScheduledPlan plan = plan_scheduled(schedule, topology, options);
    write_new_folder(folder, design.files);
    const Job job = [&] {
        const ReplayTrace trace = trace_replay(schedule, topology, options);
        return nlohmann::json{trace.flits, trace.cycles, trace.memory_ok};
    };
    const nlohmann::json replayed = run_jobs(std::span(&job, 1)).front();
    const std::string said = run_bench(design, folder, simulator);
    const std::string flits = with_one_ejection_link(read_file(folder + "/flits.txt"), plan.network);
    Equivalence result{
        last_line(said), line_count(flits),
        first_difference(flits, with_one_ejection_link(replayed[0].get<std::string>(), plan.network))};
    const std::string expected =
        fmt::format("PASS: {} steps, done in cycle {}", plan.durations.size(), replayed[1].get<double>());
    if (result.verdict != expected || replayed[2] != true)
        result.difference = fmt::format("{} | {}", result.verdict, expected);
    return result;
}

} // namespace nocturne::rtl_equivalence
