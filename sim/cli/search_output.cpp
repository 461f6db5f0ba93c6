#include "sim/cli/search_output.hpp"

#include "schedules/collective/bandwidth.hpp"
#include "sim/report/words.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

/// What an objective counts first.
std::string_view counted_by(ChunkObjective objective)
{
    switch (objective) {
    case ChunkObjective::steps:
        return "steps";
    case ChunkObjective::bandwidth:
        return "rounds a chunk";
    case ChunkObjective::time:
        return "cycles";
    }
    throw std::logic_error("unknown objective");
}

} // namespace

std::string progress_text(std::string_view command, const SearchProgress& now,
                          std::optional<ChunkObjective> objective)
{
    if (objective) {
        const std::string who = now.engine.empty() ? "all try" : fmt::format("{} tries", now.engine);
        return fmt::format("{}: best {}; {} {} chunk{}", command,
                           now.best ? fmt::format("{:.6g} {}", *now.best, counted_by(*objective))
                                    : "none yet",
                           who, now.parts, now.parts == 1 ? "" : "s");
    }
    if (now.lower_bound == 0)
        return fmt::format("{}: lower bound and constructions, {:.0f} s", command, now.seconds);
    std::string text = fmt::format("{}: at least {} steps, best {}", command, now.lower_bound,
                                   now.best ? fmt::format("{:.0f}", *now.best) : "none yet");
    if (!now.engine.empty())
        text += fmt::format("; {} tries {} steps: {} conflicts, {} left", now.engine, now.steps, now.tried,
                            now.unscheduled);
    return text + fmt::format(", {:.0f} s", now.seconds);
}

namespace {

/// That steps differ in time, where links differ in width.
std::string note_on_steps(const Topology& topology)
{
    const auto& channels = topology.channels();
    const bool are_alike = std::all_of(channels.begin(), channels.end(), [&](const Channel& channel) {
        return channel.width_bytes == channels.front().width_bytes;
    });
    return are_alike ? "" : "optimal in steps (links differ in width, so steps differ in time)\n";
}

} // namespace

Finding finding_of(const Problem& problem, const Schedule* schedule, const Bound* bound, std::string engine,
                   bool holds)
{
    Finding finding{describe(problem),
                    problem.topology.name(),
                    problem.collective.kind,
                    problem.collective.parts,
                    problem.ports,
                    schedule,
                    bound};
    if (bound != nullptr)
        finding.bound_reason = bound->reason;
    finding.engine = std::move(engine);
    if (schedule != nullptr && bound != nullptr && holds)
        finding.is_optimal = schedule->steps.size() == bound->steps;
    finding.note = note_on_steps(problem.topology);
    return finding;
}

Finding finding_of(std::string problem, const Collective& collective, const LinkNetwork& network,
                   const Schedule* schedule, const Bounds& bounds)
{
    Finding finding{std::move(problem),
                    network.name(),
                    collective.kind,
                    collective.parts,
                    std::nullopt,
                    schedule,
                    bounds.steps ? &*bounds.steps : nullptr};
    if (bounds.steps)
        finding.bound_reason = describe(*bounds.steps, network);
    return finding;
}

Fields<Finding> fields_of(const Finding*)
{
    const auto of_schedule = [](auto get) {
        return [get](const Finding& finding) -> std::optional<std::uint64_t> {
            if (finding.schedule == nullptr)
                return std::nullopt;
            return get(*finding.schedule);
        };
    };
    const auto of_bound = [](auto get) {
        return [get](const Finding& finding) {
            return finding.bound == nullptr ? std::nullopt : std::optional(get(*finding.bound));
        };
    };
    return {
        "finding",
        "A schedule, and what no schedule beats.",
        {{"problem", "", problem_meaning, &Finding::problem, Shown::in_files},
         {"topology", "", "The network.", &Finding::topology, Shown::in_files},
         {"collective", "", "The collective communication.",
          [](const Finding& finding) { return std::string(to_string(finding.kind)); }, Shown::in_files},
         {"chunks", "", "Chunks per block.", &Finding::chunks, Shown::in_files},
         {"ports", "", ports_meaning,
          [](const Finding& finding) { return finding.ports ? to_string(*finding.ports) : ""; },
          Shown::in_files},
         {"steps", "",
          "Steps of the schedule; null without a schedule, or if it has dependencies instead of steps.",
          of_schedule(steps_of)},
         {"optimal", "", optimal_meaning, &Finding::is_optimal},
         {"lower_bound", "steps", "Proven lower bound on the steps of any schedule.",
          of_bound([](const Bound& bound) { return bound.steps; })},
         {"bound_kind", "", "Kind of the bound: `port`, `flow`, `vertex-set` and others.",
          of_bound([](const Bound& bound) { return std::string(kind_of(bound)); })},
         {"bound_reason", "", "Why the bound holds, in one sentence.", &Finding::bound_reason},
         {"links", "",
          "Rates of the links and start-up of a transfer, for a schedule for time, with what of them is a "
          "default.",
          &Finding::links, Shown::in_files},
         {"engine", "", "Engine that found the schedule.", &Finding::engine},
         {"transfers", "", "Transfers from one processor to another.", of_schedule(count_sent)}}};
}

Fields<BoundRow> fields_of(const BoundRow*)
{
    return {
        "bound row",
        "Lower bounds that no schedule can beat.",
        {{"steps", "",
          "No schedule has fewer steps; with `rounds`, the number of steps for which that bound holds.",
          &BoundRow::steps},
         {"rounds", "", "No schedule has fewer rounds.", &BoundRow::rounds},
         {"time_cycles", "cycles", "No schedule takes less.", &BoundRow::time_cycles},
         {"bound_kind", "", "Kind of the bound: `port`, `flow`, `vertex-set` and others.", &BoundRow::kind},
         {"bound_reason", "", "Why the bound holds, in one sentence.", &BoundRow::reason}}};
}

BoundRow bound_row(const Bound& bound)
{
    BoundRow row{{}, {}, {}, std::string(kind_of(bound)), bound.reason};
    if (bound.measure == Measure::steps || bound.measure == Measure::rounds_in_steps)
        row.steps = bound.steps;
    if (bound.measure == Measure::rounds || bound.measure == Measure::rounds_in_steps)
        row.rounds = to_double(bound.rounds);
    if (bound.measure == Measure::cycles)
        row.time_cycles = bound.cycles;
    return row;
}

std::vector<BoundRow> bound_rows(const Bounds& bounds, const LinkNetwork& network)
{
    std::vector<BoundRow> rows;
    const auto add = [&](const Bound& bound) {
        rows.push_back(bound_row(bound));
        rows.back().reason = describe(bound, network);
    };
    if (bounds.steps)
        add(*bounds.steps);
    if (bounds.rounds)
        add(*bounds.rounds);
    std::ranges::for_each(bounds.rounds_in_steps, add);
    if (bounds.cycles)
        add(*bounds.cycles);
    return rows;
}

namespace {

std::string beside(const std::optional<Bound>& bound, double value, double least, const std::string& shown,
                   const LinkNetwork& network)
{
    if (!bound || !(least > 0))
        return ", no bound is known";
    return beside_bound(value, least, shown,
                        fmt::format("{}: {}", kind_of(*bound), describe(*bound, network)));
}

std::string time_in_cycles(double cycles, double cycle_ns)
{
    constexpr double six_digits = 99'999.5;
    const std::string count =
        cycles < six_digits ? fmt::format("{:.6g}", cycles) : fmt::format("{:.0f}", cycles);
    return fmt::format("{} ({} cycles of {} ns)", time_text(cycles * cycle_ns), count, cycle_ns);
}

/// In GB/s, which are bytes a ns.
std::string bandwidth_text(const ChunkFigures& figures, const std::optional<Bound>& bound,
                           std::string_view link_rates)
{
    const Collective& collective = figures.schedule->collective;
    const double bytes =
        algorithm_bytes(collective, static_cast<double>(*figures.setting.bytes)) * bus_factor(collective);
    const double cycle_ns = *figures.setting.cycle_ns;
    std::string text = fmt::format("; bus bandwidth {:.4g} GB/s", bytes / (*figures.time_cycles * cycle_ns));
    if (bound && bound->cycles > 0 && bound->cycles < *figures.time_cycles)
        text += fmt::format(" of at most {:.4g}", bytes / (bound->cycles * cycle_ns));
    return text + fmt::format(", over links of {}", link_rates);
}

} // namespace

std::string link_rates_text(const LinkNetwork& network, double cycle_ns)
{
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
    for (const NetworkLink& link : network.links()) {
        least = std::min(least, link.bytes_per_cycle);
        most = std::max(most, link.bytes_per_cycle);
    }
    const double low = static_cast<double>(least) / cycle_ns, high = static_cast<double>(most) / cycle_ns;
    return least == most ? fmt::format("{:.4g} GB/s", high) : fmt::format("{:.4g} to {:.4g} GB/s", low, high);
}

std::string sentence_of(const ChunkFigures& figures, ChunkObjective objective, const Bounds& bounds,
                        const LinkNetwork& network, std::string_view link_rates)
{
    const Schedule& schedule = *figures.schedule;
    switch (objective) {
    case ChunkObjective::steps: {
        const auto steps = static_cast<double>(count_steps(schedule));
        const double least = bounds.steps ? bounds.steps->steps : 0;
        return fmt::format("{} steps, in which a chunk crosses one link{}", steps,
                           beside(bounds.steps, steps, least, fmt::format("{}", least), network));
    }
    case ChunkObjective::bandwidth: {
        const double rounds =
            static_cast<double>(count_rounds(schedule)) / std::max(schedule.collective.parts, 1U);
        const double least = bounds.rounds ? to_double(bounds.rounds->rounds) : 0;
        return fmt::format("{:.5g} rounds a chunk{}", rounds,
                           beside(bounds.rounds, rounds, least, fmt::format("{:.5g}", least), network));
    }
    case ChunkObjective::time:
        break;
    }
    const double cycle_ns = *figures.setting.cycle_ns;
    const double least = bounds.cycles ? bounds.cycles->cycles : 0;
    return time_in_cycles(*figures.time_cycles, cycle_ns) +
           beside(bounds.cycles, *figures.time_cycles, least, time_text(least * cycle_ns), network) +
           bandwidth_text(figures, bounds.cycles, link_rates);
}

std::string least_of(ChunkObjective objective, const Bounds& bounds, double cycle_ns)
{
    if (objective == ChunkObjective::time && bounds.cycles)
        return time_in_cycles(bounds.cycles->cycles, cycle_ns);
    if (objective == ChunkObjective::bandwidth && bounds.rounds)
        return fmt::format("{:.5g} rounds a chunk", to_double(bounds.rounds->rounds));
    return fmt::format("{} steps, in which a chunk crosses one link", bounds.steps->steps);
}

Fields<ViolationRow> fields_of(const ViolationRow*)
{
    using Row = ViolationRow;
    const auto of = [](auto Violation::* member) {
        return [member](const Row& row) { return row.violation.*member; };
    };
    return {"violation",
            "A violated rule; fields that do not apply are null.",
            {{"rule", "", "Name of the violated rule.",
              [](const Row& row) { return std::string(to_string(row.violation.rule)); }},
             {"text", "", "Description of the violation.", of(&Violation::text)},
             {"place", "", "Place in the file of another tool.", &Row::place},
             {"count", "", "Number of violations that this one stands for.", of(&Violation::count),
              Shown::in_files},
             {"step", "", "Number of the step, from 1.",
              [](const Row& row) {
                  return row.violation.step ? std::optional(*row.violation.step + 1) : std::nullopt;
              },
              Shown::in_files},
             {"transfer", "",
              "Index of the transfer in its step, or in the list of a schedule with dependencies, from 0.",
              of(&Violation::transfer), Shown::in_files},
             {"channel", "", "Index of the channel, or for chunks of the link, from 0.",
              of(&Violation::channel), Shown::in_files},
             {"processor", "", "Index of the processor or node, from 0.", of(&Violation::processor),
              Shown::in_files},
             {"chunk", "", "Index of the chunk, from 0.", of(&Violation::chunk), Shown::in_files},
             {"contributor", "",
              "Index of the processor whose contribution is counted twice, missing or unexpected.",
              of(&Violation::contributor), Shown::in_files}}};
}

std::vector<ViolationRow> violation_rows(const std::vector<Violation>& violations)
{
    std::vector<ViolationRow> rows;
    for (const Violation& violation : violations)
        rows.push_back({violation});
    return rows;
}

} // namespace nocturne::cli
