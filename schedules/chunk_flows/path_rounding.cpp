#include "schedules/chunk_flows/path_rounding.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace nocturne {
namespace {

/// Finds paths on which load adds least to a sum over links that full ones dominate.
class CheapestPath {
public:
    explicit CheapestPath(const LinkNetwork& network)
        : network_(network), cost_(network.node_count()), into_(network.node_count())
    {
    }

    /// Dijkstra's algorithm with what `cost_of` says of a link. Empty if no path costs less than `most`.
    template <typename CostOf>
    LinkPath find(NodeId source, NodeId receiver, double most, const CostOf& cost_of)
    {
        std::fill(cost_.begin(), cost_.end(), most);
        open_.clear();
        cost_[source] = 0;
        push(0, source);
        while (!open_.empty()) {
            std::pop_heap(open_.begin(), open_.end(), std::greater<>());
            const auto [cost, node] = open_.back();
            open_.pop_back();
            if (node == receiver)
                return path_from(source, receiver);
            if (cost > cost_[node])
                continue;
            work_ += network_.links_from(node).size();
            for (const LinkId id : network_.links_from(node)) {
                const NodeId next = network_.link(id).target;
                if (const double then = cost + cost_of(id); then < cost_[next]) {
                    cost_[next] = then;
                    into_[next] = id;
                    push(then, next);
                }
            }
        }
        return {};
    }

    /// Links looked at so far.
    std::uint64_t work() const { return work_; }

private:
    void push(double cost, NodeId node)
    {
        open_.emplace_back(cost, node);
        std::push_heap(open_.begin(), open_.end(), std::greater<>());
    }

    LinkPath path_from(NodeId source, NodeId receiver) const
    {
        LinkPath path;
        for (NodeId node = receiver; node != source; node = network_.link(into_[node]).source)
            path.push_back(into_[node]);
        std::reverse(path.begin(), path.end());
        return path;
    }

    const LinkNetwork& network_;
    std::vector<double> cost_; ///< of the path to each node
    std::vector<LinkId> into_; ///< its last link
    std::vector<std::pair<double, NodeId>> open_;
    std::uint64_t work_ = 0;
};

/// Chooses a path for each chunk.
class PathRounding {
public:
    PathRounding(const LinkNetwork& network, const Collective& collective, const OwedPairs& owed,
                 const LinkFlow& flow)
        : collective_(collective), owed_(owed), flow_(flow), load_(network.link_count(), 0),
          paths_(collective.chunks.size()), search_(network)
    {
        for (LinkId id = 0; id < network.link_count(); ++id)
            per_weight_.push_back(1 / (static_cast<double>(network.units(id)) * flow.rounds));
    }

    /// By chunk; empty of what is not owed.
    std::vector<LinkPath> run()
    {
        constexpr unsigned most_passes = 50; // of each steepness
        constexpr unsigned steepest = 8;
        deal_out();
        for (; doublings_ <= steepest; ++doublings_)
            for (unsigned pass = 0; pass < most_passes && is_any_crowded(); ++pass)
                if (!improve(Moves::of_crowded) && !improve(Moves::of_all))
                    break;
        return std::move(paths_);
    }

private:
    double weight_of(ChunkId chunk) const { return collective_.chunks[chunk].weight; }

    bool is_over() const
    {
        constexpr std::uint64_t most_work = 100'000'000; // links: a second or two
        return search_.work() > most_work;
    }

    /// Each chunk to the path that lacks most of its share. Of equal ones each pair begins with another:
    /// over parallel switches what goes at one time is then a permutation.
    void deal_out()
    {
        for (std::size_t i = 0; i < owed_.demands.size(); ++i) {
            std::vector<PathShare> lacking = flow_.shares[i];
            const auto differs = [&](const PathShare& share) {
                return share.weight < lacking.front().weight * (1 - 1e-9);
            };
            const auto equal = std::find_if(lacking.begin(), lacking.end(), differs) - lacking.begin();
            const auto turn = std::ptrdiff_t{owed_.demands[i].source} + owed_.demands[i].receiver;
            std::rotate(lacking.begin(), lacking.begin() + turn % equal, lacking.begin() + equal);
            for (const ChunkId chunk : owed_.chunks[i]) {
                const auto most = std::max_element(
                    lacking.begin(), lacking.end(),
                    [](const PathShare& a, const PathShare& b) { return a.weight < b.weight; });
                most->weight -= weight_of(chunk);
                paths_[chunk] = most->path;
                add(paths_[chunk], weight_of(chunk));
            }
        }
    }

    void add(const LinkPath& path, double weight)
    {
        for (const LinkId id : path)
            load_[id] += weight;
    }

    /// Is the link fuller than the flow has the fullest one?
    bool is_crowded(LinkId id) const { return load_[id] * per_weight_[id] > 1 + 1e-9; }
    bool is_crowded(const LinkPath& path) const
    {
        return std::any_of(path.begin(), path.end(), [&](LinkId id) { return is_crowded(id); });
    }
    bool is_any_crowded() const
    {
        for (LinkId id = 0; id < load_.size(); ++id)
            if (is_crowded(id))
                return true;
        return false;
    }

    /// Of a link that carries so much more: steep, so that full links count most.
    double cost_of(LinkId id, double weight) const
    {
        double power = (load_[id] + weight) * per_weight_[id];
        for (unsigned doubling = 0; doubling < doublings_; ++doubling)
            power *= power;
        return power;
    }

    enum class Moves {
        of_crowded, ///< of chunks on crowded links
        of_all,     ///< what is not crowded may stand in their way
    };

    /// Moves chunks to their cheapest paths. False if all are there, or the work is spent.
    bool improve(Moves moves)
    {
        bool has_moved = false;
        for (std::size_t i = 0; i < owed_.demands.size(); ++i)
            for (const ChunkId chunk : owed_.chunks[i]) {
                LinkPath& path = paths_[chunk];
                if (moves == Moves::of_crowded && !is_crowded(path))
                    continue;
                if (is_over())
                    return false;
                const double weight = weight_of(chunk);
                add(path, -weight);
                const auto cost = [&](LinkId id) { return cost_of(id, weight); };
                double most = 0;
                for (const LinkId id : path)
                    most += cost(id);
                LinkPath better =
                    search_.find(owed_.demands[i].source, owed_.demands[i].receiver, most * (1 - 1e-9), cost);
                if (!better.empty()) {
                    path = std::move(better);
                    has_moved = true;
                }
                add(path, weight);
            }
        return has_moved;
    }

    const Collective& collective_;
    const OwedPairs& owed_;
    const LinkFlow& flow_;
    std::vector<double> load_;
    std::vector<double> per_weight_; ///< what one chunk of weight 1 is to the fullest link of the flow
    unsigned doublings_ = 4;         ///< the exponent of a link's cost is 2 to the power of that
    std::vector<LinkPath> paths_;
    CheapestPath search_;
};

} // namespace

std::optional<OwedPairs> owed_pairs(const Collective& collective)
{
    std::vector<bool> seen(collective.chunks.size(), false);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ChunkId>> pairs;
    for (const Demand& demand : collective.demands) {
        const auto& contributors = collective.chunks[demand.chunk].contributors;
        if (seen[demand.chunk] || contributors.size() != 1 || contributors.front() == demand.receiver)
            return std::nullopt;
        seen[demand.chunk] = true;
        pairs[{contributors.front(), demand.receiver}].push_back(demand.chunk);
    }
    OwedPairs owed;
    for (auto& [pair, chunks] : pairs) {
        std::uint64_t weight = 0;
        for (const ChunkId chunk : chunks)
            weight += collective.chunks[chunk].weight;
        owed.demands.push_back({pair.first, pair.second, weight});
        owed.chunks.push_back(std::move(chunks));
    }
    return owed;
}

LinkFlow scaled(LinkFlow flow, std::uint32_t factor)
{
    flow.rounds *= factor;
    flow.least_rounds *= factor;
    for (auto& shares : flow.shares)
        for (PathShare& share : shares)
            share.weight *= factor;
    return flow;
}

std::vector<LinkPath> round_to_paths(const LinkNetwork& network, const Collective& collective,
                                     const OwedPairs& owed, const LinkFlow& flow)
{
    return PathRounding(network, collective, owed, flow).run();
}

} // namespace nocturne
