#include "sim/cli/search_output.hpp"

#include "schedules/collective/kind_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::cli {

std::string heading(const Problem& problem)
{
    return with_kind_in_words(problem.collective.kind, describe(problem));
}

std::string progress_text(std::string_view command, const SearchProgress& now)
{
    if (now.lower_bound == 0)
        return fmt::format("{}: lower bound and constructions, {:.0f} s", command, now.seconds);
    std::string text = fmt::format("{}: at least {} steps, best {}", command, now.lower_bound,
                                   now.best ? fmt::format("{:.0f}", *now.best) : "none yet");
    if (!now.engine.empty())
        text += fmt::format("; {} tries {} steps: {} conflicts, {} left", now.engine, now.steps, now.tried,
                            now.unscheduled);
    return text + fmt::format(", {:.0f} s", now.seconds);
}

std::string optimal_text(const Topology& topology)
{
    const auto& channels = topology.channels();
    const bool are_alike = std::all_of(channels.begin(), channels.end(), [&](const Channel& channel) {
        return channel.width_bytes == channels.front().width_bytes;
    });
    return are_alike ? "optimal" : "optimal in steps (links differ in width, so steps differ in time)";
}

nlohmann::ordered_json finding_json(const std::optional<Schedule>& schedule, const Bound& bound,
                                    std::string_view engine)
{
    nlohmann::ordered_json json{{"steps", nullptr},
                                {"lower_bound", bound.steps},
                                {"bound_kind", kind_of(bound)},
                                {"reason", bound.reason},
                                {"optimal", schedule && schedule->steps.size() == bound.steps},
                                {"engine", nullptr}};
    if (schedule) {
        json["steps"] = schedule->steps.size();
        json["engine"] = engine;
    }
    return json;
}

} // namespace nocturne::cli
