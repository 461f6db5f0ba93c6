#include "sim/cli/schedule_input.hpp"

#include "models/topology/json_format.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "sim/cli/command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

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

po::options_description schedule_options()
{
    po::options_description options("Schedule");
    options.add_options()("schedule", po::value<std::string>()->value_name("FILE"),
                          "schedule file (JSON); the argument without a name")(
        "topology", po::value<std::string>()->value_name("SPEC"),
        "the network that it must be for: a specification or a file")(
        "max-slack", po::value<Count>()->value_name("N")->default_value({2}),
        "paths that the file leaves out are at most N hops longer than the shortest");
    return options;
}

InputSchedule schedule_of(const po::variables_map& map)
{
    const auto& path = map["schedule"].as<std::string>();
    LoadedSchedule loaded = load_schedule(path);
    if (map.count("topology") != 0) {
        const auto& wanted = map["topology"].as<std::string>();
        if (to_json(topology_from(wanted)) != to_json(loaded.topology))
            throw std::runtime_error(
                fmt::format("{}: this schedule is for {}, not for {}", path, loaded.topology.name(), wanted));
    }
    InputSchedule input{std::move(loaded.schedule), std::move(loaded.topology)};
    if (input.schedule.name.empty())
        input.schedule.name = std::filesystem::path(path).stem().string();
    if (!is_complete(input.schedule)) {
        PathSearch search;
        search.max_slack = static_cast<unsigned>(count_in_range(map, "max-slack", 0, 64));
        complete(input, search);
    }
    return input;
}

} // namespace nocturne::cli
