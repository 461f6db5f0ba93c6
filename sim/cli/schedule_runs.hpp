// What the commands that run a schedule prepare alike.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/replay/compare.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace nocturne::cli {

/// The schedule in the file that the option `schedule` names, on its network with the parts that `--part`
/// says: as schedule_to_run(), or with `in_steps` as schedule_of().
InputSchedule schedule_with_parts(const OptionValues& given, bool in_steps = false);

/// Is it a schedule of chunks that breaks a rule? Schedules of messages are judged by the commands.
bool is_invalid_of_chunks(const InputSchedule& input);

/// Everything about its runs with these sizes but the hardware (set_hardware()). Throws as model_of().
RunSeries runs_of(const OptionValues& given, const InputSchedule& input, const std::string& sizes,
                  std::initializer_list<const char*> flit_options = {});

/// The hardware, as hardware_for(), with these classes of virtual channels and those of the background
/// traffic.
void set_hardware(const OptionValues& given, const InputSchedule& input, unsigned vc_classes,
                  SimulationOptions& simulation);

/// Before a run on this network: throws as refuse_idle_hardware(), refuse_idle_priority() unless `priorities`
/// is empty, and require_parts(); remarks as remark_hardware().
void check_run(const OptionValues& given, const Topology& topology, NetworkModel model,
               const HardwareConfig& hardware, std::string_view priorities);

/// The same of all runs of a schedule, with the remarks on its background traffic and on links that its
/// transfers share. All remarks so far are printed.
void check_runs(const OptionValues& given, const InputSchedule& input, const RunSeries& runs);

/// replay_sizes() with a line of progress, which is gone before anything is printed.
std::vector<ReplayResult> replay_with_progress(const InputSchedule& input, ReplaySeries series,
                                               const std::string& what);

} // namespace nocturne::cli
