#include "sim/cli/schedule_runs.hpp"

#include "schedules/schedule/validator.hpp"
#include "sim/cli/background_options.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/report/progress.hpp"
#include "sim/simulation/model_parts.hpp"

#include <utility>

namespace nocturne::cli {

InputSchedule schedule_with_parts(const OptionValues& given, bool in_steps)
{
    InputSchedule input = in_steps ? schedule_of(given) : schedule_to_run(given);
    input.topology = with_parts_of(given, std::move(input.topology));
    return input;
}

bool is_invalid_of_chunks(const InputSchedule& input)
{
    return is_between_memories(input.schedule) &&
           !validate(input.schedule, link_network_of(input.topology, input.links)).empty();
}

RunSeries runs_of(const OptionValues& given, const InputSchedule& input, const std::string& sizes,
                  std::initializer_list<const char*> flit_options)
{
    RunSeries runs;
    runs.message_bytes = message_sizes(input, parse_sizes(sizes));
    runs.simulation.model = model_of(given, flit_options);
    runs.simulation.links = input.links;
    set_payload(given, input.schedule.collective, runs.simulation.contents);
    runs.simulation.background = background_of(given);
    runs.simulation.scales_vcs = is_between_memories(input.schedule) && given.text("vcs") == "auto";
    runs.simulation.seed = given.count("seed");
    runs.workers.workers = given.workers();
    runs.memory.on_notice = print_notice;
    return runs;
}

void set_hardware(const OptionValues& given, const InputSchedule& input, unsigned vc_classes,
                  SimulationOptions& simulation)
{
    simulation.hardware =
        hardware_for(given, input,
                     vc_classes + vc_classes_of(simulation.background, input.topology,
                                                hardware_of(given).path_cost_on(input.topology)));
}

void check_run(const OptionValues& given, const Topology& topology, NetworkModel model,
               const HardwareConfig& hardware, std::string_view priorities)
{
    refuse_idle_hardware(given, model, {topology});
    if (!priorities.empty())
        refuse_idle_priority(given, priorities);
    require_parts(model, topology, hardware);
    remark_hardware(topology, hardware);
}

void check_runs(const OptionValues& given, const InputSchedule& input, const RunSeries& runs)
{
    const SimulationOptions& simulation = runs.simulation;
    if (simulation.background)
        remark_routing(input.topology, routing_of(*simulation.background, input.topology,
                                                  simulation.hardware.path_cost_on(input.topology)));
    check_run(given, input.topology, simulation.model, simulation.hardware,
              simulation.background ? "" : "--background: messages of the schedule have priority over it");
    SimulationOptions largest = simulation;
    largest.message_bytes = runs.message_bytes.back();
    remark_shared_links(input.schedule, input.topology, largest);
    print_remarks();
}

std::vector<ReplayResult> replay_with_progress(const InputSchedule& input, ReplaySeries series,
                                               const std::string& what)
{
    ProgressLine progress(what);
    series.workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    return replay_sizes(input.schedule, input.topology, series);
}

} // namespace nocturne::cli
