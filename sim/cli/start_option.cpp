#include "sim/cli/start_option.hpp"

#include "models/topology/make_topology.hpp"
#include "models/topology/topology_reference.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/schedule_input.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

/// What is in the file, for this network; of chunks valid.
struct Start {
    std::string file;
    Schedule schedule;
    LinkNetwork network;
};

void require_network(const std::string& file, const Topology& made_for, const Topology& wanted)
{
    if (const auto objection = objection_to_network("schedule", made_for, wanted))
        throw std::runtime_error(fmt::format("{}: {}", file, *objection));
}

Start load(const OptionValues& given, const Topology& topology)
{
    const std::string& file = given.text("start");
    require_schedule_file(file);
    const FileKind kind = kind_of_file(file);
    if (kind == FileKind::chunks || kind == FileKind::foreign) {
        JudgedChunks judged =
            kind == FileKind::chunks ? judged_chunks(load_schedule(file)) : judged_chunks(given, file);
        require_network(file, *judged.topology, topology);
        make_ready(judged, file);
        return {file, std::move(judged.schedule), std::move(judged.network)};
    }
    LoadedSchedule loaded = load_schedule(file);
    require_network(file, loaded.topology, topology);
    if (!is_complete(loaded.schedule))
        loaded.schedule = complete_paths(loaded.schedule, loaded.topology);
    return {file, std::move(loaded.schedule), loaded.network()};
}

void require_collective(const Start& start, const Collective& its, const Collective& wanted)
{
    if (its.chunks != wanted.chunks || its.demands != wanted.demands)
        throw std::runtime_error(fmt::format("{}: a schedule of {}, not of {}", start.file,
                                             with_kind_in_words(its.kind, describe(its)),
                                             with_kind_in_words(wanted.kind, describe(wanted))));
}

/// `'nocturne schedule ring:5 allreduce --bytes 65536 --start sum.json'`
std::string command_for(const OptionValues& given, const std::string& file, const Schedule& schedule,
                        const Topology& topology)
{
    std::string line = "nocturne schedule ";
    line += is_specification(topology.name()) ? topology.name() : "NETWORK";
    line += fmt::format(" {}", to_string(schedule.collective.kind));
    if (given.has("objective"))
        line += " --objective " + given.text("objective");
    if (given.is_given("bytes"))
        line += " --bytes " + given.text("bytes");
    else if (schedule.made_for.bytes)
        line += fmt::format(" --bytes {}", *schedule.made_for.bytes);
    return fmt::format("'{} --start {}'", line, file);
}

} // namespace

Problem problem_or_that_of_start(const OptionValues& given)
{
    if (given.has("topology"))
        return problem_of(given);
    refuse_given(given,
                 {"collective", "source", "senders", "receivers", "image", "group", "weights", "chunks",
                  "ports", "slack", "switching", "fault"},
                 "without --topology the problem is that of the schedule of --start");
    const std::string& file = given.text("start");
    require_schedule_file(file);
    const bool is_foreign = kind_of_file(file) == FileKind::foreign;
    if (is_foreign)
        throw std::invalid_argument(fmt::format("{}: --topology and --collective name the problem", file));
    LoadedSchedule loaded = load_schedule(file);
    Schedule& schedule = loaded.schedule;
    if (is_between_memories(schedule) || given.has("objective") || given.is_given("bytes"))
        throw std::invalid_argument(
            fmt::format("{}: for schedules in chunks --topology and --collective name the "
                        "problem: {}",
                        file, command_for(given, file, schedule, loaded.topology)));
    Problem problem{.topology = std::move(loaded.topology),
                    .collective = std::move(schedule.collective),
                    .ports = schedule.ports,
                    .switching = schedule.switching,
                    .slack = schedule.slack};
    check(problem);
    return problem;
}

OptionTable start_options()
{
    return option_table(
        "Search",
        {{"start", name_value("FILE"),
          "initial schedule of the search: in steps, in chunks, or of another tool; without a network the "
          "problem is that of this schedule in steps"}});
}

Schedule start_for(const Problem& problem, const OptionValues& given)
{
    Start start = load(given, problem.topology);
    if (is_between_memories(start.schedule))
        start.schedule = steps_from(start.file, start.schedule, problem.topology, start.network);
    require_collective(start, start.schedule.collective, problem.collective);
    return std::move(start.schedule);
}

Schedule start_for(const ChunkProblem& problem, const OptionValues& given)
{
    Start start = load(given, *problem.topology);
    if (!is_between_memories(start.schedule)) {
        require_valid(validate(start.schedule, *problem.topology), start.file);
        start.schedule = chunks_of_steps(start.schedule, problem.network);
    }
    const Collective& its = start.schedule.collective;
    require_collective(start, its, in_parts(problem.collective, its.parts));
    return std::move(start.schedule);
}

} // namespace nocturne::cli
