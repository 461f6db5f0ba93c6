#include "models/measures/metis_bisection.hpp"

#ifdef NOCTURNE_METIS
#include <metis.h>
#endif

#include <array>

namespace nocturne::measures {

#ifdef NOCTURNE_METIS

namespace {

/// The links of a graph in the rows that METIS reads, self-loops left out; parallel links stay.
struct MetisRows {
    std::vector<idx_t> begin{0};
    std::vector<idx_t> neighbours;
    std::vector<idx_t> weights; // of the nodes
};

MetisRows metis_rows(const Graph& graph)
{
    MetisRows rows;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const auto add = [&](NodeId other) {
            if (other != node)
                rows.neighbours.push_back(static_cast<idx_t>(other));
        };
        for (const NodeId other : graph.successors(node))
            add(other);
        for (const ArcId id : graph.arcs_to(node))
            if (graph.opposite(id) == no_arc) // a one-way channel is a link at its target, too
                add(graph.arc(id).source);
        rows.begin.push_back(static_cast<idx_t>(rows.neighbours.size()));
        rows.weights.push_back(static_cast<idx_t>(graph.injecting(node)));
    }
    return rows;
}

} // namespace

std::optional<Bisection> metis_bisection(const Graph& graph, const BisectionEffort& effort)
{
    check_bisection(graph, effort);
    MetisRows rows = metis_rows(graph);
    auto nodes = static_cast<idx_t>(graph.node_count());
    idx_t constraints = 1, parts = 2, links = 0;
    // 60 % of the processors instead of 50, or no more than rounding takes.
    real_t imbalance = effort.evenness == Evenness::halves ? 1.001f : 1.2f;
    const std::uint64_t least = smallest_part(graph, effort.evenness);
    std::array<idx_t, METIS_NOPTIONS> options;
    METIS_SetDefaultOptions(options.data());
    std::optional<Bisection> best;
    std::vector<idx_t> part(graph.node_count());
    for (std::uint32_t start = 0; start < effort.starts; ++start) {
        options[METIS_OPTION_SEED] = static_cast<idx_t>((effort.seed + start) % 1'000'000'007);
        if (METIS_PartGraphRecursive(&nodes, &constraints, rows.begin.data(), rows.neighbours.data(),
                                     rows.weights.data(), nullptr, nullptr, &parts, nullptr, &imbalance,
                                     options.data(), &links, part.data()) != METIS_OK)
            continue;
        Bisection found{.is_in_first = std::vector<bool>(part.begin(), part.end()),
                        .evenness = effort.evenness,
                        .smallest_part = least};
        found.links = links_between(graph, found.is_in_first);
        std::array<std::uint64_t, 2> weight{};
        for (NodeId node = 0; node < graph.node_count(); ++node)
            weight[found.is_in_first[node]] += graph.injecting(node);
        if (weight[0] >= least && weight[1] >= least && (!best || found.links < best->links))
            best = std::move(found);
    }
    return best;
}

#else

std::optional<Bisection> metis_bisection(const Graph& graph, const BisectionEffort& effort)
{
    check_bisection(graph, effort);
    return std::nullopt;
}

#endif

} // namespace nocturne::measures
