#include "models/routing/make_routing.hpp"
#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/schedule_runs.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/page/recording.hpp"
#include "sim/recovery/recovery.hpp"
#include "sim/report/pictures.hpp"
#include "sim/report/timeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

OptionTable recover_options()
{
    return option_table(
        "Recovery",
        {{"fault", names_value("F"), "failing part: link:00-01, channel:00-01 or node:00; repeatable"},
         {"at-step", count_value("S", {.least = 1}), "the fault occurs in the middle of step S, from 1"},
         {"at-ns", real_value("T", {.least = 0}), "the fault occurs at this time, ns"},
         {"until-ns", real_value("T", {.least = 0}), "the fault ends at this time, ns; default: never"},
         {"bytes", text_value("SIZE", "1024").parsed_by(parse_simulated_size), "message size"},
         {"svg", svg_value("FILE"), "draw the phases over time"},
         {"timeline", written_value("FILE"), "write the phases over time, for Perfetto or Chrome"},
         {"record", written_value("FILE"),
          "write the JSON result with every message on every channel, with and without the fault, for "
          "'nocturne report'"},
         {"host-word-ns", real_value("X", 10, {.least = 0}),
          "time that the host takes to read or write a word, ns"},
         {"host-compute-ns", real_value("X", 0, {.least = 0}),
          "simulated time of the search for a new schedule, ns"}});
}

OptionTable unscheduled_options()
{
    OptionTable options = option_table(
        "Without a schedule",
        {{"unscheduled", switch_value(),
          "send the messages of --collective without a schedule, and lost messages again; the positional "
          "argument is a network"},
         {"traffic",
          text_value("ORDER").parsed_by([](const std::string& text) { return parse_unscheduled(text, 1); }),
          "order of the messages: in-order, shifted, random or binomial; +chained pays the start-up once; "
          "default: shifted",
          {"unscheduled"}},
         {"routing",
          name_value("NAME"),
          ("routing until the fault: " + routing_help() +
           "; default: auto, which is also the routing around the fault"),
          {"unscheduled"}}});
    options.add_rows_of(collective_options().needing("unscheduled"));
    options.add_rows_of(port_options().needing("unscheduled"));
    return options;
}

constexpr const char* one_priority = "messages of several priorities; in a recovery all are equal";

/// All but the time of the fault and the hardware, which depend on what runs.
RecoveryOptions recovery_of(const OptionValues& given)
{
    RecoveryOptions options;
    options.simulation.message_bytes = parse_simulated_size(given.text("bytes"));
    options.simulation.model = model_of(given);
    options.simulation.seed = given.count("seed");
    if (!given.has("fault"))
        throw std::invalid_argument("recover: --fault is missing; see 'nocturne recover --help'");
    options.faults = given.texts("fault");
    options.host_word_ns = given.real("host-word-ns");
    options.host_compute_ns = given.real("host-compute-ns");
    options.simulation.record_occupancy = given.has("record");
    return options;
}

void set_times(RecoveryOptions& options, double fault_ns, const OptionValues& given)
{
    options.fault_ns = fault_ns;
    if (!given.has("until-ns"))
        return;
    options.until_ns = given.real("until-ns");
    if (!(options.until_ns > options.fault_ns))
        throw std::invalid_argument(fmt::format("--until-ns {}: not after the fault, which occurs at {} ns",
                                                options.until_ns, options.fault_ns));
}

RecoveryResult run_recovery(const std::function<RecoveryResult()>& recovery)
{
    return run_alone("recover", [&] { return nlohmann::json(recovery()); }).get<RecoveryResult>();
}

struct Recovered {
    RecoveryResult result;
    std::optional<InputSchedule> input = std::nullopt;           ///< of a schedule
    nlohmann::ordered_json recording = nlohmann::ordered_json(); ///< if it is asked for
};

/// Those of failed routers too.
std::vector<ChannelId> failed_channels(const Topology& topology, const Faults& faults)
{
    std::vector<ChannelId> failed = faults.channels;
    for (const RouterId router : faults.routers) {
        const auto from = topology.channels_from(router), to = topology.channels_to(router);
        failed.insert(failed.end(), from.begin(), from.end());
        failed.insert(failed.end(), to.begin(), to.end());
    }
    return failed;
}

/// The run without the fault, and that with it, whose occupancy leaves the result.
nlohmann::ordered_json recording_of(RunResult before, RecoveryResult& result, const Topology& topology,
                                    const RecoveryOptions& options, PortModel ports)
{
    RunResult after;
    after.time_ns = result.time_ns;
    after.occupancy = std::move(result.occupancy);
    result.occupancy.clear();
    const std::array runs{RecordedRun{"without the fault", std::move(before)},
                          RecordedRun{fmt::format("{}", fmt::join(result.faults, ", ")), std::move(after)}};
    nlohmann::ordered_json recording = recording_json(topology, options.simulation.hardware, ports, runs);
    const Faults faults = parse_faults(topology, options.faults);
    recording["runs"].back()["failed"] = failed_channels(topology, faults);
    recording["runs"].back()["failed_from_cycle"] = options.fault_ns / options.simulation.hardware.cycle_ns;
    return recording;
}

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
    InputSchedule input = schedule_with_parts(given, true);
    RecoveryOptions options = recovery_of(given);
    if (is_between_memories(input.schedule) || input.converted)
        options.simulation.message_bytes =
            parse_simulated_size(bytes_text(given, given.text("schedule"), made_for_of(input).bytes));
    options.simulation.message_bytes = message_size(input, options.simulation.message_bytes);
    options.simulation.hardware = hardware_for(given, input);
    if (given.has("at-step") == given.has("at-ns"))
        throw std::invalid_argument("recover: give either --at-step or --at-ns");
    if (!validate(input.schedule, input.topology).empty()) {
        judge(input, given);
        return std::nullopt;
    }
    check_run(given, input.topology, options.simulation.model, options.simulation.hardware, one_priority);
    print_remarks();
    set_times(options,
              given.has("at-ns")
                  ? given.real("at-ns")
                  : middle_of_step_ns(input.schedule, step_of(given, input.schedule) - 1, input.topology,
                                      options.simulation.hardware, options.simulation.message_bytes),
              given);
    Recovered recovered{run_recovery([&] { return recover(input.schedule, input.topology, options); }),
                        input};
    if (given.has("record"))
        recovered.recording = recording_of(
            replay(input.schedule, input.topology, Synchronization::barrier, options.simulation).run,
            recovered.result, input.topology, options, input.schedule.ports);
    return recovered;
}

Recovered recover_traffic(const OptionValues& given)
{
    refuse_given(given, {"at-step", "max-slack", "topology"},
                 "not with --unscheduled, whose positional argument is the network");
    ProblemText text = collective_text(given);
    text.topology = given.text("schedule");
    Problem problem = make_problem(text);
    problem.topology = with_parts_of(given, std::move(problem.topology));
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
    check_run(given, problem.topology, options.simulation.model, options.simulation.hardware, one_priority);
    print_remarks();
    Recovered recovered{run_recovery([&] {
        return recover_unscheduled(problem.topology, problem.collective, routing, traffic, options);
    })};
    if (given.has("record"))
        recovered.recording =
            recording_of(run_alone("recover",
                                   [&] {
                                       return nlohmann::json(run_without_fault(
                                           problem.topology, problem.collective, routing, traffic, options));
                                   })
                             .get<RunResult>(),
                         recovered.result, problem.topology, options, problem.ports);
    return recovered;
}

void print_text(const RecoveryResult& result)
{
    print_figures(result);
    print_below(table_of("Phases", result.phases));
    if (!result.lost.empty())
        print_below(table_of("Lost messages", result.lost));
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
        write_file_atomically(given.text("svg"), draw(recovery_plot(result)));
    if (given.has("timeline"))
        write_file_atomically(given.text("timeline"), timeline_json(timeline_of(result)));
    if (input) {
        result.converted = converted_text(*input);
        print_conversion(*input, given);
    }
    if (given.has("record")) {
        nlohmann::ordered_json document = document_of(result, given);
        document["recording"] = std::move(recovered->recording);
        write_file_atomically(given.text("record"), json_text(document) + "\n");
    }
    print_result(result, given, [&] { print_text(result); });
    return result.memory_ok && result.duplicates == 0 ? all_is_well : check_failed;
}

} // namespace

Command recover_command()
{
    return {
        {.command = "recover",
         .summary = "run a schedule during which a link or a router fails, and recover",
         .positional = "schedule",
         .description =
             "Runs a schedule during which a link or a router fails. Time-outs report lost messages, "
             "probes locate the fault, a\nnew schedule delivers the missing messages over the rest of the "
             "network, and the DMA engines are reprogrammed.\nWith --unscheduled the processors send "
             "without a schedule and send lost messages again.\n",
         .examples =
             {"nocturne schedule octagon:8 --collective AAS -o aas.json",
              "nocturne recover aas.json --fault link:0-1 --at-step 2",
              "nocturne recover --unscheduled mesh:3x3 --collective AAS --fault link:11-12 --at-ns 3500"}},
        [] {
            return OptionTable()
                .add(schedule_options())
                .add(model_options())
                .add(hardware_options())
                .add(recover_options())
                .add(unscheduled_options());
        },
        run_recover,
        {description_of<RecoveryResult>}};
}

} // namespace nocturne::cli
