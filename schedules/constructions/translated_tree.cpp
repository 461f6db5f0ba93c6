#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/constructions/translations.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// An edge of the tree from router 0.
struct Edge {
    RouterId from;
    std::size_t generator; ///< its place in CayleyGraph::generators
};

using TreeSteps = std::vector<std::vector<Edge>>;

/// One attempt to grow a tree, with the generators of a step matched to the routers that they inform.
class Growth {
public:
    Growth(const CayleyGraph& graph, std::vector<RouterId> by_urgency)
        : graph_(graph), waiting_(std::move(by_urgency)), is_informed_(waiting_.size() + 1)
    {
        is_informed_[0] = true;
    }

    TreeSteps run(std::size_t ports)
    {
        TreeSteps steps;
        while (!waiting_.empty())
            steps.push_back(next_step(ports));
        return steps;
    }

private:
    static constexpr RouterId nobody = ~0u;

    std::vector<Edge> next_step(std::size_t ports)
    {
        user_.assign(graph_.generators.size(), nobody);
        std::size_t matched = 0;
        for (const RouterId router : waiting_) {
            tried_.assign(graph_.generators.size(), false);
            matched += find_generator(router) ? 1 : 0;
            if (matched == std::min(ports, graph_.generators.size()))
                break;
        }
        std::vector<Edge> edges;
        for (std::size_t g = 0; g < user_.size(); ++g)
            if (user_[g] != nobody)
                edges.push_back({predecessor(user_[g], g), g});
        for (const RouterId router : user_)
            if (router != nobody)
                is_informed_[router] = true;
        std::erase_if(waiting_, [&](RouterId router) { return is_informed_[router]; });
        return edges;
    }

    /// An augmenting path: takes a free generator, or one whose user finds another.
    bool find_generator(RouterId router)
    {
        for (std::size_t g = 0; g < user_.size(); ++g) {
            if (tried_[g] || !is_informed_[predecessor(router, g)])
                continue;
            tried_[g] = true;
            if (user_[g] == nobody || find_generator(user_[g])) {
                user_[g] = router;
                return true;
            }
        }
        return false;
    }

    RouterId predecessor(RouterId router, std::size_t generator) const
    {
        return graph_.group.difference(router, graph_.generators[generator]);
    }

    const CayleyGraph& graph_;
    std::vector<RouterId> waiting_; ///< not informed, the most urgent first
    std::vector<bool> is_informed_; ///< by router, before the step
    std::vector<RouterId> user_;    ///< by generator: whom it informs in the step
    std::vector<bool> tried_;       ///< by generator: in the search for an augmenting path
};

TreeSteps grow_tree(const Topology& topology, const CayleyGraph& graph, std::size_t ports)
{
    const std::size_t routers = topology.router_count();
    const std::size_t per_step = std::min(ports, graph.generators.size());
    const std::vector<std::uint32_t> distances = distances_from(topology, 0);
    SplitMix64 random(1);
    TreeSteps best;
    for (unsigned attempt = 0; attempt < 20; ++attempt) {
        std::vector<RouterId> order(routers - 1);
        std::iota(order.begin(), order.end(), 1U);
        std::shuffle(order.begin(), order.end(), random);
        std::ranges::stable_sort(order, [&](RouterId a, RouterId b) { return distances[a] < distances[b]; });
        TreeSteps steps = Growth(graph, std::move(order)).run(ports);
        if (best.empty() || steps.size() < best.size())
            best = std::move(steps);
        if (best.size() == (routers - 1 + per_step - 1) / per_step)
            break;
    }
    return best;
}

} // namespace

std::optional<Schedule> translated_tree(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const auto processors = processors_of_routers(topology);
    if (!is_among_all(problem.collective, CollectiveKind::allgather) || !processors)
        return std::nullopt;
    const auto graph = find_cayley_graph(topology);
    if (!graph)
        return std::nullopt;

    Schedule schedule = empty_schedule(problem, "construct, translated tree");
    for (const std::vector<Edge>& edges : grow_tree(topology, *graph, common_ports(problem))) {
        Step& step = schedule.steps.emplace_back();
        step.reserve(edges.size() * topology.router_count());
        for (const auto& [from, generator] : edges) {
            const RouterId to = graph->group.sum(from, graph->generators[generator]);
            for (RouterId origin = 0; origin < topology.router_count(); ++origin) {
                const ProcessorId processor = (*processors)[origin];
                const RouterId sender = graph->group.sum(origin, from);
                step.push_back({*find_message(problem.collective, processor, processor),
                                (*processors)[sender], (*processors)[graph->group.sum(origin, to)],
                                Path{graph->channel(sender, generator)}});
            }
        }
    }
    return schedule;
}

} // namespace nocturne
