#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/collective/bandwidth.hpp"
#include "sim/audit/audit.hpp"
#include "sim/audit/link_setting.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne::cli {

namespace {

OptionTable options_of_audit()
{
    return OptionTable().add(option_table(
        "Audit",
        {{"log", name_value("FILE"), "what the benchmark printed, or a CSV table; positional argument"},
         {"topology", name_value("SPEC"), "network: a specification (dgx_h100) or a file"},
         {"collective", text_value("KIND").parsed_by(parse_collective_kind),
          "the collective, if the log does not say it"},
         {"source", name_value("V"),
          "root of a broadcast, reduce, scatter or gather; default: the first member"},
         {"group", names_value("LIST"),
          "processors that the ranks run on, in this order: 0,2,4 or 0-7; default: all"},
         {"link-rate", text_value("RATE").parsed_by(link_rate_of),
          "rate one way of links without a width in the network: 25GB/s or 200Gb/s; default: of dgx1, dgx2, "
          "dgx_a100 and dgx_h100 25GB/s, of others there is none"},
         {"cycle-ns", real_value("X", above_zero),
          "clock cycle of the network, ns; default: 1, so that widths in bytes per cycle are GB/s"},
         {"start-cycles", real_value("CYCLES", 0, {.least = 0}),
          "start-up time of a transfer, in addition to link latency"},
         {"switches-add", switch_value(),
          "compare all-reduces with what switches that add allow (NVLS, SHARP)"},
         {"budget", real_value("SECONDS", 10, {.least = 0, .most = 1e7}),
          "time limit of the search for a schedule at the size with the best share; 0: none is searched"},
         {"csv", written_value("FILE"), "write the rows as CSV"}}));
}

/// Ranks i send to the next one, the last to the first: what nccl-tests' sendrecv does.
Collective to_the_next(const Topology& topology, std::vector<std::uint32_t> members)
{
    std::vector<std::uint32_t> image(topology.processor_count());
    for (std::uint32_t i = 0; i < image.size(); ++i)
        image[i] = i;
    if (members.empty())
        members = image;
    for (std::size_t i = 0; i < members.size(); ++i)
        image[members[i]] = members[(i + 1) % members.size()];
    return permutation(std::move(image));
}

/// The network of those that take part, and their indices in it.
struct Group {
    Topology topology;
    std::string members; ///< `#0,#1`; empty: all
};

/// GPUs of other jobs, or of none, neither pass data on nor add: they are left out, unless the group needs
/// them to reach each other.
Group group_of(const OptionValues& given, const Topology& topology, std::vector<std::string>& remarks)
{
    if (!given.has("group"))
        return {topology, ""};
    const std::vector<std::uint32_t> members =
        processors_of(topology, "group", fmt::format("{}", fmt::join(given.texts("group"), ",")));
    std::vector<std::uint32_t> processors(topology.router_count()), of_group(topology.router_count());
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        ++processors[topology.processor(id).injection];
    for (const ProcessorId id : members)
        ++of_group[topology.processor(id).injection];
    Faults others;
    for (RouterId router = 0; router < topology.router_count(); ++router)
        if (processors[router] == 1 && of_group[router] == 0)
            others.routers.push_back(router);
    Group group{topology, ""};
    if (!others.routers.empty())
        try {
            group.topology = with_faults(topology, others, "the processors outside the group");
            require_connected(group.topology);
            remarks.emplace_back("processors outside the group neither pass data on nor add");
        } catch (const std::invalid_argument&) { // or it is one processor
            group.topology = topology;
            remarks.emplace_back(
                "processors outside the group may pass data on and add: without them the group is "
                "not connected");
        }
    std::vector<std::string> places;
    for (const ProcessorId id : members)
        for (ProcessorId place = 0; place < group.topology.processor_count(); ++place)
            if (group.topology.processor(place).name == topology.processor(id).name)
                places.push_back(fmt::format("#{}", place));
    group.members = fmt::format("{}", fmt::join(places, ","));
    return group;
}

Collective collective_of(const OptionValues& given, const Group& group, CollectiveKind kind)
{
    const Topology& topology = group.topology;
    if (given.has("source") && !has_root(kind))
        throw std::invalid_argument(
            fmt::format("--source: {} has no root", nocturne::collective_text(to_string(kind))));
    ProblemText text;
    text.collective = std::string(to_string(kind));
    text.group = group.members;
    if (kind == CollectiveKind::permutation)
        return to_the_next(topology, text.group.empty() ? std::vector<std::uint32_t>()
                                                        : processors_of(topology, "group", text.group));
    if (has_root(kind))
        text.source = given.text("source");
    return make_collective(kind, static_cast<std::uint32_t>(topology.processor_count()),
                           participants_of(text, kind, topology));
}

/// What the log says, or else the option; they must not contradict each other.
CollectiveKind kind_of_run(const OptionValues& given, const MeasuredRun& run, const std::string& log)
{
    if (!given.has("collective")) {
        if (run.kind)
            return *run.kind;
        throw std::invalid_argument(fmt::format(
            "{}: the log does not say which collective it is of: name it with --collective", log));
    }
    const CollectiveKind kind = parse_collective_kind(given.text("collective"));
    if (run.kind && !run.is_kind_inferred && *run.kind != kind)
        throw std::invalid_argument(fmt::format("--collective: {} is of {}", log, to_string(*run.kind)));
    return kind;
}

/// Whose first column is the number of the run.
Table without_run(Table table)
{
    table.columns.erase(table.columns.begin());
    for (std::vector<Cell>& row : table.rows)
        row.erase(row.begin());
    return table;
}

void print_limits(const AuditResult& result, const AuditedRun& run)
{
    std::vector<AuditLimit> limits;
    for (const AuditLimit& limit : result.limits)
        if (limit.run == run.run)
            limits.push_back(limit);
    std::vector<AuditRow> rows;
    for (const AuditRow& row : result.rows)
        if (row.run == run.run)
            rows.push_back(row);
    if (!limits.empty())
        print_below(without_run(table_of(fmt::format("At most, for {}", size_text(*run.bytes)), limits)));
    print_below(fold_constant_columns(without_run(table_of("Measured", rows))));
}

void print_audit(const AuditResult& result)
{
    for (const AuditedRun& run : result.runs)
        fmt::print("{} of {} ranks: {}\n", nocturne::collective_text(run.collective), run.ranks, run.verdict);
    fmt::print("network: {}, {} processors, {} GB/s out of each\n", result.topology, result.processors,
               short_number(result.least_bandwidth));
    for (const AuditedRun& run : result.runs)
        print_limits(result, run);
    std::cout.flush();
}

int run_audit(const OptionValues& given)
{
    refuse_given(given, {"seed"}, nothing_random);
    if (!given.has("topology"))
        throw std::invalid_argument("--topology is missing: the network that was measured");
    if (given.is_on("switches-add"))
        refuse_given(given, {"start-cycles"}, "not with --switches-add, whose bound counts bandwidth alone");
    const StopOnSignal signals;
    const std::string file = given.text("log");
    const MeasuredLog log = read_measured_log(read_file(file), file);
    const Topology topology = topology_from(given.text("topology"));
    const LinkSetting links = link_setting(
        topology,
        given.has("link-rate") ? std::optional(link_rate_of(given.text("link-rate"))) : std::nullopt,
        given.has("cycle-ns") ? std::optional(given.real("cycle-ns")) : std::nullopt);
    std::vector<std::string> remarks = log.remarks;
    const Group group = group_of(given, topology, remarks);
    const LinkNetwork network = link_network_of(group.topology, {.bytes_per_cycle = links.bytes_per_cycle});
    AuditSetting setting{.cycle_ns = links.cycle_ns,
                         .start_cycles = given.real("start-cycles"),
                         .switches_add = given.is_on("switches-add"),
                         .budget = std::chrono::duration<double>(given.real("budget")),
                         .workers = given.workers(),
                         .stop = &signals.flag()};
    AuditResult result = empty_audit(network, links.cycle_ns);
    result.remarks = std::move(remarks);
    if (!links.remark.empty())
        result.remarks.push_back(links.remark);
    for (const MeasuredRun& run : log.runs) {
        const Collective collective = collective_of(given, group, kind_of_run(given, run, file));
        if (const std::uint32_t members = member_count(collective); run.ranks != 0 && run.ranks != members)
            throw std::invalid_argument(fmt::format("{}: {} ranks ran, and {} processors of {} take part: "
                                                    "name those of the ranks with --group, or "
                                                    "another --topology",
                                                    file, run.ranks, members, topology.name()));
        add_audit(result, run, network, collective, setting);
        if (const std::string remark = other_gpus_remark(run.device, topology.name());
            !remark.empty() && !given.has("link-rate") &&
            std::ranges::find(result.remarks, remark) == result.remarks.end())
            result.remarks.push_back(remark);
        if (run.ranks == 0)
            result.remarks.push_back(
                fmt::format("run {}: the log does not say how many ranks ran: one on each of {} processors",
                            result.runs.back().run, result.runs.back().ranks));
    }
    for (const std::string& remark : result.remarks)
        InputLog::remark(fmt::format("{}: {}", file, remark));
    write_table(given, "csv", table_of("Measured", result.rows));
    print_result(result, given, [&] { print_audit(result); });
    return signals.exit_status();
}

} // namespace

Command audit_command()
{
    return {
        {.command = "audit",
         .summary = "measured collectives beside what their network allows",
         .positional = "log",
         .description =
             "Reads what nccl-tests, rccl-tests, OSU's or Intel's MPI benchmarks print, or a CSV table (op,\n"
             "bytes, time_us), and says of each row how near it is to the least time that is possible on "
             "the\nnetwork (proven), what limits it, and what the usual algorithms reach there. Rows that\n"
             "contradict themselves, wrong results and sizes that are slow between quick ones are named.\n",
         .examples = {"nocturne audit all_reduce.log --topology dgx_h100",
                      "nocturne audit all_reduce.log --topology network.json --group gpu0,gpu1",
                      "nocturne audit osu.txt --topology fattree:16 --link-rate 200Gb/s --budget 0"}},
        options_of_audit,
        run_audit,
        {description_of<AuditResult>}};
}

} // namespace nocturne::cli
