#include "models/measures/measures.hpp"

#include "models/measures/connectivity.hpp"
#include "models/measures/metis_bisection.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::measures {

namespace {

/// Seconds of a step, as measured on one core of an AMD EPYC, on rings, tori, hypercubes, trees and De Bruijn
/// digraphs of up to 1024 nodes.
constexpr double second_per_search_step = 2.5e-9;
constexpr double second_per_path_step = 5e-9;
constexpr double second_per_flow_step = 3.5e-9;
constexpr double second_per_contention_step = 33e-9;

class Measurement {
public:
    Measurement(const Graph& graph, const MeasureOptions& options)
        : graph_(graph), options_(options), nodes_(graph.node_count()), arcs_(graph.arc_count())
    {
    }

    Measures run()
    {
        measures_.nodes = graph_.node_count();
        measures_.processors = graph_.processor_count();
        measures_.links = links_of(graph_).size();
        measures_.latency = hop_latency(graph_);
        measures_.smallest_degree = smallest_degree(graph_);
        add_bound();
        add_wires();
        add_connectivity();
        add_bisection();
        if (is_feasible("contention", second_per_contention_step * processors() * arcs_))
            measures_.contention = moderate_contention(graph_);
        if (is_feasible("spread of paths",
                        second_per_path_step *
                            path_steps(graph_, options_.most_seconds / second_per_path_step)))
            measures_.spread = path_spread(graph_);
        const SearchSteps steps = search_steps(graph_, levels());
        const double search = second_per_search_step * std::min(steps.wide, steps.single);
        if (is_feasible("single node faults", nodes_ * search))
            measures_.single_faults = single_node_faults(graph_);
        if (is_feasible("random faults", options_.faults.draws * search))
            measures_.random_faults = random_faults(graph_, options_.faults);
        return std::move(measures_);
    }

private:
    double processors() const { return static_cast<double>(graph_.processor_count()); }
    double levels() const
    {
        return measures_.latency.maximum == infinite ? nodes_ : measures_.latency.maximum + 1;
    }

    bool is_feasible(const char* measure, double seconds)
    {
        if (seconds > options_.most_seconds)
            measures_.left_out.push_back(fmt::format("{}: the network is too large ({} routers, {} channels)",
                                                     measure, graph_.node_count(), graph_.arc_count()));
        return seconds <= options_.most_seconds;
    }

    void add_bound()
    {
        std::size_t degree = 0;
        bool is_one_each = graph_.is_direct();
        for (NodeId node = 0; node < graph_.node_count(); ++node) {
            degree = std::max(degree, graph_.arcs_from(node).size());
            is_one_each = is_one_each && graph_.injecting(node) == 1;
        }
        if (is_one_each)
            measures_.bound =
                moore_bound(graph_.node_count(), degree,
                            graph_.is_bidirectional() ? LinkKind::bidirectional : LinkKind::one_way);
        else
            measures_.left_out.emplace_back("bounds: not every router has exactly one processor");
    }

    void add_wires()
    {
        if (!options_.positions.empty())
            measures_.wires = wire_lengths(graph_, options_.positions);
        else if (!graph_.lengths().empty())
            measures_.wires = wire_lengths(graph_);
        else
            measures_.left_out.emplace_back("wires: neither positions nor lengths are known");
    }

    void add_connectivity()
    {
        const double degree = arcs_ / std::max(nodes_, 1.0);
        // A flow takes some three searches; between all pairs unless processors inject where they are
        // ejected.
        const double sources = graph_.is_direct() ? (graph_.is_bidirectional() ? 1 : 2) : nodes_;
        if (is_feasible("edge connectivity", 3 * second_per_flow_step * sources * nodes_ * arcs_))
            measures_.edge_connectivity = edge_connectivity(graph_);
        const double flows = graph_.is_direct() ? sources * (degree + 1) * nodes_ : sources * nodes_;
        if (is_feasible("vertex connectivity", 3 * second_per_flow_step * flows * (arcs_ + nodes_)))
            measures_.vertex_connectivity = vertex_connectivity(graph_);
    }

    void add_bisection()
    {
        std::size_t nodes = 0;
        for (NodeId node = 0; node < graph_.node_count(); ++node)
            nodes += graph_.injecting(node) > 0;
        if (!graph_.is_direct())
            measures_.left_out.emplace_back(
                "bisection: processors inject and are ejected at different routers");
        else if (nodes < 2)
            measures_.left_out.emplace_back("bisection: fewer than two routers have processors");
        else {
            measures_.bisection = bisection(graph_, options_.bisection);
            if (const std::optional<Bisection> found = metis_bisection(graph_, options_.bisection))
                measures_.metis_bisection = found->links;
        }
    }

    const Graph& graph_;
    const MeasureOptions& options_;
    double nodes_;
    double arcs_;
    Measures measures_;
};

} // namespace

Measures measure(const Graph& graph, const MeasureOptions& options)
{
    return Measurement(graph, options).run();
}

} // namespace nocturne::measures
