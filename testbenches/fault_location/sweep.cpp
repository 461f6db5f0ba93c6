#include "testbenches/fault_location/sweep.hpp"

#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/recovery/recovery.hpp"
#include "sim/report/columns.hpp"
#include "sim/report/progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace nocturne::fault_location {

namespace {

const std::string routing = "auto";
const UnscheduledTraffic order{SendOrder::shifted};

/// A fault as options have it, and what recovery must call it.
struct Fault {
    std::string text;
    std::set<std::string> names;
};

std::set<std::string> names_of(const Topology& topology, const std::string& fault)
{
    const Faults faults = parse_faults(topology, {&fault, 1});
    std::set<std::string> names;
    for (const ChannelId id : faults.channels)
        names.insert(fmt::format("channel {}->{}", topology.router_name(topology.channel(id).source),
                                 topology.router_name(topology.channel(id).target)));
    for (const RouterId id : faults.routers)
        names.insert(fmt::format("router {}", topology.router_name(id)));
    return names;
}

bool is_recoverable(const Topology& topology, const std::string& fault)
{
    try {
        require_connected(with_faults(topology, {&fault, 1}));
        return true;
    } catch (const std::invalid_argument&) {
        return false; // it cuts processors off from each other
    }
}

/// Every channel, link and router.
std::vector<Fault> all_faults(const Topology& topology)
{
    std::set<std::string> texts;
    for (const Channel& channel : topology.channels()) {
        const std::string& from = topology.router_name(channel.source);
        const std::string& to = topology.router_name(channel.target);
        texts.insert(fmt::format("channel:{}-{}", from, to));
        const auto back = topology.channels_from(channel.target);
        if (channel.source < channel.target && std::any_of(back.begin(), back.end(), [&](ChannelId id) {
                return topology.channel(id).target == channel.source;
            }))
            texts.insert(fmt::format("link:{}-{}", from, to));
    }
    for (RouterId id = 0; id < topology.router_count(); ++id)
        texts.insert("node:" + topology.router_name(id));
    std::vector<Fault> faults;
    for (const std::string& text : texts)
        if (is_recoverable(topology, text))
            faults.push_back({text, names_of(topology, text)});
    return faults;
}

/// One network under one kind of traffic.
struct Scene {
    Topology topology;
    Problem problem;
    std::optional<Schedule> schedule; ///< nothing: messages are sent without one
    std::vector<double> times_ns;     ///< of the faults
    RecoveryOptions options;
};

Scene scheduled_scene(const Problem& problem, const RecoveryOptions& options)
{
    Scene scene{problem.topology, problem, find_schedule(problem).schedule, {}, options};
    if (!scene.schedule)
        throw std::runtime_error(fmt::format("{}: no schedule was found", describe(problem)));
    const std::size_t steps = scene.schedule->steps.size();
    for (const std::size_t step : {std::size_t{0}, steps / 2, steps - 1})
        scene.times_ns.push_back(middle_of_step_ns(*scene.schedule, step, problem.topology,
                                                   options.simulation.hardware,
                                                   options.simulation.message_bytes));
    return scene;
}

Scene unscheduled_scene(const Problem& problem, const RecoveryOptions& options, const Fault& any)
{
    Scene scene{problem.topology, problem, std::nullopt, {}, options};
    const Job job = [&] {
        RecoveryOptions undisturbed = options;
        undisturbed.faults = {any.text};
        return nlohmann::json(
            run_without_fault(problem.topology, problem.collective, routing, order, undisturbed));
    };
    const double time_ns = run_jobs({&job, 1}).front().get<RunResult>().time_ns;
    for (const double part : {0.2, 0.5, 0.8})
        scene.times_ns.push_back(std::floor(part * time_ns));
    return scene;
}

RecoveryResult recover_from(const Scene& scene, const Fault& fault, double time_ns)
{
    RecoveryOptions options = scene.options;
    options.faults = {fault.text};
    options.fault_ns = time_ns;
    return scene.schedule
               ? recover(*scene.schedule, scene.topology, options)
               : recover_unscheduled(scene.topology, scene.problem.collective, routing, order, options);
}

void count(Tally& tally, const Fault& fault, double time_ns, const RecoveryResult& result)
{
    ++tally.runs;
    const auto fail = [&](const std::string& what) {
        tally.wrong.push_back(
            fmt::format("{} {}, {} at {} ns: {}", tally.network, tally.traffic, fault.text, time_ns, what));
    };
    if (!result.memory_ok || result.duplicates != 0)
        fail(fmt::format("{} of {} messages are right", result.messages_delivered, result.messages_owed));
    if (result.lost.empty()) {
        ++tally.unnoticed;
        return;
    }
    tally.probes += result.probes;
    tally.most_probes = std::max<std::size_t>(tally.most_probes, result.probes);
    if (std::set<std::string>(result.located.begin(), result.located.end()) == fault.names)
        ++tally.located;
    else
        fail(fmt::format("located as {}", fmt::join(result.located, ", ")));
}

Tally run_scene(const Scene& scene, const std::vector<Fault>& faults, ProgressLine& progress)
{
    Tally tally;
    tally.network = scene.topology.name();
    tally.traffic = scene.schedule ? "schedule" : to_string(order);
    tally.faults = faults.size();
    std::vector<Job> jobs;
    for (const Fault& fault : faults)
        for (const double time_ns : scene.times_ns)
            jobs.emplace_back(
                [&scene, &fault, time_ns] { return nlohmann::json(recover_from(scene, fault, time_ns)); });
    WorkerOptions workers;
    workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
    for (std::size_t i = 0; i < results.size(); ++i)
        count(tally, faults[i / scene.times_ns.size()], scene.times_ns[i % scene.times_ns.size()],
              results[i].get<RecoveryResult>());
    return tally;
}

} // namespace

std::vector<Tally> sweep(const LocationSweep& configuration)
{
    ProgressLine progress("fault location");
    std::vector<Tally> tallies;
    for (const std::string& network : configuration.networks) {
        if (!configuration.only.empty() && configuration.only != network)
            continue;
        const Topology topology = make_topology(network);
        const Problem problem =
            make_problem(topology, alltoall({static_cast<std::uint32_t>(topology.processor_count())}));
        RecoveryOptions options;
        options.simulation.message_bytes = configuration.bytes;
        options.simulation.ports = problem.ports;
        const std::vector<Fault> faults = all_faults(topology);
        if (faults.empty())
            throw std::invalid_argument(fmt::format("{}: every fault cuts processors off", network));
        tallies.push_back(run_scene(scheduled_scene(problem, options), faults, progress));
        tallies.push_back(run_scene(unscheduled_scene(problem, options, faults.front()), faults, progress));
    }
    if (tallies.empty())
        throw std::invalid_argument(fmt::format("--only {}: none of the networks", configuration.only));
    return tallies;
}

Table tally_table(const std::vector<Tally>& tallies)
{
    const auto mean_probes = [](const Tally& tally) {
        const std::size_t noticed = tally.runs - tally.unnoticed;
        return noticed == 0 ? 0 : static_cast<double>(tally.probes) / static_cast<double>(noticed);
    };
    return table_of("Every single fault, located from the outside", tallies,
                    {{"network", "", &Tally::network},
                     {"traffic", "", &Tally::traffic},
                     {"faults", "", &Tally::faults},
                     {"runs", "", &Tally::runs},
                     {"unnoticed", "", &Tally::unnoticed},
                     {"located", "", &Tally::located},
                     {"wrong", "", [](const Tally& tally) { return tally.wrong.size(); }},
                     {"mean probes", "", mean_probes, 1},
                     {"most probes", "", &Tally::most_probes}});
}

} // namespace nocturne::fault_location
