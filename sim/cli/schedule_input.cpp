#include "sim/cli/schedule_input.hpp"

#include "models/topology/files.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "sim/cli/file_kind.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <stdexcept>

namespace nocturne::cli {

namespace {

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
        {{"schedule", text_value("FILE"),
          "schedule file (JSON, or binary: .nsched); the argument without a name"},
         {"topology", text_value("SPEC"), "the network that it must be for: a specification or a file"},
         {"max-slack", count_value(2),
          "paths that the file leaves out are at most N hops longer than the shortest"}});
}

namespace {

constexpr std::array schedule_kinds{FileKind::schedule};

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

unsigned max_slack_of(const OptionValues& given)
{
    return given.small_count("max-slack", 0, 64);
}

} // namespace

void require_topology(const OptionValues& given, const std::string& path, const Topology& topology)
{
    if (!given.has("topology"))
        return;
    const auto& wanted = given.text("topology");
    if (to_json(topology_from(wanted)) != to_json(topology))
        throw std::runtime_error(
            fmt::format("{}: this schedule is for {}, not for {}", path, topology.name(), wanted));
}

InputSchedule schedule_of(const OptionValues& given, std::string_view wanted)
{
    const auto& path = given.text("schedule");
    require_kind(path, schedule_kinds, wanted);
    LoadedSchedule loaded = load_schedule(path);
    require_topology(given, path, loaded.topology);
    return input_of(std::move(loaded), path, max_slack_of(given));
}

InputSchedule schedule_from(const std::string& path, const OptionValues& given)
{
    require_kind(path, schedule_kinds, in_words(FileKind::schedule));
    return input_of(load_schedule(path), path, max_slack_of(given));
}

} // namespace nocturne::cli
