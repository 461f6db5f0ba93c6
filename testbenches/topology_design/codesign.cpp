#include "testbenches/topology_design/codesign.hpp"

#include "models/measures/latency.hpp"
#include "models/measures/moore_bound.hpp"
#include "models/measures/wires.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/design/edge_exchange.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/design/conceptual_networks.hpp"
#include "sim/replay/replay.hpp"
#include "testbenches/driver/measured.hpp"
#include "testbenches/topology_design/designs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace nocturne::topology_design {
namespace {

Problem scatter_on(const Topology& topology)
{
    return {topology, alltoall({static_cast<std::uint32_t>(topology.processor_count())}), all_port};
}

/// Each message needs the hops of a shortest path, and of all hops the channels carry one each in a step.
/// Links of both directions are two of the channels, so that the bound of one-way links holds for them too.
unsigned moore_steps(const design::Request& request)
{
    const unsigned degree = request.degree(0);
    const auto bound = measures::moore_bound(request.nodes, degree, measures::LinkKind::one_way);
    constexpr double rounding = 1e-9;
    return static_cast<unsigned>(std::ceil(bound.average * (request.nodes - 1) / degree - rounding));
}

struct ConceptualBound {
    std::string network;
    unsigned steps;
};

/// The network with the least bound of all with so many processors and channels.
ConceptualBound least_conceptual_bound(const design::Request& request, unsigned workers)
{
    const std::vector<Topology> networks = conceptual_networks(request.nodes, request.degree(0));
    std::vector<Job> jobs;
    for (const Topology& network : networks)
        jobs.emplace_back([&network] { return nlohmann::json(lower_bound(scatter_on(network)).steps); });
    ConceptualBound least{"", ~0U};
    const std::vector<nlohmann::json> bounds = run_jobs(jobs, {.workers = workers});
    for (std::size_t i = 0; i < networks.size(); ++i)
        if (const auto steps = bounds[i].get<unsigned>(); steps < least.steps)
            least = {networks[i].name(), steps};
    return least;
}

/// ns; nothing if a flit was ever blocked, or a memory is wrong at the end.
std::optional<double> replay_time(const Schedule& schedule, const Topology& topology,
                                  const CodesignOptions& options)
{
    SimulationOptions simulation;
    simulation.message_bytes = options.message_bytes;
    simulation.seed = options.seed;
    const ReplayResult result = replay(schedule, topology, Synchronization::barrier, simulation);
    const bool is_right = result.violations.empty() && !result.run.stall && result.run.memory_ok &&
                          result.run.blocked_cycles == 0;
    return is_right ? std::optional(result.run.time_ns) : std::nullopt;
}

Codesign run_codesign(const CodesignCell& cell, const ConceptualBound& conceptual,
                      const CodesignOptions& options)
{
    Codesign result{.cell = cell,
                    .design = exchange_links(
                        cell.request, cell.objective,
                        {.seed = options.seed, .exchanges = cell.exchanges, .workers = options.workers}),
                    .moore_steps = moore_steps(cell.request),
                    .conceptual = conceptual.network,
                    .conceptual_bound = conceptual.steps};
    const Topology topology = to_topology(cell.request, result.design, result.name());
    const measures::Graph graph = measures::graph_of(topology);
    result.average_hops = measures::hop_latency(graph).average;
    if (!cell.request.positions.empty())
        result.longest_wire = measures::wire_lengths(graph, cell.request.positions).maximum;
    // A symmetric network has schedules of its symmetry, which are searched by orbits of messages.
    const PortfolioResult found =
        find_schedule(scatter_on(topology), {.engine = cell.request.symmetry > 1 ? "symmetry" : "auto",
                                             .budget = cell.search_budget,
                                             .seed = options.seed,
                                             .workers = options.workers});
    if (found.signal != 0)
        throw Interrupted(found.signal);
    result.bound = found.bound.steps;
    if (found.schedule) {
        result.steps = static_cast<unsigned>(found.schedule->steps.size());
        result.time_ns = replay_time(*found.schedule, topology, options);
    }
    return result;
}

/// The columns that do not depend on the machine.
std::vector<Cell> stable_cells(const Codesign& each)
{
    return {each.name(),
            fmt::format("{:.4f}", each.average_hops),
            each.longest_wire > 0 ? Cell(Real{each.longest_wire, 0}) : Cell(),
            std::uint64_t{each.moore_steps},
            std::uint64_t{each.bound},
            each.conceptual,
            std::uint64_t{each.conceptual_bound},
            each.verdict()};
}

const std::vector<Column>& stable_columns()
{
    static const std::vector<Column> columns{
        {"network", "", Align::left}, {"average", "hops"},         {"longest wire", ""},
        {"Moore bound", "steps"},     {"bound", "steps"},          {"best conceptual", "", Align::left},
        {"its bound", "steps"},       {"verdict", "", Align::left}};
    return columns;
}

} // namespace

std::string Codesign::name() const
{
    std::string text = fmt::format("design:{},{}", cell.request.nodes, cell.request.degree(0));
    if (cell.request.kind == measures::LinkKind::one_way)
        text += " one-way";
    if (cell.request.symmetry > 1)
        text += fmt::format(" symmetry {}", cell.request.symmetry);
    if (!cell.arrangement.empty())
        text += fmt::format(" {} {}", cell.arrangement, cell.request.longest_wire);
    return text;
}

std::string Codesign::verdict() const
{
    if (steps && *steps < conceptual_bound)
        return time_ns ? "below every conceptual network" : "the replay was blocked or wrong";
    return moore_steps >= conceptual_bound ? "no network can be below" : "not below";
}

std::vector<CodesignCell> codesign_cells(const nlohmann::json& rows)
{
    using testbench::number_in;
    using testbench::text_in;
    std::vector<CodesignCell> cells;
    for (const nlohmann::json& row : rows) {
        const std::string kind = text_in(row, "kind");
        if (kind != "two-way" && kind != "one-way")
            throw std::invalid_argument(fmt::format("links {}: two-way or one-way", kind));
        CodesignCell cell{request_of(number_in<unsigned>(row, "nodes"), number_in<unsigned>(row, "links"),
                                     text_in(row, "arrangement"), text_in(row, "longest_wire")),
                          text_in(row, "arrangement"), objective_of(text_in(row, "weights")),
                          number_in<std::uint64_t>(row, "exchanges"),
                          std::chrono::seconds(number_in<unsigned>(row, "search_seconds"))};
        cell.request.symmetry = number_in<unsigned>(row, "symmetry");
        design::check_request(cell.request);
        if (kind == "one-way")
            cell.request.kind = measures::LinkKind::one_way;
        cells.push_back(std::move(cell));
    }
    return cells;
}

std::vector<Codesign> run_codesigns(std::span<const CodesignCell> cells, const CodesignOptions& options)
{
    const auto tell = [&](const std::string& what) {
        if (options.on_progress)
            options.on_progress(what);
    };
    std::map<std::pair<unsigned, unsigned>, ConceptualBound> bounds; // by nodes and links
    std::vector<Codesign> result;
    for (const CodesignCell& cell : cells) {
        const std::pair size(cell.request.nodes, cell.request.degree(0));
        if (!bounds.contains(size)) {
            tell(fmt::format("conceptual networks of {} nodes with {} links", size.first, size.second));
            bounds.emplace(size, least_conceptual_bound(cell.request, options.workers));
        }
        tell(fmt::format("co-design {} of {}", result.size() + 1, cells.size()));
        result.push_back(run_codesign(cell, bounds.at(size), options));
    }
    return result;
}

Table codesign_table(std::span<const Codesign> codesigns)
{
    Table table{"Steps of an all-to-all scatter", stable_columns(), {}};
    const auto before_verdict = table.columns.end() - 1;
    table.columns.insert(before_verdict, {{"found", "steps"}, {"replayed", "ns"}});
    for (const Codesign& each : codesigns) {
        std::vector<Cell> row = stable_cells(each);
        row.insert(row.end() - 1, {each.steps ? Cell(std::uint64_t{*each.steps}) : Cell(),
                                   each.time_ns ? Cell(Real{*each.time_ns, 0}) : Cell()});
        table.add_row(std::move(row));
    }
    return table;
}

Table codesign_verdicts(std::span<const Codesign> codesigns)
{
    Table table{"Steps of an all-to-all scatter", stable_columns(), {}};
    for (const Codesign& each : codesigns)
        table.add_row(stable_cells(each));
    return table;
}

} // namespace nocturne::topology_design
