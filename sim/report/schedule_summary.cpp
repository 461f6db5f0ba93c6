// What schedules and bounds say at first sight.
#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

namespace {

using Json = nlohmann::ordered_json;

/// The bound of `bounds` that says this, or null.
const Json* bound_of(const Json& result, const char* what)
{
    for (const Json& bound : list_in(result, "bounds"))
        if (number_in(bound, what))
            return &bound;
    return nullptr;
}

/// ` (the messages need 88 hops in all, and a step offers 24)`: why there is no better one.
std::string because(const std::string& reason)
{
    return reason.empty() ? "" : " (" + reason + ")";
}

std::string subject_of_schedule(const Json& result)
{
    std::string subject = subject_of(result);
    if (text_in(result, "collective") == "custom") // several at once, or weights: its name says which
        subject = text_in(result, "schedule");
    if (const std::string ports = text_in(result, "ports"); !ports.empty())
        subject += ", " + ports + "-port";
    if (const std::string switching = text_in(result, "switching"); switching == "store-and-forward")
        subject += ", " + switching;
    if (const auto chunks = number_in(result, "chunks"); chunks && *chunks > 1)
        subject += ", " + counted(static_cast<std::uint64_t>(*chunks), "chunk");
    if (const auto bytes = number_in(result, "bytes"))
        subject += ", " + size_text(static_cast<std::uint64_t>(*bytes));
    return subject;
}

/// Rules that are broken, and how often.
Summary summary_of_invalid(const Json& result, std::string subject, std::string_view what)
{
    Summary summary{std::move(subject), "", true};
    const Json& violations = list_in(result, "violations");
    std::vector<std::string> rules;
    std::uint64_t count = 0;
    for (const Json& violation : violations) {
        count += static_cast<std::uint64_t>(number_in(violation, "count").value_or(1));
        if (const std::string rule = text_in(violation, "rule");
            std::ranges::find(rules, rule) == rules.end())
            rules.push_back(rule);
        summary.reasons.push_back(text_in(violation, "text"));
    }
    count =
        static_cast<std::uint64_t>(number_in(result, "violation_count").value_or(static_cast<double>(count)));
    summary.headline = fmt::format("{} invalid: {} of {}.", what, counted(count, "violation"), listed(rules));
    return summary;
}

std::string bandwidth_text(const Json& result)
{
    const auto bandwidth = number_in(result, "bus_bandwidth_gb_per_s");
    return bandwidth && text_in(result, "collective") != "custom"
               ? fmt::format("; bus bandwidth {} GB/s", short_number(*bandwidth))
               : "";
}

/// What a time was computed for: ` Links of 25 GB/s; start-ups of 2 µs.`.
std::string setting_text(const Json& result)
{
    const std::string links = text_in(result, "links");
    std::string text = links.empty() ? "" : " Links of " + links;
    if (const std::size_t option = text.find(" (--"); option != std::string::npos)
        text.erase(option);
    const auto cycles = number_in(result, "start_cycles");
    if (cycles && text.find("start-up") == std::string::npos)
        text +=
            (text.empty() ? " Transfers have " : "; ") +
            (*cycles == 0 ? "no start-up"
                          : "start-ups of " + time_text(*cycles * number_in(result, "cycle_ns").value_or(1)));
    return text.empty() ? "" : text + '.';
}

/// Of chunks by time: beside the proven bound, and what holds it up.
std::string time_text_of(const Json& result, double cycles)
{
    const auto cycle_ns = number_in(result, "cycle_ns");
    const auto text = [&](double count) {
        return cycle_ns ? time_text(count * *cycle_ns) : short_number(count) + " cycles";
    };
    std::string found = text(cycles);
    if (const Json* const bound = bound_of(result, "time_cycles")) {
        const double least = *number_in(*bound, "time_cycles");
        found += beside_bound(cycles, least, text(least), text_in(*bound, "bound_reason"));
    }
    return found + bandwidth_text(result) + '.' + (cycle_ns ? setting_text(result) : "");
}

/// Of messages, or chunks, in steps.
std::string steps_text_of(const Json& result, std::uint64_t steps)
{
    const std::string found = counted(steps, "step");
    const auto least = number_in(result, "lower_bound");
    const std::string reason = because(text_in(result, "bound_reason"));
    if (!least)
        return found + ", and every rule is kept; no lower bound is given.";
    const auto bound = static_cast<std::uint64_t>(*least);
    if (bound >= steps)
        return fmt::format("{}, and no schedule has fewer{}.", found, reason);
    return fmt::format("{}, {} more than the lower bound of {}{}.", found, steps - bound, bound, reason);
}

std::string bound_text_of(const Json& result)
{
    if (const Json* const time = bound_of(result, "time_cycles")) {
        const auto cycle_ns = number_in(result, "cycle_ns");
        const double cycles = *number_in(*time, "time_cycles");
        return fmt::format("No schedule is faster than {}{}.",
                           cycle_ns ? time_text(cycles * *cycle_ns) : short_number(cycles) + " cycles",
                           because(text_in(*time, "bound_reason")));
    }
    if (const auto least = number_in(result, "lower_bound"))
        return fmt::format("No schedule has fewer than {}{}.",
                           counted(static_cast<std::uint64_t>(*least), "step"),
                           because(text_in(result, "bound_reason")));
    return "No lower bound was found.";
}

} // namespace

Summary summary_of_certificate(const Json& result)
{
    if (flag_in(result, "valid") == false)
        return summary_of_invalid(result, subject_of_schedule(result), "This schedule is");
    Summary summary{subject_of_schedule(result), ""};
    if (flag_in(result, "proven") == false) {
        summary.is_bad = true;
        summary.headline = "The lower bound that this file claims is not proven.";
        for (const Json& refutation : list_in(result, "refutations"))
            summary.reasons.push_back(refutation.get<std::string>());
        return summary;
    }
    if (flag_in(result, "proven") == true)
        summary.reasons.emplace_back("The proof of the lower bound was checked when this page was made.");
    const auto steps = number_in(result, "steps"), cycles = number_in(result, "time_cycles");
    if (cycles)
        summary.headline = time_text_of(result, *cycles);
    else if (steps)
        summary.headline = steps_text_of(result, static_cast<std::uint64_t>(*steps));
    else
        summary.headline = bound_text_of(result);
    // The bound on steps says nothing of a time.
    summary.table = cycles ? FieldTable{"", {"chunks", "transfers", "ports"}}
                           : FieldTable{"", {"steps", "lower_bound", "transfers", "rounds", "ports"}};
    return summary;
}

Summary summary_of_program(const Json& result)
{
    std::string subject = fmt::format("{}, {}, {}", text_in(result, "program"), text_in(result, "format"),
                                      counted(result.at("ranks").get<std::uint64_t>(), "rank"));
    if (const std::string topology = text_in(result, "topology"); !topology.empty())
        subject += " on " + topology;
    if (!result.at("valid").get<bool>())
        return summary_of_invalid(result, std::move(subject), "These programs are");
    Summary summary{std::move(subject), "Each send has its receive, and every operation ends in any order."};
    for (const Json& open : list_in(result, "not_judged"))
        summary.reasons.push_back("Not judged: " + open.get<std::string>() + ".");
    summary.table = FieldTable{"", {"operations", "messages"}};
    return summary;
}

Summary summary_of_reschedule(const Json& result)
{
    Summary summary{subject_of_schedule(result), ""};
    const auto steps = number_in(result, "steps"), before = number_in(result, "steps_before");
    if (!steps) {
        summary.is_bad = true;
        summary.headline = "No schedule was found for what the fault leaves.";
        return summary;
    }
    summary.headline = "After the fault " + steps_text_of(result, static_cast<std::uint64_t>(*steps));
    if (before)
        summary.headline += fmt::format(" Before it the schedule had {}.", short_number(*before));
    const auto kept = number_in(result, "kept"), transfers = number_in(result, "transfers");
    if (kept && transfers)
        summary.headline += fmt::format(" {} of {} transfers stay as they were.", short_number(*kept),
                                        short_number(*transfers));
    summary.table = FieldTable{
        "", {"steps_before", "steps", "lower_bound", "met_the_fault", "kept", "changed", "dropped", "added"}};
    return summary;
}

Summary summary_of_evolution(const Json& result)
{
    Summary summary{subject_of_schedule(result), ""};
    const Json& runs = list_in(result, "runs");
    const auto successes = number_in(result, "successes").value_or(0);
    const auto seconds = number_in(result, "mean_seconds");
    const auto evaluations = number_in(result, "mean_evaluations");
    std::string engine, steps;
    if (!runs.empty()) {
        engine = text_in(runs.front(), "engine");
        steps = counted(static_cast<std::uint64_t>(number_in(runs.front(), "steps").value_or(0)), "step");
    }
    summary.subject += engine.empty() ? "" : ", engine " + engine;
    summary.is_bad = successes == 0;
    summary.headline = fmt::format("{} of {} found a schedule of {}", short_number(successes),
                                   counted(runs.size(), "run"), steps);
    if (seconds && evaluations)
        summary.headline += fmt::format(": on average in {} evaluations, {} s", short_number(*evaluations),
                                        short_number(*seconds));
    summary.headline += '.';
    std::vector<double> spent;
    for (const Json& run : runs)
        if (flag_in(run, "solved") == true)
            spent.push_back(number_in(run, "evaluations").value_or(0));
    std::ranges::sort(spent);
    LinePlot plot{
        "", {"evaluations of the fitness"}, {"runs that have found a schedule (%)", Scale::linear, 0.0}, {}};
    Curve& curve = plot.curves.emplace_back(Curve{"share of the runs", {}});
    for (std::size_t i = 0; i < spent.size(); ++i)
        curve.points.emplace_back(spent[i],
                                  100.0 * static_cast<double>(i + 1) / static_cast<double>(runs.size()));
    if (spent.size() > 1)
        summary.picture = std::move(plot);
    summary.table =
        FieldTable{"runs", {"seed", "solved", "conflicts", "generations", "evaluations", "seconds"}};
    return summary;
}

Summary summary_of_front(const Json& result)
{
    Summary summary{subject_of(result), ""};
    const Json& points = list_in(result, "points");
    summary.is_bad = points.empty();
    summary.headline = "No schedule was found.";
    if (!points.empty()) {
        const auto end_of = [](const Json& point) {
            return fmt::format(
                "{} with {} rounds a chunk",
                counted(static_cast<std::uint64_t>(number_in(point, "steps").value_or(0)), "step"),
                short_number(number_in(point, "rounds_per_chunk").value_or(0)));
        };
        const bool is_proven =
            std::ranges::all_of(points, [](const Json& point) { return flag_in(point, "optimal") == true; });
        summary.headline =
            (points.size() == 1 ? fmt::format("One schedule has the fewest steps and the fewest rounds: {}",
                                              end_of(points.front()))
                                : fmt::format("The Pareto front goes from {} (latency) to {} (bandwidth)",
                                              end_of(points.front()), end_of(points.back()))) +
            (is_proven ? ", proven optimal." : ", not all of it proven optimal.");
    }
    LinePlot plot{
        "", {"steps (each costs alpha)"}, {"rounds a chunk (each costs m beta)", Scale::linear, 0.0}, {}};
    Curve& curve = plot.curves.emplace_back(Curve{"schedules", {}});
    for (const Json& point : points)
        curve.points.emplace_back(number_in(point, "steps").value_or(0),
                                  number_in(point, "rounds_per_chunk").value_or(0));
    if (points.size() > 1)
        summary.picture = std::move(plot);
    summary.table = FieldTable{"points", {"steps", "rounds", "chunks", "rounds_per_chunk", "optimal"}};
    return summary;
}

Summary summary_of_faults(const Json& result)
{
    Summary summary{text_in(result, "topology") + ", each " + text_in(result, "faults"), ""};
    std::vector<std::string> parts;
    for (const Json& each : list_in(result, "summary")) {
        const std::string name = collective_text(text_in(each, "collective"));
        const auto before = number_in(each, "steps_before"), worst = number_in(each, "maximum_steps");
        if (before && worst)
            parts.push_back(fmt::format("{} takes at most {} instead of {}", name,
                                        counted(static_cast<std::uint64_t>(*worst), "step"),
                                        short_number(*before)));
        summary.is_bad = summary.is_bad || number_in(each, "disconnected").value_or(0) > 0;
    }
    const std::size_t lost = list_in(result, "disconnections").size();
    summary.headline =
        fmt::format("After a single fault {}.", parts.empty() ? "nothing can be scheduled" : listed(parts));
    if (lost > 0)
        summary.headline += fmt::format(" {} disconnect the network.", counted(lost, "fault"));
    summary.table =
        FieldTable{"summary",
                   {"collective", "steps_before", "maximum_steps", "mean_steps", "faults_by_steps",
                    "optimal_faults", "disconnected", "unsolved", "kept_percent"}};
    return summary;
}

} // namespace nocturne
