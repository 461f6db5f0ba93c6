#include "testbenches/fault_recovery/cases.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/report/progress.hpp"
#include "testbenches/fault_recovery/expected_losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne::fault_recovery {

namespace {

const std::string routing = "auto";
const UnscheduledTraffic order{SendOrder::shifted};
constexpr const char* kinds[]{"link", "router", "intermittent"};

bool has_channel(const Topology& topology, RouterId from, RouterId to)
{
    const auto out = topology.channels_from(from);
    return std::any_of(out.begin(), out.end(),
                       [&](ChannelId id) { return topology.channel(id).target == to; });
}

std::string place_of_fault(const Topology& topology, ChannelId id, const std::string& kind)
{
    const Channel& channel = topology.channel(id);
    if (kind == "router")
        return fmt::format("node:{}", topology.router_name(channel.source));
    return fmt::format("{}:{}-{}", has_channel(topology, channel.target, channel.source) ? "link" : "channel",
                       topology.router_name(channel.source), topology.router_name(channel.target));
}

Case make_case(const Problem& problem, const std::string& kind, ChannelId place,
               const Configuration& configuration)
{
    Case each{problem, std::nullopt, kind, "", {}, {}};
    each.options.simulation.message_bytes = configuration.bytes;
    each.options.simulation.ports = problem.ports;
    each.options.faults = {place_of_fault(problem.topology, place, kind)};
    return each;
}

void set_time(Case& each, const std::string& when, double fault_ns, const Configuration& configuration)
{
    each.when = when;
    each.options.fault_ns = fault_ns;
    each.options.until_ns = each.kind == "intermittent" ? fault_ns + configuration.intermittent_ns : 0;
}

/// In the middle of the longest path of a step, so that the fault meets something.
ChannelId channel_of_step(const Step& transfers)
{
    const auto longest =
        std::max_element(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
            return a.path->size() < b.path->size();
        });
    return (*longest->path)[longest->path->size() / 2];
}

std::vector<Case> scheduled_cases(const Problem& problem, const Configuration& configuration)
{
    const PortfolioResult found = find_schedule(problem);
    if (!found.schedule || !found.is_optimal)
        throw std::runtime_error(fmt::format("{}: no optimal schedule was found", describe(problem)));
    const Schedule& schedule = *found.schedule;
    std::vector<Case> cases;
    for (const char* kind : kinds)
        for (const auto& [when, step] : {std::pair<std::string, std::size_t>{"first", 0},
                                         {"middle", schedule.steps.size() / 2},
                                         {"last", schedule.steps.size() - 1}}) {
            Case each = make_case(problem, kind, channel_of_step(schedule.steps[step]), configuration);
            each.schedule = schedule;
            set_time(each, when, middle_of_step_ns(schedule, step, problem.topology, {}, configuration.bytes),
                     configuration);
            for (const LostTransfer& lost : expected_losses(schedule, problem.topology, each.options))
                each.counted.push_back(fmt::format("{}>{}", lost.source, lost.destination));
            std::sort(each.counted.begin(), each.counted.end());
            cases.push_back(std::move(each));
        }
    return cases;
}

/// By the routes alone.
ChannelId busiest_channel(const Problem& problem)
{
    const Routing routes = make_routing(problem.topology, routing);
    std::vector<std::size_t> crossings(problem.topology.channel_count());
    for (const Message& message : problem.collective.messages())
        for (const ProcessorId receiver : message.receivers)
            for (const Hop& hop : routes.route(message.origin, receiver))
                ++crossings[hop.channel];
    return static_cast<ChannelId>(std::max_element(crossings.begin(), crossings.end()) - crossings.begin());
}

/// While which times a channel is held, in the order in which they begin.
std::vector<ChannelOccupancy> occupancy_of(const RunResult& run, ChannelId id)
{
    std::vector<ChannelOccupancy> boxes;
    std::copy_if(run.occupancy.begin(), run.occupancy.end(), std::back_inserter(boxes),
                 [&](const ChannelOccupancy& box) { return box.link == id; });
    std::stable_sort(boxes.begin(), boxes.end(), [](const ChannelOccupancy& a, const ChannelOccupancy& b) {
        return a.begin_ns < b.begin_ns;
    });
    return boxes;
}

/// The hardware depends on the fault, since it has virtual channels for the ways around it: one run without
/// it for each kind.
std::vector<Case> unscheduled_cases(const Problem& problem, const Configuration& configuration)
{
    const ChannelId place = busiest_channel(problem);
    std::vector<Case> of_kinds;
    std::vector<Job> jobs;
    for (const char* kind : kinds) {
        of_kinds.push_back(make_case(problem, kind, place, configuration));
        set_time(of_kinds.back(), "", 0, configuration);
    }
    for (const Case& each : of_kinds)
        jobs.emplace_back([&] {
            return nlohmann::json(
                run_without_fault(problem.topology, problem.collective, routing, order, each.options));
        });
    const std::vector<nlohmann::json> runs = run_jobs(jobs);
    std::vector<Case> cases;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto run = runs[i].get<RunResult>();
        const auto boxes = occupancy_of(run, place);
        for (const auto& [when, box] : {std::pair<std::string, ChannelOccupancy>{"first", boxes.front()},
                                        {"middle", boxes[boxes.size() / 2]},
                                        {"last", boxes.back()}}) {
            Case each = of_kinds[i];
            set_time(each, when, std::floor((box.begin_ns + box.end_ns) / 2), configuration);
            each.counted = expected_losses(run, problem.topology, each.options);
            cases.push_back(std::move(each));
        }
    }
    return cases;
}

RecoveryResult recover_case(const Case& each)
{
    return each.schedule ? recover(*each.schedule, each.problem.topology, each.options)
                         : recover_unscheduled(each.problem.topology, each.problem.collective, routing, order,
                                               each.options);
}

} // namespace

std::string Case::traffic() const
{
    return schedule ? "schedule" : to_string(order);
}

std::vector<Case> cases_of(const Configuration& configuration)
{
    std::vector<Case> cases;
    for (const std::string& network : configuration.networks) {
        const Topology topology = make_topology(network);
        const auto processors = static_cast<std::uint32_t>(topology.processor_count());
        for (const Collective& collective : {alltoall({processors}), allgather({processors})}) {
            const Problem problem = make_problem(topology, collective);
            for (auto* const make : {scheduled_cases, unscheduled_cases})
                for (Case& each : make(problem, configuration))
                    cases.push_back(std::move(each));
        }
    }
    return cases;
}

void run_cases(std::vector<Case>& cases)
{
    std::vector<Job> jobs;
    for (const Case& each : cases)
        jobs.emplace_back([&each] { return nlohmann::json(recover_case(each)); });
    ProgressLine progress("recovery");
    WorkerOptions workers;
    workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
    for (std::size_t i = 0; i < cases.size(); ++i)
        cases[i].result = results[i].get<RecoveryResult>();
}

} // namespace nocturne::fault_recovery
