#include "schedules/certificate/bound_json.hpp"
#include "schedules/formats/formats.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/cli/chunk_figures.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/documentation.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/rank_pool.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/schedule_at_once.hpp"
#include "sim/cli/search_history.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/start_option.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

namespace nocturne::cli {

namespace {

std::vector<std::string> engine_names()
{
    std::vector<std::string> names{"auto"};
    for (const Engine& engine : engines())
        if (std::ranges::find(names, engine.name) == names.end())
            names.emplace_back(engine.name);
    return names;
}

std::string engine_help()
{
    std::string for_messages, by_objective;
    for (const Engine& engine : engines())
        (engine.by_objective == nullptr ? for_messages : by_objective) +=
            fmt::format("\n  {}: {}", engine.name, engine.summary);
    return fmt::format("auto (all suitable engines in parallel) or one of:{}\nwith --objective:{}",
                       for_messages, by_objective);
}

PortfolioOptions portfolio_options(const OptionValues& given)
{
    PortfolioOptions options;
    options.engine = given.text("engine");
    if (given.has("steps"))
        options.steps = given.small_count("steps");
    if (options.engine != "auto") // who asks for it may have all there is
        options.most_memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                              static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    options.budget = given.seconds("budget");
    options.seed = given.count("seed");
    options.workers = given.workers();
    options.on_note = [](const std::string& note) { fmt::print(stderr, "nocturne schedule: {}\n", note); };
    if (given.has("checkpoint"))
        options.checkpoint = given.text("checkpoint");
    return options;
}

/// What is printed of a search.
struct ScheduleOutput {
    Finding finding;
    ChunkFigures figures;
    const PortfolioResult& result;
    std::optional<ChunkObjective> objective;
    std::vector<BoundRow> bounds;
    std::string sentence = {}; ///< with an objective: how good it is by that
    std::string remark = {};   ///< what most of a long search was for; empty: it was short
};

Fields<ScheduleOutput> fields_of(const ScheduleOutput*)
{
    using Output = ScheduleOutput;
    return Fields<Output>{"schedule", "Result of a schedule search.", {}}
        .with(&Output::finding)
        .with(&Output::figures)
        .with({{"objective", "", "`steps`, `bandwidth` or `time`; null for a schedule of messages in steps.",
                [](const Output& output) {
                    return output.objective ? std::string(to_string(*output.objective)) : "";
                }},
               {"gap", "",
                "Distance of the objective from its bound, relative to the bound: 0.25 is 25 % above; null "
                "without a bound.",
                [](const Output& output) { return output.result.gap; }},
               {"end", "", end_meaning,
                [](const Output& output) { return std::string(to_string(output.result.end)); }},
               {"interrupted", "", interrupted_meaning,
                [](const Output& output) { return output.result.end == EndReason::interrupted; },
                Shown::in_files},
               {"seconds", "s", seconds_meaning, [](const Output& output) { return output.result.seconds; }},
               {"chunks_tried", "", "Numbers of chunks that were tried; empty if the number was given.",
                [](const Output& output) { return output.result.parts_tried; }, Shown::in_files},
               {"bounds", "", "Lower bounds that no schedule can beat.", &Output::bounds}});
}

/// With what is to be said below the figures, as text.
void print_search(const ScheduleOutput& output, const OptionValues& given)
{
    print_result(output, given, [&] {
        if (output.objective) {
            // The bound on steps is among the bounds below; here it would stand for another objective's.
            ScheduleOutput shown = output;
            shown.finding.bound = nullptr;
            shown.finding.bound_reason.clear();
            fmt::print("{}\n{}", heading(output.finding), wrapped(output.sentence));
            print_figures(shown);
            print_below(table_of("Bounds", output.bounds));
            if (!output.remark.empty())
                fmt::print("{}\n", output.remark);
        } else {
            print_finding(output.finding, output);
        }
        if (output.finding.schedule != nullptr && !given.has("output"))
            fmt::print("{}\n", not_saved_text);
    });
    std::fflush(stdout);
}

/// Everything that one process does: the only one, or the first of many.
int lead_search(const OptionValues& given, const Problem& problem, const PortfolioOptions& options)
{
    PortfolioOptions search = options;
    PortfolioResult result = [&] {
        ProgressLine line("schedule");
        search.on_progress = [&](const SearchProgress& now) {
            line.show_text(progress_text("schedule", now));
        };
        return find_schedule(problem, search);
    }();
    if (given.has("output") && result.schedule)
        save_result(given.text("output"), problem, result.bound(), result.schedule,
                    to_json(origin_of(given)));
    const Schedule* const schedule = result.schedule ? &*result.schedule : nullptr;
    print_search({finding_of(problem, schedule, &result.bound(), result.engine),
                  {},
                  result,
                  std::nullopt,
                  {bound_row(result.bound())}},
                 given);
    if (result.signal != 0)
        return 128 + result.signal;
    const bool is_enough =
        result.schedule && (!search.steps || result.schedule->steps.size() <= *search.steps);
    return is_enough ? all_is_well : check_failed;
}

int search_schedule(const OptionValues& given, PortfolioOptions search,
                    const std::optional<RankEnvironment>& environment)
{
    const Problem problem = problem_or_that_of_start(given);
    if (given.has("start"))
        search.start = start_for(problem, given);
    if (!environment)
        return lead_search(given, problem, search);
    RankPoolOptions ranks;
    ranks.workers = given.workers();
    return run_on_ranks(*environment, ranks, portfolio_work(problem, search.start),
                        [&](const JobTransport& transport) {
                            search.transport = &transport;
                            return lead_search(given, problem, search);
                        });
}

std::vector<std::string> written_formats()
{
    std::vector<std::string> names;
    for (const ScheduleFormat& format : schedule_formats())
        if (format.write != nullptr)
            names.emplace_back(format.name);
    return names;
}

const ScheduleFormat* find_format(const std::string& name)
{
    return &*std::ranges::find(schedule_formats(), name, &ScheduleFormat::name);
}

/// Why the schedule cannot be written in the format; empty if it can.
std::string refusal_of(const ScheduleFormat& format, const Schedule& schedule, const ChunkProblem& problem)
{
    const std::uint64_t weight = largest_contribution(schedule.collective);
    try {
        format.write(schedule, problem.network,
                     {.bytes_per_weight = chunk_bytes(static_cast<std::uint64_t>(problem.bytes), weight)});
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return {};
}

/// Of chunks that hardware would send in flits that are mostly empty.
void remark_small_chunks(const ChunkProblem& problem, const Schedule& schedule)
{
    const double bytes = cost_of(problem, schedule.collective).bytes_per_weight;
    std::uint64_t widest = 0;
    for (const NetworkLink& link : problem.network.links())
        widest = std::max(widest, link.bytes_per_cycle);
    if (bytes < static_cast<double>(widest))
        InputLog::remark(fmt::format("chunks of {:.3g} bytes are less than the {} that a link carries in a "
                                     "cycle: simulated hardware sends a whole flit for each; --chunks sets "
                                     "how many there are",
                                     bytes, widest));
}

int search_chunks(const OptionValues& given, PortfolioOptions search)
{
    const StopOnSignal signals;
    const ChunkInput input = chunk_input(given);
    const ChunkProblem& problem = input.problem;
    if (problem.latency_holds_link && problem.objective != ChunkObjective::time)
        throw std::invalid_argument(
            fmt::format("--latency-holds-link: not with --objective {}: only for a schedule without barriers",
                        to_string(problem.objective)));
    if (given.has("start"))
        search.start = start_for(problem, given);
    search.stop = &signals.flag();
    std::string refusal; // of the format that it is for
    if (given.has("for"))
        search.accepts = [&](const Schedule& schedule) {
            refusal = refusal_of(*find_format(given.text("for")), schedule, problem);
            return refusal.empty();
        };
    SearchHistory history;
    const auto begun = *search.begun;
    PortfolioResult found = [&] {
        ProgressLine line("schedule");
        search.on_progress = [&, objective = problem.objective](const SearchProgress& now) {
            history.note(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(),
                         now.best);
            line.show_text(progress_text("schedule", now, objective));
        };
        return find_schedule(problem, search);
    }();
    if (!found.schedule) {
        signals.throw_if_interrupted(); // before anything was found
        throw std::runtime_error(fmt::format("{}: no schedule was found in {:.6g} s{}{}", describe(problem),
                                             search.budget.count(), refusal.empty() ? "" : ": ", refusal));
    }
    Schedule& schedule = *found.schedule;
    schedule.topology = problem.topology->name();
    schedule.made_for.cycle_ns = cycle_of(given);
    if (given.has("output"))
        save_schedule(given.text("output"), schedule, *problem.topology,
                      {{"lower_bounds", to_json(found.bounds)}, {"made_by", to_json(origin_of(given))}},
                      input.defaults);
    Finding finding =
        finding_of(describe_chunks(schedule.collective, problem.network.name(), problem.objective),
                   schedule.collective, problem.network, &schedule, found.bounds);
    finding.engine = found.engine;
    finding.is_optimal = found.is_optimal;
    if (problem.objective == ChunkObjective::time)
        remark_small_chunks(problem, schedule);
    const std::string links =
        link_rates_text(given, *problem.topology, problem.network, problem.start_cycles);
    if (problem.objective == ChunkObjective::time)
        finding.links = links;
    const ChunkFigures figures{&schedule, schedule.made_for, found.cycles};
    print_search(
        {std::move(finding), figures, found, problem.objective, bound_rows(found.bounds, problem.network),
         sentence_of(figures, problem.objective, found.bounds, problem.network, links),
         problem.objective == ChunkObjective::time ? history.remark(found.cycles, found.seconds) : ""},
        given);
    return signals.exit_status();
}

OptionTable options_of_schedule()
{
    OptionTable options;
    options.add(problem_options());
    options.add(option_table("Several collectives at once",
                             {{"collectives", name_value("FILE"),
                               "in place of --collective: a list of collectives, each in groups, that run at "
                               "the same time (docs/chunks.md)"}}));
    const std::string engines_text = engine_help();
    OptionTable search = option_table(
        "Search",
        {{"engine", choice_value("E", engine_names(), "auto"), engines_text},
         {"steps", count_value("S", {1, 1'000'000'000}),
          "stop at a schedule of S steps; default: the fewest"},
         {"budget", seconds_value(60), "time limit of the search"},
         {"checkpoint", written_value("FILE"),
          "save the state of the search in this file, and resume from it if it exists"},
         {"output,o", written_value("FILE"), "write the schedule with its lower bound and certificate"}});
    search.add_rows_of(start_options());
    options.add(search);
    OptionTable chunks = objective_options();
    chunks.add(
        {{"for", choice_value("FORMAT", written_formats()),
          fmt::format("only a schedule that 'nocturne export' can write in this format, within the limits "
                      "of what runs it (the thread blocks of MSCCL, the channels of MSCCL++): {}",
                      fmt::join(written_formats(), ", "))}});
    options.add(chunks);
    return options;
}

int run_schedule(const OptionValues& given)
{
    PortfolioOptions search = portfolio_options(given);
    search.begun = std::chrono::steady_clock::now(); // making the network takes time, too
    const auto environment = rank_environment();
    if (given.has("collectives"))
        return schedule_at_once(given, std::move(search));
    if (!given.has("topology") || !has_objective(given))
        return search_schedule(given, std::move(search), environment);
    if (environment && (environment->rank > 0 || environment->local_size > 1))
        throw std::invalid_argument("--objective: its engines share one machine, not the ranks of mpirun");
    return search_chunks(given, std::move(search));
}

} // namespace

Command schedule_command()
{
    return {
        {.command = "schedule",
         .summary = "search for the schedule with the fewest steps, or the shortest time",
         .positional = "topology",
         .description =
             "Searches for the schedule with the fewest steps, or with --bytes for the shortest time, "
             "and compares it with a\nproven lower bound. Ctrl-C stops the search and keeps the best "
             "schedule so far. Under mpirun it uses the cores of\nall machines.\n",
         .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                      "nocturne schedule mesh:4x4 --collective broadcast --source 11",
                      "nocturne schedule ring:5 allreduce --bytes 64KiB -o ring.json",
                      "nocturne schedule dgx_h100 allreduce --bytes 64MiB",
                      "nocturne schedule fat_octagon:8 --collective MNS --senders 0,2,4,6 --receivers 0-15"},
         .alternative = "start",
         .bare_words = {bare_collective, bare_size}},
        options_of_schedule,
        run_schedule,
        {description_of<ScheduleOutput>, collectives_at_once_result}};
}

} // namespace nocturne::cli
