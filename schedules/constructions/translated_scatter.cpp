#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/constructions/translations.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// How often each generator is in a path: by its place in CayleyGraph::generators.
using HopCounts = std::vector<unsigned>;

/// Shortest paths from router 0 to every other one that share the generators out evenly.
class EvenPaths {
public:
    explicit EvenPaths(const CayleyGraph& graph, std::size_t routers)
        : graph_(graph), distance_(routers, nowhere), paths_(routers, HopCounts(graph.generators.size(), 0)),
          load_(graph.generators.size(), 0)
    {
        distance_[0] = 0;
        by_distance_.push_back(0);
        for (std::size_t i = 0; i < by_distance_.size(); ++i)
            for (const RouterId generator : graph_.generators) {
                const RouterId next = graph_.group.sum(by_distance_[i], generator);
                if (distance_[next] != nowhere)
                    continue;
                distance_[next] = distance_[by_distance_[i]] + 1;
                by_distance_.push_back(next);
            }
    }

    bool reach_all() const { return by_distance_.size() == distance_.size(); }
    std::uint64_t hops() const
    {
        return std::accumulate(distance_.begin(), distance_.end(), std::uint64_t{0});
    }

    /// By router.
    std::vector<HopCounts> find()
    {
        constexpr unsigned most_passes = 12;
        bool has_changed = true;
        for (unsigned pass = 0; pass < most_passes && has_changed; ++pass) {
            has_changed = false;
            for (std::size_t i = 1; i < by_distance_.size(); ++i) {
                HopCounts& path = paths_[by_distance_[i]];
                count(path, -1);
                HopCounts better = cheapest(by_distance_[i]);
                // What is as good stays, for an end to come.
                if (pass == 0 || cost(better) < cost(path)) {
                    has_changed = true;
                    path = std::move(better);
                }
                count(path, 1);
            }
        }
        return paths_;
    }

private:
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

    void count(const HopCounts& path, std::int64_t sign)
    {
        for (std::size_t g = 0; g < path.size(); ++g)
            load_[g] += sign * path[g];
    }

    std::int64_t cost(const HopCounts& path) const
    {
        std::int64_t sum = 0;
        for (std::size_t g = 0; g < path.size(); ++g)
            sum += load_[g] * path[g];
        return sum;
    }

    /// Over the generators that carry least, backwards from the target.
    HopCounts cheapest(RouterId target) const
    {
        HopCounts path(load_.size(), 0);
        for (RouterId at = target; at != 0;) {
            std::size_t best = load_.size();
            for (std::size_t g = 0; g < load_.size(); ++g) {
                const RouterId before = graph_.group.difference(at, graph_.generators[g]);
                if (distance_[before] + 1 == distance_[at] &&
                    (best == load_.size() || load_[g] < load_[best]))
                    best = g;
            }
            ++path[best];
            at = graph_.group.difference(at, graph_.generators[best]);
        }
        return path;
    }

    const CayleyGraph& graph_;
    std::vector<std::uint32_t> distance_; ///< from router 0
    std::vector<RouterId> by_distance_;
    std::vector<HopCounts> paths_;
    std::vector<std::int64_t> load_; ///< by generator
};

/// What all sources of one class send to the receiver so far behind them.
struct Translated {
    RouterId offset;
    unsigned parity; ///< of the sources
    HopCounts left;
    unsigned hops_left;
    RouterId at = 0; ///< behind the source
};

/// A hop of all messages of a Translated.
struct TranslatedHop {
    std::size_t message;
    RouterId from; ///< behind the source
    std::size_t generator;
};

using TranslatedSteps = std::vector<std::vector<TranslatedHop>>;

/// Sources in one class, or in two, by whether a digit is odd.
class SourceClasses {
public:
    SourceClasses() = default;
    /// The modulus of the digit is even, so that the parity of a sum is the sum of the parities.
    SourceClasses(const TranslationGroup& group, std::size_t digit)
        : is_split_(true), modulus_(group.moduli[digit])
    {
        for (std::size_t i = digit + 1; i < group.moduli.size(); ++i)
            weight_ *= group.moduli[i];
    }

    unsigned count() const { return is_split_ ? 2 : 1; }
    unsigned parity(RouterId router) const { return is_split_ ? router / weight_ % modulus_ % 2 : 0; }

private:
    bool is_split_ = false;
    RouterId weight_ = 1;
    unsigned modulus_ = 1;
};

/// The same path the other way round: every generator's inverse in its place.
HopCounts turned_path(const CayleyGraph& graph, const HopCounts& path)
{
    HopCounts turned(path.size(), 0);
    for (std::size_t g = 0; g < path.size(); ++g) {
        const RouterId inverse = graph.group.difference(0, graph.generators[g]);
        const auto place = std::ranges::find(graph.generators, inverse);
        if (path[g] > 0 && place == graph.generators.end())
            return path;
        if (path[g] > 0)
            turned[static_cast<std::size_t>(place - graph.generators.begin())] += path[g];
    }
    return turned;
}

std::vector<Translated> messages_of(const CayleyGraph& graph, const std::vector<HopCounts>& paths,
                                    const SourceClasses& classes)
{
    std::vector<Translated> messages;
    for (RouterId offset = 1; offset < paths.size(); ++offset)
        for (unsigned parity = 0; parity < classes.count(); ++parity) {
            const bool is_own_inverse = graph.group.sum(offset, offset) == 0;
            HopCounts path =
                parity == 1 && is_own_inverse ? turned_path(graph, paths[offset]) : paths[offset];
            const unsigned hops = std::accumulate(path.begin(), path.end(), 0U);
            messages.push_back({offset, parity, std::move(path), hops});
        }
    return messages;
}

/// Step by step, for each generator and class of routers, those with most left first.
TranslatedSteps schedule_hops(const CayleyGraph& graph, std::vector<Translated> messages,
                              const SourceClasses& classes)
{
    struct Link {
        std::size_t generator;
        unsigned parity; ///< of where it begins
        std::uint64_t load = 0;
    };
    TranslatedSteps steps;
    std::vector<std::size_t> moving(messages.size());
    std::iota(moving.begin(), moving.end(), std::size_t{0});
    while (!moving.empty()) {
        std::vector<Link> links;
        for (std::size_t g = 0; g < graph.generators.size(); ++g)
            for (unsigned parity = 0; parity < classes.count(); ++parity)
                links.push_back({g, parity});
        for (const std::size_t id : moving)
            for (Link& link : links)
                link.load += messages[id].left[link.generator];
        std::ranges::stable_sort(links, std::greater(), &Link::load);
        std::vector<bool> is_taken(messages.size(), false);
        auto& step = steps.emplace_back();
        for (const Link& link : links) {
            const auto can_go = [&](std::size_t id) {
                const Translated& message = messages[id];
                return !is_taken[id] && message.left[link.generator] > 0 &&
                       (message.parity ^ classes.parity(message.at)) == link.parity;
            };
            std::optional<std::size_t> farthest;
            for (const std::size_t id : moving)
                if (can_go(id) && (!farthest || messages[id].hops_left > messages[*farthest].hops_left))
                    farthest = id;
            if (!farthest)
                continue;
            is_taken[*farthest] = true;
            step.push_back({*farthest, messages[*farthest].at, link.generator});
        }
        for (const TranslatedHop& hop : step) {
            Translated& message = messages[hop.message];
            --message.left[hop.generator];
            --message.hops_left;
            message.at = graph.group.sum(message.at, graph.generators[hop.generator]);
        }
        std::erase_if(moving, [&](std::size_t id) { return messages[id].hops_left == 0; });
    }
    return steps;
}

struct TranslatedScatter {
    std::vector<Translated> messages;
    TranslatedSteps steps;
    SourceClasses classes;
};

TranslatedScatter scatter_of(const CayleyGraph& graph, const std::vector<HopCounts>& paths,
                             const SourceClasses& classes)
{
    std::vector<Translated> messages = messages_of(graph, paths, classes);
    TranslatedSteps steps = schedule_hops(graph, messages, classes);
    return {std::move(messages), std::move(steps), classes};
}

} // namespace

std::optional<Schedule> translated_scatter(const Problem& problem)
{
    constexpr std::uint64_t most_transfers = 1 << 22;
    const Topology& topology = problem.topology;
    const auto routers = static_cast<RouterId>(topology.router_count());
    if (problem.switching != Switching::store_and_forward ||
        !is_among_all(problem.collective, CollectiveKind::alltoall))
        return std::nullopt;
    const auto processors = processors_of_routers(topology);
    const auto graph = processors ? find_cayley_graph(topology) : std::nullopt;
    if (!graph || common_ports(problem) < graph->generators.size())
        return std::nullopt;
    EvenPaths even(*graph, routers);
    if (!even.reach_all() || even.hops() * routers > most_transfers)
        return std::nullopt;
    const std::uint64_t least = (even.hops() + graph->generators.size() - 1) / graph->generators.size();
    const std::vector<HopCounts> paths = even.find();
    TranslatedScatter best = scatter_of(*graph, paths, SourceClasses());
    for (std::size_t digit = 0; digit < graph->group.moduli.size(); ++digit)
        if (graph->group.moduli[digit] % 2 == 0 && best.steps.size() > least)
            if (auto split = scatter_of(*graph, paths, SourceClasses(graph->group, digit));
                split.steps.size() < best.steps.size())
                best = std::move(split);

    Schedule schedule = empty_schedule(problem, "construct, translated scatter");
    for (const std::vector<TranslatedHop>& hops : best.steps) {
        Step& step = schedule.steps.emplace_back();
        step.reserve(hops.size() * routers);
        for (const auto& [id, behind, generator] : hops)
            for (RouterId source = 0; source < routers; ++source) {
                const Translated& message = best.messages[id];
                if (best.classes.parity(source) != message.parity)
                    continue;
                const ProcessorId receiver = (*processors)[graph->group.sum(source, message.offset)];
                const RouterId from = graph->group.sum(source, behind);
                const RouterId to = graph->group.sum(from, graph->generators[generator]);
                step.push_back({*find_message(problem.collective, (*processors)[source], receiver),
                                (*processors)[from], (*processors)[to],
                                Path{graph->channel(from, generator)}});
            }
    }
    return schedule;
}

} // namespace nocturne
