#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_search.hpp"
#include "sim/cli/background_options.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/contracts/contract_check.hpp"
#include "sim/contracts/contract_hardware.hpp"
#include "sim/contracts/flow_requests.hpp"
#include "sim/contracts/slot_file.hpp"
#include "sim/report/contract_results.hpp"
#include "sim/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::cli {

namespace {

OptionTable options_of_contract()
{
    OptionTable options = option_table(
        "Contracts", {{"topology", name_value("SPEC"),
                       "network: a specification (mesh:4x4) or a file; positional argument"},
                      {"flow", texts_value("KEY=VALUE,...").parsed_by(parse_flow),
                       "a flow: source, destination, mbytes_per_s, message_bytes (default 64), latency_ns "
                       "(upper limit), burst_messages; repeatable"},
                      {"flows", name_value("FILE"), "CSV file of flows, with these columns"},
                      {"table", name_value("FILE"), "slot table written by -o, instead of flows"},
                      {"slots", count_value("N", {1, most_slots}),
                       "slots per period; default: the fewest found, at most 256"},
                      {"slot-flits", count_value(3, {1, most_slot_flits}),
                       "most flits per packet; a packet takes one slot"},
                      {"paths", count_value(32, {1, 512}), "candidate paths per flow"},
                      {"slack", count_value(0, slack_range), "most hops of a path beyond the shortest"},
                      {"budget", seconds_value(60), "time limit of the search"},
                      {"check", count_value("CYCLES", {1, ContractCheckPlan::most_check_cycles}),
                       "simulate worst-case flows for this many cycles"},
                      {"output,o", written_value("FILE"), "write the slot table"},
                      {"csv", written_value("FILE"), "write the table of contracts as CSV"}});
    options.add(background_options().needing("check")).add(hardware_options());
    return options;
}

/// A table, on what hardware, and where it is from.
struct ContractPlan {
    Topology topology;
    HardwareConfig hardware;
    SlotTiming timing = {};
    SlotFile file = {};
    std::string engine = {};                       ///< empty: the table was given
    std::vector<std::uint64_t> message_bytes = {}; ///< by flow
};

std::vector<FlowRequest> requests_of(const OptionValues& given)
{
    std::vector<FlowRequest> requests;
    if (given.has("flows"))
        requests = read_flows(given.text("flows"));
    for (const std::string& text : given.texts("flow")) {
        requests.push_back(parse_flow(text));
        requests.back().place = fmt::format("--flow {}: ", text);
    }
    if (requests.empty())
        throw std::invalid_argument("no flow: --flow, --flows or --table");
    return requests;
}

void search_table(ContractPlan& plan, const OptionValues& given)
{
    plan.timing = slot_timing(plan.topology, plan.hardware, given.small_count("slot-flits"));
    const std::vector<FlowRequest> requests = requests_of(given);
    plan.file.flows = flows_of(plan.topology, plan.hardware, requests);
    for (const FlowRequest& request : requests)
        plan.message_bytes.push_back(request.message_bytes);
    SlotSearch search;
    if (given.has("slots"))
        search.slots = given.small_count("slots");
    search.paths = given.small_count("paths");
    search.slack = given.small_count("slack");
    search.end = end_after(given.seconds("budget"));
    FoundSlots found = find_slots(plan.topology, plan.timing, plan.file.flows, search);
    if (!found.table)
        throw std::invalid_argument(fmt::format("{}: no slot table: {}", plan.topology.name(), found.reason));
    plan.file.table = std::move(*found.table);
    plan.engine = found.engine;
    plan.file.topology = given.text("topology");
    plan.file.slot_flits = plan.timing.slot_flits;
    plan.file.slot_cycles = plan.timing.slot_cycles;
}

void read_table(ContractPlan& plan, const OptionValues& given)
{
    refuse_given(given, {"flow", "flows", "slots", "slot-flits", "paths", "slack", "budget"},
                 "not with --table");
    const std::string path = given.text("table");
    require_kind(path, std::array{FileKind::slot_table}, "a slot table");
    plan.file = slots_from_json(plan.topology, read_file(path), path);
    plan.timing = slot_timing(plan.topology, plan.hardware, plan.file.slot_flits);
    if (plan.file.slot_cycles < plan.timing.slot_cycles)
        throw std::runtime_error(fmt::format("{}: slots of {} cycles for {} flits; these routers need {}",
                                             path, plan.file.slot_cycles, plan.file.slot_flits,
                                             plan.timing.slot_cycles));
    plan.timing.slot_cycles = plan.file.slot_cycles;
    const std::vector<std::string> violations =
        check_slots(plan.topology, plan.timing, plan.file.flows, plan.file.table);
    if (!violations.empty())
        throw std::runtime_error(one_line(
            fmt::format("{}: {}{}", path, violations.front(),
                        violations.size() == 1 ? "" : fmt::format(" (and {} more)", violations.size() - 1))));
    for (const GuaranteedFlow& flow : plan.file.flows)
        plan.message_bytes.push_back(std::uint64_t{flow.message_flits} * plan.hardware.flit_bytes);
}

/// With a check: a flit a cycle of every processor, unless said.
std::optional<BackgroundTraffic> best_effort_of(const OptionValues& given)
{
    if (!given.has("check")) {
        refuse_given(given, {"seed"}, nothing_random);
        return std::nullopt;
    }
    return BackgroundTraffic{given.has("background") ? given.real("background") : 1,
                             given.text("background-pattern"),
                             given.text("background-flits"),
                             given.text("background-arrivals"),
                             given.text("background-routing"),
                             given.count("seed")};
}

ContractResult result_of(const ContractPlan& plan, std::size_t i)
{
    const GuaranteedFlow& flow = plan.file.flows[i];
    const FlowSlots& slots = plan.file.table.flows[i];
    const auto rate = [&](double cycles) {
        return static_cast<double>(plan.message_bytes[i]) / (cycles * plan.hardware.cycle_ns) * 1000;
    };
    const double period = static_cast<double>(plan.file.table.period_cycles(plan.timing));
    const double messages =
        static_cast<double>(slots.starts.size()) / packets_of(flow, plan.timing); // in a period
    ContractResult result;
    result.source = plan.topology.processor(flow.source).name;
    result.destination = plan.topology.processor(flow.destination).name;
    result.message_bytes = plan.message_bytes[i];
    result.burst_messages = flow.burst_messages;
    result.mbytes_per_s = rate(static_cast<double>(flow.message_cycles));
    result.slot_mbytes_per_s = rate(period / messages);
    result.message_cycles = flow.message_cycles;
    result.slots = static_cast<std::uint32_t>(slots.starts.size());
    result.hops = static_cast<std::uint32_t>(slots.path.size());
    result.latency_cycles =
        contract_of(plan.topology, plan.timing, flow, slots, plan.file.table.slots).latency_cycles;
    result.asked_latency_cycles = flow.latency_cycles;
    result.cycle_ns = plan.hardware.cycle_ns;
    for (const RouterId router : routers_of(plan.topology, flow.source, slots.path))
        result.path.push_back(plan.topology.router_name(router));
    result.starts = slots.starts;
    return result;
}

ContractResults results_of(const ContractPlan& plan)
{
    ContractResults results{plan.topology.name(),    plan.engine,
                            plan.file.table.slots,   plan.timing.slot_flits,
                            plan.timing.slot_cycles, plan.file.table.period_cycles(plan.timing),
                            plan.hardware.vcs,       plan.hardware.cycle_ns};
    for (std::size_t flow = 0; flow < plan.file.flows.size(); ++flow)
        results.contracts.push_back(result_of(plan, flow));
    return results;
}

void add_check(ContractResults& results, const ContractPlan& plan, const ContractCheckPlan& check)
{
    const SeenContracts seen =
        check_contracts(plan.topology, plan.hardware, plan.timing, plan.file.flows, plan.file.table, check);
    ContractCheck whole{check.cycles,
                        check.background.load,
                        check.background.pattern,
                        check.background.routing,
                        seen.best_effort_rate,
                        seen.guaranteed_rate,
                        0,
                        0,
                        100,
                        seen.stall};
    for (std::size_t i = 0; i < seen.flows.size(); ++i) {
        ContractResult& result = results.contracts[i];
        const SeenFlow& flow = seen.flows[i];
        result.messages = flow.messages;
        result.seen_latency_cycles = flow.latency_cycles;
        result.seen_percent =
            100.0 * static_cast<double>(flow.latency_cycles) / static_cast<double>(result.latency_cycles);
        result.violations = flow.violations;
        whole.violations += flow.violations;
        whole.late_packets += flow.late_packets;
        whole.least_seen_percent = std::min(whole.least_seen_percent, *result.seen_percent);
    }
    results.check = whole;
}

void print_contracts(const ContractResults& results)
{
    print_figures(results);
    print_below(table_of("Contracts", results.contracts));
    if (!results.check)
        return;
    std::cout << '\n';
    print_figures(*results.check);
    if (results.check->stall)
        print_below(stall_table(*results.check->stall));
}

int run_contract(const OptionValues& given)
{
    if (!given.has("topology"))
        throw std::invalid_argument("topology is missing: a specification or a file");
    ContractPlan plan{with_parts_of(given, topology_from(given.text("topology"))), hardware_of(given)};
    refuse_given(given, {"t0-ns"}, only_for_steps);
    refuse_idle_hardware(given, NetworkModel::flit, {plan.topology});
    if (!given.is_given("arbiter"))
        plan.hardware.allocation.arbiter = ArbiterKind::priority;
    const std::optional<BackgroundTraffic> best_effort = best_effort_of(given);
    const Routing routing =
        best_effort_routing(plan.topology, plan.hardware, best_effort.value_or(BackgroundTraffic{}));
    plan.hardware.vcs = hardware_of(given, with_guaranteed_class(routing.vc_classes).count()).vcs;
    if (given.has("table"))
        read_table(plan, given);
    else
        search_table(plan, given);
    ContractResults results = results_of(plan);
    if (best_effort) {
        remark_routing(plan.topology, routing);
        remark_hardware(plan.topology, plan.hardware);
        print_remarks();
        const ContractCheckPlan check{given.count("check"), *best_effort, given.count("seed")};
        results = run_alone("contract", [&] {
                      ContractResults checked = results;
                      add_check(checked, plan, check);
                      return nlohmann::json(checked);
                  }).get<ContractResults>();
    }
    write_table(given, "csv", table_of("Contracts", results.contracts));
    if (given.has("output"))
        write_file_atomically(given.text("output"),
                              to_json(plan.topology, plan.file, to_json(origin_of(given))));
    print_result(results, given, [&] { print_contracts(results); });
    const bool is_broken = results.check && (results.check->violations > 0 || results.check->stall);
    return is_broken ? check_failed : all_is_well;
}

} // namespace

Command contract_command()
{
    return {{.command = "contract",
             .summary = "guaranteed rates and latencies by time slots, checked in simulation",
             .positional = "topology",
             .description =
                 "Assigns time slots of links to flows so that no two flows compete for a link, "
                 "and prints the rate and the latency\nbound that each flow is guaranteed. --check "
                 "simulates worst-case flows beside best-effort traffic at the flit level.\n",
             .examples = {"nocturne contract mesh:4x4 --flow source=00,destination=33,mbytes_per_s=200 "
                          "--flow source=03,destination=30,mbytes_per_s=100,latency_ns=400 -o slots.json",
                          "nocturne contract mesh:4x4 --table slots.json --check 20000"}},
            options_of_contract,
            run_contract,
            {description_of<ContractResults>}};
}

} // namespace nocturne::cli
