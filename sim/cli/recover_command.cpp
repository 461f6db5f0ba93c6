#include "models/routing/make_routing.hpp"
#include "models/topology/files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/recovery/recovery.hpp"
#include "sim/report/pictures.hpp"
#include "sim/report/timeline.hpp"

#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace {

OptionTable recover_options()
{
    return option_table(
        "Recovery",
        {{"fault", names_value("F"),
          "what fails: link:00-01, channel:00-01 or node:00; may be given several times"},
         {"at-step", count_value("S", {.least = 1}), "it fails in the middle of step S, from 1"},
         {"at-ns", real_value("T", {.least = 0}), "it fails at this time, ns"},
         {"until-ns", real_value("T", {.least = 0}), "it works again from then on; left out: never"},
         {"bytes", text_value("SIZE", "1024").parsed_by(parse_size), "message size"},
         {"svg", written_value("FILE"), "draw the phases over time"},
         {"timeline", written_value("FILE"), "write the phases over time, for Perfetto or Chrome"},
         {"host-word-ns", real_value("X", 10, {.least = 0}),
          "what the host needs for each word that it reads or writes, ns"},
         {"host-compute-ns", real_value("X", 0, {.least = 0}),
          "simulated time of the search for a new schedule, ns"}});
}

OptionTable unscheduled_options()
{
    OptionTable options = option_table(
        "Without a schedule",
        {{"unscheduled", switch_value(),
          "the argument without a name is a network; its processors send the messages of --collective "
          "without a "
          "schedule, and send what is lost again"},
         {"traffic",
          text_value("ORDER").parsed_by([](const std::string& text) { return parse_unscheduled(text, 1); }),
          "in-order, shifted, random or binomial; +chained pays the start-up once; left out: shifted",
          {"unscheduled"}},
         {"routing",
          name_value("NAME"),
          ("until the fault: " + routing_help() +
           "; left out: auto, which is also the routing around the fault"),
          {"unscheduled"}}});
    options.add_rows_of(collective_options().needing("unscheduled"));
    options.add_rows_of(port_options().needing("unscheduled"));
    return options;
}

/// All but the time of the fault and the hardware, which depend on what runs.
RecoveryOptions recovery_of(const OptionValues& given)
{
    RecoveryOptions options;
    options.simulation.message_bytes = parse_size(given.text("bytes"));
    options.simulation.model = model_of(given);
    options.simulation.seed = given.count("seed");
    if (!given.has("fault"))
        throw std::invalid_argument("recover: --fault is missing; see 'nocturne recover --help'");
    options.faults = given.texts("fault");
    options.host_word_ns = given.real("host-word-ns");
    options.host_compute_ns = given.real("host-compute-ns");
    return options;
}

void set_times(RecoveryOptions& options, double fault_ns, const OptionValues& given)
{
    options.fault_ns = fault_ns;
    if (!given.has("until-ns"))
        return;
    options.until_ns = given.real("until-ns");
    if (!(options.until_ns > options.fault_ns))
        throw std::invalid_argument(
            fmt::format("--until-ns {}: the fault comes at {} ns", options.until_ns, options.fault_ns));
}

RecoveryResult run_recovery(const std::function<RecoveryResult()>& recovery)
{
    return run_alone("recover", [&] { return nlohmann::json(recovery()); }).get<RecoveryResult>();
}

struct Recovered {
    RecoveryResult result;
    std::optional<InputSchedule> input = std::nullopt; ///< of a schedule
};

/// From 1.
std::uint64_t step_of(const OptionValues& given, const Schedule& schedule)
{
    const std::uint64_t step = given.count("at-step");
    if (step > schedule.steps.size())
        throw std::invalid_argument(
            fmt::format("--at-step {}: expected 1 to {}", step, schedule.steps.size()));
    return step;
}

/// Nothing if the schedule is invalid: it has been judged then, as every command that takes one does.
std::optional<Recovered> recover_schedule(const OptionValues& given)
{
    const InputSchedule input = schedule_of(given);
    RecoveryOptions options = recovery_of(given);
    options.simulation.message_bytes = message_size(input, options.simulation.message_bytes);
    options.simulation.hardware = hardware_of(given);
    if (given.has("at-step") == given.has("at-ns"))
        throw std::invalid_argument("recover: expected --at-step or --at-ns, one of them");
    if (!validate(input.schedule, input.topology).empty()) {
        judge(input, given);
        return std::nullopt;
    }
    remark_hardware(input.topology, options.simulation.hardware);
    print_remarks();
    set_times(options,
              given.has("at-ns")
                  ? given.real("at-ns")
                  : middle_of_step_ns(input.schedule, step_of(given, input.schedule) - 1, input.topology,
                                      options.simulation.hardware, options.simulation.message_bytes),
              given);
    return Recovered{run_recovery([&] { return recover(input.schedule, input.topology, options); }), input};
}

Recovered recover_traffic(const OptionValues& given)
{
    refuse_given(given, {"at-step", "max-slack", "topology"},
                 "a schedule; with --unscheduled the argument without a name is the network");
    ProblemText text = collective_text(given);
    text.topology = given.text("schedule");
    const Problem problem = make_problem(text);
    const UnscheduledTraffic traffic =
        parse_unscheduled(given.text("traffic", "shifted"), given.count("seed"));
    const std::string routing = given.text("routing", "auto");
    RecoveryOptions options = recovery_of(given);
    options.simulation.ports = problem.ports;
    if (!given.has("at-ns"))
        throw std::invalid_argument("recover: --at-ns is missing, the time of the fault");
    set_times(options, given.real("at-ns"), given);
    options.simulation.hardware = hardware_of(given);
    options.simulation.hardware =
        hardware_of(given, unscheduled_vc_classes(problem.topology, routing, options));
    remark_hardware(problem.topology, options.simulation.hardware);
    print_remarks();
    return {run_recovery([&] {
        return recover_unscheduled(problem.topology, problem.collective, routing, traffic, options);
    })};
}

void print_text(const RecoveryResult& result)
{
    print_figures(result);
    print_below(table_of("Phases", result.phases));
    if (!result.lost.empty())
        print_below(table_of("Lost messages", result.lost));
}

Usage usage_of_recover()
{
    return {
        .command = "recover",
        .summary = "run a schedule in which a link or a router fails, and bring it to its end",
        .positional = "schedule",
        .description =
            "Runs a schedule in which something fails: time-outs report what is lost, probes find what has "
            "failed, a schedule\nfor what is owed is made for the rest of the network, and the DMA engines "
            "are programmed again. Or, with --unscheduled,\nthe same for a network whose processors send "
            "without a schedule.\n",
        .examples = {
            "nocturne schedule octagon:8 --collective AAS -o aas.json",
            "nocturne recover aas.json --fault link:0-1 --at-step 2",
            "nocturne recover --unscheduled mesh:3x3 --collective AAS --fault link:11-12 --at-ns 3500"}};
}

OptionTable options_of_recover()
{
    OptionTable options;
    options.add(schedule_options())
        .add(model_options())
        .add(hardware_options())
        .add(recover_options())
        .add(unscheduled_options());
    return options;
}

int run_recover(const OptionValues& given)
{
    std::optional<Recovered> recovered =
        given.is_on("unscheduled") ? std::optional{recover_traffic(given)} : recover_schedule(given);
    if (!recovered)
        return check_failed;
    RecoveryResult& result = recovered->result;
    const std::optional<InputSchedule>& input = recovered->input;
    if (given.has("svg"))
        write_file_atomically(given.text("svg"), recovery_picture(result));
    if (given.has("timeline"))
        write_file_atomically(given.text("timeline"), timeline_json(timeline_of(result)));
    if (input) {
        result.converted = converted_text(*input);
        print_conversion(*input, given);
    }
    print_result(result, given, [&] { print_text(result); });
    return result.memory_ok && result.duplicates == 0 ? all_is_well : check_failed;
}

} // namespace

Command recover_command()
{
    return {usage_of_recover(), options_of_recover, run_recover};
}

} // namespace nocturne::cli
