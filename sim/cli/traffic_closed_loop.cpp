#include "sim/cli/traffic_closed_loop.hpp"

#include "models/hardware/network_plan.hpp"
#include "models/routing/make_routing.hpp"
#include "models/text/number.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/packet_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report.hpp"
#include "sim/simulation/model_parts.hpp"
#include "sim/traffic/closed_loop.hpp"
#include "sim/traffic/packed_flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace nocturne::cli {

namespace {

/// A simulation that is to be done.
struct LoopRun {
    const CurveSpecification* curve;
    std::uint32_t outstanding;
    HardwareConfig hardware; ///< with as many virtual channels as all of the runs need, if that is wished
};

std::vector<std::uint32_t> outstanding_of(const std::string& text)
{
    std::vector<std::uint32_t> numbers;
    for (const std::string& part : parts_of(text)) {
        const auto count = number_of<std::uint32_t>(part);
        if (!count || *count == 0)
            throw std::invalid_argument("expected a number of outstanding requests, 1 or more");
        numbers.push_back(*count);
    }
    return numbers;
}

MessageClasses classes_of(const OptionValues& given)
{
    return given.count("message-classes") == 2 ? MessageClasses::separate : MessageClasses::shared;
}

ClosedLoop loop_of(const OptionValues& given, const LoopRun& run)
{
    const CurveSpecification& curve = *run.curve;
    ClosedLoop loop{make_pattern(curve.network, curve.pattern, curve.seed),
                    run.outstanding,
                    make_message_sizes(curve.packet_flits),
                    make_message_sizes(given.text("reply-flits")),
                    given.small_count("service-cycles"),
                    given.small_count("reply-queue"),
                    curve.seed,
                    reply_vcs_of(given)};
    loop.validate();
    return loop;
}

Routing routing_of_curve(const CurveSpecification& curve)
{
    return make_routing(curve.network, curve.routing, curve.seed, curve.hardware.path_cost_on(curve.network));
}

ClosedLoopResult measure(const OptionValues& given, const LoopRun& run, const MeasurementPlan& plan)
{
    const CurveSpecification& curve = *run.curve;
    const Routing routing = routing_of_curve(curve);
    ClosedLoopResult result =
        measure_closed_loop(curve.network, routing, {run.hardware, curve.ports, curve.model},
                            loop_of(given, run), classes_of(given), plan);
    result.topology = curve.topology;
    result.routing = curve.routing;
    result.routing_taken = routing.name;
    result.selection = selection_taken(routing, run.hardware);
    result.pattern = curve.pattern;
    result.vcs = run.hardware.vcs;
    result.request_flits = curve.packet_flits;
    result.reply_flits = given.text("reply-flits");
    result.seed = curve.seed;
    return result;
}

/// One for each curve and number of requests. What would be found out in a worker is found out now.
std::vector<LoopRun> runs_of(const OptionValues& given, const std::vector<CurveSpecification>& curves)
{
    std::vector<LoopRun> runs;
    std::vector<unsigned> needs; // by run: virtual channels
    RoutingRemarks remarks;
    unsigned most = 1;
    for (const CurveSpecification& curve : curves) {
        const Routing routing = routing_of_curve(curve);
        const MessageVcs vcs = message_vcs(curve.hardware.vcs, reply_vcs_of(given));
        between_interfaces(curve.network, routing, classes_of(given), vcs);
        check_selection(curve.network, routing, curve.hardware);
        const unsigned needed = vc_classes_of(routing, classes_of(given), vcs);
        if (curve.as_many_vcs_as_needed)
            most = std::max({most, curve.hardware.vcs, needed});
        for (const std::uint32_t outstanding : outstanding_of(given.text("closed-loop"))) {
            loop_of(given, runs.emplace_back(LoopRun{&curve, outstanding, curve.hardware}));
            needs.push_back(needed);
        }
        remarks.add(curve.network, routing);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const CurveSpecification& curve = *runs[i].curve;
        HardwareConfig& hardware = runs[i].hardware;
        if (curve.as_many_vcs_as_needed)
            hardware.vcs = most;
        hardware.validate();
        if (hardware.vcs < needs[i])
            throw std::invalid_argument(
                fmt::format("{}: routing {} needs {} virtual channels for requests and replies, there are {}",
                            curve.topology, curve.routing, needs[i], hardware.vcs));
        require_parts(curve.model, curve.network, hardware);
        remark_hardware(curve.network, hardware);
    }
    print_remarks();
    return runs;
}

} // namespace

unsigned reply_vcs_of(const OptionValues& given)
{
    const unsigned vcs = given.small_count("reply-vcs");
    if (vcs > 0 && !given_vcs(given.text("vcs")))
        throw std::invalid_argument(
            "--reply-vcs: of as many virtual channels as --vcs says; it is not given");
    if (given.count("message-classes") == 1)
        refuse_given(given, {"reply-vcs"},
                     "not with --message-classes 1, where replies have none of their own");
    return vcs;
}

OptionTable closed_loop_options()
{
    return option_table(
        "Requests and replies",
        {{"closed-loop", text_value("N[,N...]").parsed_by(outstanding_of),
          "requests and replies: each processor keeps N requests outstanding; --packet-flits is the size of "
          "a request"},
         {"reply-flits",
          text_value("SIZES", "8").parsed_by(make_message_sizes),
          "flits per reply",
          {"closed-loop"}},
         {"service-cycles",
          count_value(1, {1, 1'000'000}),
          "cycles from a request's arrival to its reply",
          {"closed-loop", "trace"}},
         {"reply-queue",
          count_value(4, {1, 1'000'000}),
          "requests that a processor accepts before it has replied",
          {"closed-loop", "trace"}},
         {"reply-vcs",
          count_value(0, {0, most_vcs}),
          "virtual channels of each link for replies, of the --vcs; 0: half of them",
          {"closed-loop", "trace"}},
         {"message-classes",
          count_value(2, {1, 2}),
          "2: separate virtual channels for requests and replies; 1: shared, which can deadlock",
          {"closed-loop"}}});
}

int run_closed_loop(const OptionValues& given, const std::vector<CurveSpecification>& curves,
                    const CurveOptions& options)
{
    const std::vector<LoopRun> runs = runs_of(given, curves);
    if (wants_packets(given) && runs.size() != 1)
        throw std::invalid_argument(
            "--packet-log, --flows and --histogram: of one run, so one curve and one --closed-loop");
    MeasurementPlan plan = options.plan;
    std::vector<Job> jobs;
    for (const LoopRun& run : runs)
        jobs.emplace_back([&, run] { return for_parent(measure(given, run, plan)); });
    std::vector<ClosedLoopResult> results;
    {
        ProgressLine progress("traffic");
        WorkerOptions workers = options.workers;
        workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        with_packet_records(given, [&](const PacketRecords& records) {
            plan.records = records;
            for (const nlohmann::json& result : run_jobs(jobs, workers))
                results.push_back(from_worker<ClosedLoopResult>(result));
        });
    }
    if (wants_packets(given))
        write_packet_tables(given, results.front().flows, results.front().histogram);
    // They may be large, and no table has them.
    std::vector<FlowLatency> flows = std::exchange(results.front().flows, {});
    const Table table = table_of("Requests and replies", results);
    if (given.is_on("json"))
        results.front().flows = std::move(flows);
    write_table(given, "csv", table);
    bool has_stall = false;
    print_result(ClosedLoopResults{results}, given, [&] {
        print_text(std::cout, fold_constant_columns(table));
        print_routings_taken(results);
        for (const ClosedLoopResult& result : results)
            if (result.stall)
                print_below(stall_table(*result.stall));
    });
    for (const ClosedLoopResult& result : results)
        has_stall = has_stall || result.stall;
    return has_stall ? check_failed : all_is_well;
}

} // namespace nocturne::cli
