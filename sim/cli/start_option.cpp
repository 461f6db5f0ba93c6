#include "sim/cli/start_option.hpp"

#include "schedules/collective/kind_names.hpp"
#include "schedules/conversion/chunk_steps.hpp"
#include "schedules/conversion/step_chunks.hpp"
#include "schedules/formats/foreign_schedule.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/schedule_input.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

struct Start {
    std::string file;
    Schedule schedule;
    LinkNetwork network;
    Topology topology;
};

Start load(const OptionValues& given)
{
    const std::string& file = given.text("start");
    require_schedule_file(file);
    if (kind_of_file(file) == FileKind::foreign) {
        JudgedChunks judged = judged_chunks(given, file);
        if (judged.order_is_open && judged.violations.empty())
            order_links(judged.schedule, judged.network, {});
        return {file, std::move(judged.schedule), std::move(judged.network), std::move(*judged.topology)};
    }
    LoadedSchedule loaded = load_schedule(file);
    LinkNetwork network = loaded.network();
    if (!is_complete(loaded.schedule))
        loaded.schedule = complete_paths(loaded.schedule, loaded.topology);
    return {file, std::move(loaded.schedule), std::move(network), std::move(loaded.topology)};
}

[[noreturn]] void fail(const Start& start, const std::string& why)
{
    throw std::runtime_error(fmt::format("{}: {}", start.file, why));
}

void require_network(const Start& start, const Topology& topology)
{
    if (!(start.topology == topology))
        fail(start, fmt::format("a schedule for {}, not for {}", start.topology.name(), topology.name()));
}

void require_collective(const Start& start, const Collective& its, const Collective& wanted)
{
    if (its.chunks != wanted.chunks || its.demands != wanted.demands)
        fail(start, fmt::format("a schedule of {}, not of {}", with_kind_in_words(its.kind, describe(its)),
                                with_kind_in_words(wanted.kind, describe(wanted))));
}

/// What is converted has to be valid.
void require_valid(const Start& start)
{
    const auto violations = is_between_memories(start.schedule) ? validate(start.schedule, start.network)
                                                                : validate(start.schedule, start.topology);
    if (!violations.empty())
        fail(start, fmt::format("it is not valid: {}: {} ('nocturne validate' says all)",
                                to_string(violations.front().rule), violations.front().text));
}

} // namespace

OptionTable start_options()
{
    return option_table("Search",
                        {{"start", name_value("FILE"),
                          "schedule that the search begins with, of steps, chunks or another tool"}});
}

Schedule start_for(const Problem& problem, const OptionValues& given)
{
    Start start = load(given);
    require_network(start, problem.topology);
    if (is_between_memories(start.schedule)) {
        require_valid(start);
        try {
            start.schedule = steps_of_chunks(start.schedule, start.topology, start.network);
        } catch (const std::invalid_argument& error) {
            fail(start, error.what());
        }
    }
    require_collective(start, start.schedule.collective, problem.collective);
    return std::move(start.schedule);
}

Schedule start_for(const ChunkProblem& problem, const OptionValues& given)
{
    Start start = load(given);
    require_network(start, *problem.topology);
    require_valid(start);
    if (!is_between_memories(start.schedule))
        start.schedule = chunks_of_steps(start.schedule, problem.network);
    const Collective& its = start.schedule.collective;
    require_collective(start, its, in_parts(problem.collective, its.parts));
    return std::move(start.schedule);
}

} // namespace nocturne::cli
