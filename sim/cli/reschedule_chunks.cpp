#include "sim/cli/reschedule_chunks.hpp"

#include "models/topology/topology_files.hpp"
#include "schedules/reschedule/chunk_faults.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/words.hpp"
#include "sim/result_files/problem_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::cli {

namespace {

/// One row of the table.
struct ChunkFaultOutput {
    const ChunkFault& fault;
    std::string name;
    std::string like; ///< name of the fault that leaves the same network; empty: none before it does
    double before;    ///< cycles without a fault
    double cycle_ns;
};

std::optional<double> over_bound(const ChunkFaultOutput& row)
{
    const ChunkFault& fault = row.fault;
    return fault.cycles && fault.bound && *fault.bound > 0 ? std::optional(*fault.cycles / *fault.bound)
                                                           : std::nullopt;
}

std::optional<double> slowdown(const ChunkFaultOutput& row)
{
    return row.fault.cycles && row.before > 0 ? std::optional(*row.fault.cycles / row.before) : std::nullopt;
}

Fields<ChunkFaultOutput> fields_of(const ChunkFaultOutput*)
{
    using Row = ChunkFaultOutput;
    return {
        "fault of chunks",
        "One fault, and the best schedule on the network that it leaves; null without a schedule.",
        {{"fault", "", "Failed part.", &Row::name},
         {"time_cycles", "cycles", "Time by the alpha-beta model.",
          [](const Row& row) { return row.fault.cycles; }},
         {"time_ns", "ns", "The same time in ns.",
          [](const Row& row) {
              return row.fault.cycles ? std::optional(*row.fault.cycles * row.cycle_ns) : std::nullopt;
          },
          Shown::in_files},
         {"bound_cycles", "cycles", "No schedule on that network takes less.",
          [](const Row& row) { return row.fault.bound; }},
         {"times_bound", "", "The one over the other.", over_bound},
         {"slowdown", "", "Time over the time without a fault.", slowdown},
         {"bound_reason", "", "Why the bound holds.", [](const Row& row) { return row.fault.bound_reason; }},
         {"like", "", "Fault that leaves the same network but for names, and so has the same schedule.",
          &Row::like},
         {"engine", "", "Engine that found the schedule.", [](const Row& row) { return row.fault.engine; },
          Shown::in_files},
         {"end", "", end_meaning, [](const Row& row) { return std::string(to_string(row.fault.end)); },
          Shown::in_files},
         {"seconds", "s", seconds_meaning, [](const Row& row) { return row.fault.seconds; }, Shown::in_files},
         {"refusal", "", "Why nothing is left to schedule.",
          [](const Row& row) { return row.fault.refusal; }}}};
}

struct ChunkFaultsOutput {
    std::string topology;
    std::string collective;
    std::string kind;
    MadeFor setting;
    const PortfolioResult& before;
    std::vector<ChunkFaultOutput> rows;
    bool is_interrupted = false;
    std::string link_rates = {};

    /// The largest of what `get` gives for the rows; nothing if none has one.
    template <class Get>
    std::optional<double> most(Get get) const
    {
        std::optional<double> largest;
        for (const ChunkFaultOutput& row : rows)
            if (const auto value = get(row); value && (!largest || *value > *largest))
                largest = value;
        return largest;
    }
};

Fields<ChunkFaultsOutput> fields_of(const ChunkFaultsOutput*)
{
    using Output = ChunkFaultsOutput;
    return {"chunk faults",
            "Schedules in chunks after every single fault of one kind.",
            {{"topology", "", "The network.", &Output::topology},
             {"collective", "", "The collective communication.", &Output::collective},
             {"faults", "", "Kind of fault: `link`, `channel`, `node` or `link-pairs`.", &Output::kind},
             {"bytes", "bytes", bytes_meaning, [](const Output& of) { return of.setting.bytes; }},
             {"start_cycles", "cycles", start_cycles_meaning,
              [](const Output& of) { return of.setting.start_cycles; }},
             {"cycle_ns", "ns", cycle_ns_meaning, [](const Output& of) { return of.setting.cycle_ns; }},
             {"time_before_cycles", "cycles", "Time of the schedule without a fault.",
              [](const Output& of) { return of.before.cycles; }},
             {"maximum_times_bound", "", "Largest ratio of a time to its bound.",
              [](const Output& of) { return of.most(over_bound); }},
             {"maximum_slowdown", "", "Largest ratio of a time to the time without a fault.",
              [](const Output& of) { return of.most(slowdown); }},
             {"interrupted", "", interrupted_meaning, &Output::is_interrupted, Shown::in_files},
             {"cells", "", "One row per fault.", [](const Output& of) { return of.rows; }, Shown::as_rows}}};
}

/// The problem that the options pose on a network.
ChunkProblem problem_on(const OptionValues& given, const Topology& topology)
{
    ProblemText text;
    text.collective = fmt::format("{}", fmt::join(given.texts("collective"), ","));
    const CollectiveKind kind = parse_collective_kind(text.collective);
    if (has_root(kind))
        text.source = given.text("source");
    LinkNetwork network = link_network_of(topology, link_defaults(given, topology));
    Collective collective =
        make_collective(kind, network.processor_count(), participants_of(text, kind, topology));
    ChunkProblem problem{.network = std::move(network), .collective = std::move(collective)};
    problem.topology = topology;
    problem.objective = ChunkObjective::time;
    problem.bytes = static_cast<double>(parse_size(given.text("bytes")));
    problem.start_cycles = given.real("start-cycles");
    problem.latency_holds_link = given.is_on("latency-holds-link");
    return problem;
}

void print_faults(const ChunkFaultsOutput& output)
{
    const double cycle_ns = *output.setting.cycle_ns;
    fmt::print("{} on {}, of {}: {} without a fault; at most {} times that after losing a {}, and {} times "
               "the bound "
               "of what is left; links of {}\n",
               nocturne::collective_text(output.collective), output.topology,
               size_text(*output.setting.bytes), time_text(output.before.cycles * cycle_ns),
               short_number(output.most(slowdown).value_or(0)),
               output.kind == "link-pairs" ? "pair of links" : output.kind,
               short_number(output.most(over_bound).value_or(0)), output.link_rates);
    std::fflush(stdout);
    print_below(fold_constant_columns(table_of("Faults", output.rows)));
}

} // namespace

bool is_chunk_table(const OptionValues& given)
{
    if (given.is_given("bytes"))
        return true;
    refuse_given(given, chunk_cost_options(), "only with --bytes, which asks for schedules in chunks");
    return false;
}

int reschedule_chunks(const OptionValues& given)
{
    refuse_given(given, {"fault", "max-slack"}, "not with --table");
    refuse_given(given, {"ports", "slack", "switching", "keep"}, "not with --bytes: schedules in chunks");
    if (given.has("output"))
        throw std::invalid_argument("--output: not with --bytes; --json prints the table for programs");
    if (!given.has("collective"))
        throw std::invalid_argument("--collective is missing: allreduce, for example");
    if (given.has("topology"))
        throw std::invalid_argument(fmt::format(
            "--topology: with --table the positional argument, {}, is the network", given.text("schedule")));
    const StopOnSignal signals;
    const Topology topology = topology_from(given.text("schedule"));
    const FaultKind kind = parse_fault_kind(given.text("table"));
    PortfolioOptions options;
    options.budget = given.seconds("budget");
    options.seed = given.count("seed");
    options.workers = given.workers();
    options.stop = &signals.flag();
    const ChunkFaults faults = [&] {
        ProgressLine line("reschedule");
        return chunk_faults(
            topology, kind, [&](const Topology& rest) { return problem_on(given, rest); }, options,
            [&](std::size_t done, std::size_t total) { line.update(done, total); });
    }();
    const ChunkProblem problem = problem_on(given, topology);
    ChunkFaultsOutput output{.topology = topology.name(),
                             .collective = std::string(to_string(problem.collective.kind)),
                             .kind = to_string(kind),
                             .setting = setting_of(problem),
                             .before = faults.before,
                             .rows = {},
                             .is_interrupted = signals.signal() != 0};
    output.setting.cycle_ns = cycle_of(given);
    output.link_rates = link_rates_text(given, topology, problem.network, problem.start_cycles);
    const auto name_of = [](const ChunkFault& fault) {
        return fmt::format("{}", fmt::join(fault.faults, " "));
    };
    for (std::size_t i = 0; i < faults.rows.size(); ++i) {
        const ChunkFault& fault = faults.rows[i];
        output.rows.push_back({fault, name_of(fault), fault.like == i ? "" : name_of(faults.rows[fault.like]),
                               faults.before.cycles, *output.setting.cycle_ns});
    }
    std::vector<std::string> all;
    for (const ChunkFault& fault : faults.rows)
        all.insert(all.end(), fault.faults.begin(), fault.faults.end());
    remark_parallel_links(topology, all);
    print_result(output, given, [&] { print_faults(output); });
    if (const int status = signals.exit_status(); status != 0)
        return status;
    const bool are_all = std::ranges::all_of(
        faults.rows, [](const ChunkFault& fault) { return fault.cycles || !fault.refusal.empty(); });
    return are_all ? all_is_well : check_failed;
}

const ResultDescription& chunk_faults_result()
{
    return description_of<ChunkFaultsOutput>();
}

} // namespace nocturne::cli
