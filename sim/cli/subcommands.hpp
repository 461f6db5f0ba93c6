// The subcommands.
#pragma once

#include "sim/cli/command.hpp"

namespace nocturne::cli {

Command topology_command();
Command design_command();
Command bound_command();
Command schedule_command();
Command reschedule_command();
Command evolve_command();
Command certify_command();
Command validate_command();
Command replay_command();
Command recover_command();
Command traffic_command();
Command contract_command();
Command benes_command();
Command front_command();
Command audit_command();
Command compare_command();
Command export_command();
Command import_command();
Command report_command();
Command sweep_command();

} // namespace nocturne::cli
