#include "models/routing/make_routing.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/recovery/recovery.hpp"
#include "sim/report/recovery_results_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

po::options_description recover_options()
{
    po::options_description options("Recovery");
    options.add_options()("fault", po::value<std::vector<std::string>>()->value_name("F")->composing(),
                          "what fails: link:00-01, channel:00-01 or node:00; may be given several times")(
        "at-step", po::value<Count>()->value_name("S"), "it fails in the middle of step S, from 1")(
        "at-ns", po::value<double>()->value_name("T"), "it fails at this time, ns")(
        "until-ns", po::value<double>()->value_name("T"), "it works again from then on; left out: never")(
        "bytes", po::value<std::string>()->value_name("SIZE")->default_value("1024"),
        "message size")("host-word-ns", po::value<double>()->value_name("X")->default_value(10),
                        "what the host needs for each word that it reads or writes, ns")(
        "host-compute-ns", po::value<double>()->value_name("X")->default_value(0),
        "simulated time of the search for a new schedule, ns");
    return options;
}

po::options_description unscheduled_options()
{
    po::options_description options("Without a schedule");
    options.add_options()(
        "unscheduled", po::bool_switch(),
        "the argument without a name is a network; its processors send the messages of --collective without "
        "a schedule, and send what is lost again")(
        "traffic", po::value<std::string>()->value_name("ORDER"),
        "in-order, shifted, random or binomial; +chained pays the start-up once; left out: shifted")(
        "routing", po::value<std::string>()->value_name("NAME"),
        ("until the fault: " + routing_help() +
         "; left out: auto, which is also the routing around the fault")
            .c_str());
    const po::options_description collective = collective_options();
    for (const auto& option : collective.options())
        options.add(option);
    return options;
}

/// Options of the other mode are mistakes, not to be passed over.
void refuse(const po::variables_map& map, std::initializer_list<const char*> names, const char* reason)
{
    for (const char* const name : names)
        if (map.count(name) != 0 && !map[name].defaulted())
            throw std::invalid_argument(fmt::format("--{}: {}", name, reason));
}

/// All but the time of the fault and the hardware, which depend on what runs.
RecoveryOptions recovery_of(const po::variables_map& map)
{
    RecoveryOptions options;
    options.simulation.message_bytes = parse_size(map["bytes"].as<std::string>());
    options.simulation.seed = map["seed"].as<Count>().value;
    if (map.count("fault") == 0)
        throw std::invalid_argument("recover: --fault is missing; see 'nocturne recover --help'");
    options.faults = map["fault"].as<std::vector<std::string>>();
    options.host_word_ns = map["host-word-ns"].as<double>();
    options.host_compute_ns = map["host-compute-ns"].as<double>();
    return options;
}

void set_times(RecoveryOptions& options, double fault_ns, const po::variables_map& map)
{
    options.fault_ns = fault_ns;
    if (map.count("until-ns") == 0)
        return;
    options.until_ns = map["until-ns"].as<double>();
    if (!(options.until_ns > options.fault_ns))
        throw std::invalid_argument(
            fmt::format("--until-ns {}: the fault comes at {} ns", options.until_ns, options.fault_ns));
}

RecoveryResult run_recovery(const std::function<RecoveryResult()>& recovery)
{
    return run_alone("recover", [&] { return nlohmann::json(recovery()); }).get<RecoveryResult>();
}

/// Nothing if the schedule is invalid: it has been judged then, as every command that takes one does.
std::optional<RecoveryResult> recover_schedule(const po::variables_map& map)
{
    refuse(map, {"traffic", "routing", "collective", "source", "senders", "receivers", "image", "ports"},
           "only with --unscheduled; a schedule file says it itself");
    const InputSchedule input = schedule_of(map);
    RecoveryOptions options = recovery_of(map);
    options.simulation.hardware = hardware_of(map);
    if (map.count("at-step") + map.count("at-ns") != 1)
        throw std::invalid_argument("recover: expected --at-step or --at-ns, one of them");
    if (!validate(input.schedule, input.topology).empty()) {
        judge(input, map);
        return std::nullopt;
    }
    set_times(options,
              map.count("at-ns") != 0
                  ? map["at-ns"].as<double>()
                  : middle_of_step_ns(
                        input.schedule, count_in_range(map, "at-step", 1, input.schedule.steps.size()) - 1,
                        input.topology, options.simulation.hardware, options.simulation.message_bytes),
              map);
    return run_recovery([&] { return recover(input.schedule, input.topology, options); });
}

RecoveryResult recover_traffic(const po::variables_map& map)
{
    refuse(map, {"at-step", "max-slack"}, "only with a schedule");
    refuse(map, {"topology"}, "with --unscheduled the argument without a name is the network");
    ProblemText text = collective_text(map);
    text.topology = map["schedule"].as<std::string>();
    const Problem problem = make_problem(text);
    const auto text_of = [&](const char* option, const char* otherwise) {
        return map.count(option) != 0 ? map[option].as<std::string>() : otherwise;
    };
    const UnscheduledTraffic traffic =
        parse_unscheduled(text_of("traffic", "shifted"), map["seed"].as<Count>().value);
    const std::string routing = text_of("routing", "auto");
    RecoveryOptions options = recovery_of(map);
    options.simulation.ports = problem.ports;
    if (map.count("at-ns") == 0)
        throw std::invalid_argument("recover: --at-ns is missing, the time of the fault");
    set_times(options, map["at-ns"].as<double>(), map);
    options.simulation.hardware =
        hardware_of(map, unscheduled_vc_classes(problem.topology, routing, options));
    return run_recovery(
        [&] { return recover_unscheduled(problem.topology, problem.collective, routing, traffic, options); });
}

void print_text(const RecoveryResult& result)
{
    fmt::print("{}: {} on {}, {}, {} steps, {} bytes\n", result.schedule, result.collective, result.topology,
               result.routing, result.steps, result.message_bytes);
    fmt::print("fault      {} at {:.0f} ns{}\n", fmt::join(result.faults, ", "), result.fault_ns,
               result.until_ns > 0 ? fmt::format(" until {:.0f} ns", result.until_ns) : "");
    fmt::print("\n{:<14}{:>14}{:>14}{:>14}\n", "phase", "begin (ns)", "end (ns)", "takes (ns)");
    for (const RecoveryPhase& phase : result.phases)
        fmt::print("{:<14}{:>14.0f}{:>14.0f}{:>14.0f}\n", phase.name, phase.begin_ns, phase.end_ns,
                   phase.end_ns - phase.begin_ns);
    fmt::print("\nlost       {} messages, {} flits\n", result.lost.size(), result.flits_lost);
    for (const LostTransfer& lost : result.lost)
        fmt::print("           step {}: {}>{}\n", lost.step + 1, lost.source, lost.destination);
    const std::string located =
        result.located.empty() ? "" : fmt::format(": {}", fmt::join(result.located, ", "));
    fmt::print("outcome    {}{} ({} probes)\n", result.outcome, located, result.probes);
    if (!result.lost_processors.empty())
        fmt::print("processors {} are lost; {} deliveries dropped\n", fmt::join(result.lost_processors, ", "),
                   result.dropped);
    if (!result.lost.empty())
        fmt::print("repair     {} deliveries in {} steps, {}, found in {:.3f} s\n", result.owed,
                   result.repair_steps, result.repair_routing, result.search_seconds);
    fmt::print("memories   {}: {} of {} messages\n", result.memory_ok ? "right" : "WRONG",
               result.messages_delivered, result.messages_owed);
}

} // namespace

int run_recover(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(schedule_options()).add(hardware_options()).add(recover_options()).add(unscheduled_options());
    const po::variables_map map = parse(
        {.command = "recover",
         .positional = "schedule",
         .description =
             "Runs a schedule in which something fails: time-outs report what is lost, probes find what has "
             "failed, a schedule\nfor what is owed is made for the rest of the network, and the DMA engines "
             "are programmed again. Or, with --unscheduled,\nthe same for a network whose processors send "
             "without a schedule.\n",
         .examples =
             {"nocturne schedule octagon:8 --collective AAS -o aas.json",
              "nocturne recover aas.json --fault link:0-1 --at-step 2",
              "nocturne recover --unscheduled mesh:3x3 --collective AAS --fault link:11-12 --at-ns 3500"}},
        arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    const std::optional<RecoveryResult> recovered =
        map["unscheduled"].as<bool>() ? recover_traffic(map) : recover_schedule(map);
    if (!recovered)
        return check_failed;
    const RecoveryResult& result = *recovered;
    if (map["json"].as<bool>())
        std::cout << nlohmann::json(result).dump(2) << '\n';
    else
        print_text(result);
    return result.memory_ok && result.duplicates == 0 ? all_is_well : check_failed;
}

} // namespace nocturne::cli
