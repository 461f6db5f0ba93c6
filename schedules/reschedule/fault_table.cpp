#include "schedules/reschedule/fault_table.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/faults.hpp"
#include "schedules/reschedule/translate.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

constexpr std::array kind_names{"link", "channel", "node", "link-pairs"}; // as in FaultKind

/// Pairs of routers that some channel joins, in the order of channels, each once.
std::vector<std::pair<RouterId, RouterId>> joined_pairs(const Topology& topology)
{
    std::vector<std::pair<RouterId, RouterId>> pairs;
    std::set<std::pair<RouterId, RouterId>> seen;
    for (const Channel& channel : topology.channels())
        if (seen.emplace(channel.source, channel.target).second)
            pairs.emplace_back(channel.source, channel.target);
    return pairs;
}

/// The fault of that name, if it is read as the one that is meant: `a-b-c` joins a to b-c, or a-b to c.
FaultSet fault_named(const Topology& topology, std::string_view kind, RouterId from, RouterId to)
{
    FaultSet fault{fmt::format("{}:{}-{}", kind, topology.router_name(from), topology.router_name(to))};
    const Faults parsed = parse_faults(topology, fault);
    const Channel& channel = topology.channel(parsed.channels.front());
    if (channel.source != from || channel.target != to)
        throw std::invalid_argument(
            fmt::format("{}: '{}' can be read in two ways", topology.name(), fault.front()));
    return fault;
}

std::vector<FaultSet> all_links(const Topology& topology)
{
    const auto pairs = joined_pairs(topology);
    const std::set<std::pair<RouterId, RouterId>> joined(pairs.begin(), pairs.end());
    std::vector<FaultSet> faults;
    std::set<std::pair<RouterId, RouterId>> seen;
    for (const auto& [from, to] : pairs)
        if (joined.contains({to, from}) && seen.insert(std::minmax(from, to)).second)
            faults.push_back(fault_named(topology, "link", from, to));
    return faults;
}

std::vector<FaultSet> faults_of(const Topology& topology, FaultKind kind)
{
    std::vector<FaultSet> faults;
    switch (kind) {
    case FaultKind::link:
        return all_links(topology);
    case FaultKind::channel:
        for (const auto& [from, to] : joined_pairs(topology))
            faults.push_back(fault_named(topology, "channel", from, to));
        break;
    case FaultKind::node:
        for (RouterId id = 0; id < topology.router_count(); ++id)
            faults.push_back({fmt::format("node:{}", topology.router_name(id))});
        break;
    case FaultKind::link_pairs: {
        const std::vector<FaultSet> links = all_links(topology);
        for (std::size_t i = 0; i < links.size(); ++i)
            for (std::size_t j = i + 1; j < links.size(); ++j)
                faults.push_back({links[i].front(), links[j].front()});
        break;
    }
    }
    return faults;
}

nlohmann::json to_json(const RescheduleResult& result)
{
    nlohmann::json json{{"bound", result.bound.steps}, {"seconds", result.seconds}};
    if (!result.schedule)
        return json;
    json["steps"] = result.schedule->steps.size();
    json["engine"] = result.engine;
    json["changes"] = {result.changes.kept, result.changes.changed, result.changes.dropped,
                       result.changes.added};
    return json;
}

FaultCell cell_of(const nlohmann::json& json)
{
    FaultCell cell;
    cell.lower_bound = json["bound"].get<unsigned>();
    cell.seconds = json["seconds"].get<double>();
    if (!json.contains("steps"))
        return cell;
    cell.steps = json["steps"].get<std::size_t>();
    cell.engine = json["engine"].get<std::string>();
    const auto changes = json["changes"].get<std::array<std::size_t, 4>>();
    cell.changes = {changes[0], changes[1], changes[2], changes[3]};
    return cell;
}

/// The network and collectives without the fault, as far as there are any: what cannot be scheduled is known
/// at once.
FaultRow row_of(const FaultTable& table, FaultSet faults)
{
    FaultRow row{std::move(faults), {}, {}};
    const auto reason_of = [](auto attempt) -> std::string {
        try {
            attempt();
            return {};
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
    };
    std::optional<Topology> rest;
    row.disconnection = reason_of([&] { rest = with_faults(table.topology, row.faults); });
    if (!rest)
        return row;
    for (const Problem& problem : table.problems)
        row.cells.emplace_back().refusal = reason_of([&] {
            check({*rest, surviving_collective(problem.collective, table.topology, *rest), problem.ports,
                   problem.switching, problem.slack});
        });
    // A part that is cut off may take no part, or be reached over relays.
    if (std::ranges::none_of(row.cells, [](const FaultCell& cell) { return cell.refusal.empty(); }))
        row.disconnection = reason_of([&] { require_connected(*rest); });
    if (!row.disconnection.empty())
        row.cells.clear();
    return row;
}

void require_one_network(std::span<const Problem> problems)
{
    if (problems.empty())
        throw std::invalid_argument("a fault table without a collective");
    for (const Problem& problem : problems) {
        if (problem.topology != problems.front().topology)
            throw std::invalid_argument(fmt::format("a fault table of two networks: {} and {}",
                                                    problems.front().topology.name(),
                                                    problem.topology.name()));
    }
}

void schedule_without_faults(FaultTable& table, const FaultTableOptions& options)
{
    const PortfolioOptions search{.budget = options.reschedule.budget,
                                  .seed = options.reschedule.seed,
                                  .workers = options.workers,
                                  .on_progress = options.reschedule.on_progress};
    for (const Problem& problem : table.problems) {
        PortfolioResult found = find_schedule(problem, search);
        if (found.signal != 0)
            throw Interrupted(found.signal);
        if (!found.schedule)
            throw std::runtime_error(
                fmt::format("{}: no schedule found in the budget, so there is nothing to re-schedule",
                            describe(problem)));
        table.before.push_back(std::move(found));
    }
}

} // namespace

FaultKind parse_fault_kind(std::string_view text)
{
    return value_named("kind of faults", text,
                       {FaultKind::link, FaultKind::channel, FaultKind::node, FaultKind::link_pairs});
}

std::string to_string(FaultKind kind)
{
    return kind_names[static_cast<std::size_t>(kind)];
}

std::vector<FaultSet> all_faults(const Topology& topology, FaultKind kind)
{
    std::vector<FaultSet> faults = faults_of(topology, kind);
    if (faults.empty())
        throw std::invalid_argument(
            fmt::format("{}: there are no faults of kind {}", topology.name(), to_string(kind)));
    return faults;
}

FaultSummary summarize(const FaultTable& table, std::size_t problem)
{
    FaultSummary summary;
    const auto transfers = static_cast<double>(count_transfers(*table.before[problem].schedule));
    for (const FaultRow& row : table.rows) {
        if (!row.disconnection.empty()) {
            ++summary.disconnected;
            continue;
        }
        const FaultCell& cell = row.cells[problem];
        summary.refused += cell.refusal.empty() ? 0 : 1;
        summary.unsolved += cell.refusal.empty() && !cell.steps ? 1 : 0;
        if (!cell.steps)
            continue;
        ++summary.scheduled;
        ++summary.cells_by_steps[*cell.steps];
        summary.optimal += cell.is_optimal() ? 1 : 0;
        summary.worst = std::max(summary.worst, *cell.steps);
        summary.worst_seconds = std::max(summary.worst_seconds, cell.seconds);
        summary.mean += static_cast<double>(*cell.steps);
        summary.mean_seconds += cell.seconds;
        summary.kept += static_cast<double>(cell.changes.kept) / transfers;
    }
    if (const auto count = static_cast<double>(summary.scheduled); count > 0)
        for (double* const sum : {&summary.mean, &summary.mean_seconds, &summary.kept})
            *sum /= count;
    return summary;
}

FaultTable fault_table(std::span<const Problem> problems, FaultKind kind, const FaultTableOptions& options)
{
    require_one_network(problems);
    FaultTable table{problems.front().topology, kind, {problems.begin(), problems.end()}, {}, {}};
    std::vector<FaultSet> faults = all_faults(table.topology, kind);
    schedule_without_faults(table, options);
    for (FaultSet& fault : faults)
        table.rows.push_back(row_of(table, std::move(fault)));

    std::vector<Job> jobs;
    std::vector<FaultCell*> cells; // by job
    for (FaultRow& row : table.rows)
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (!row.cells[i].refusal.empty())
                continue;
            cells.push_back(&row.cells[i]);
            jobs.emplace_back([&table, &options, &row, i] {
                RescheduleOptions reschedule_options = options.reschedule;
                reschedule_options.workers = 1;
                reschedule_options.on_progress = {};
                return to_json(
                    reschedule(*table.before[i].schedule, table.topology, row.faults, reschedule_options));
            });
        }
    const std::vector<nlohmann::json> results =
        run_jobs(jobs, {.workers = options.workers, .on_progress = options.on_progress});
    for (std::size_t i = 0; i < results.size(); ++i)
        *cells[i] = cell_of(results[i]);
    return table;
}

} // namespace nocturne
