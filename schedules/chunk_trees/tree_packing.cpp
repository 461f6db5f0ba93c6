#include "schedules/chunk_trees/tree_packing.hpp"

#include "schedules/flows/network_flow.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

constexpr double not_reached = std::numeric_limits<double>::infinity();

struct GrowingBatch {
    TreeBatch batch;
    std::vector<double> reached; ///< when, by processor
};

class Packer {
public:
    Packer(std::vector<SplitEdge> edges, const std::vector<double>& cycles, const SpreadToAll& spread)
        : edges_(std::move(edges)), cycles_(cycles), spread_(spread)
    {
        for (const std::uint32_t root : spread.terminals)
            if (spread.weights[root] > 0) {
                GrowingBatch batch{{root, static_cast<std::int64_t>(spread.weights[root]), {}},
                                   std::vector<double>(spread.weights.size(), not_reached)};
                batch.reached[root] = 0;
                growing_.push_back(std::move(batch));
            }
    }

    std::optional<std::vector<TreeBatch>> run(std::uint64_t most_work, const SearchEnd& end) &&
    {
        most_work_ = most_work;
        end_ = end;
        std::vector<TreeBatch> done;
        while (!growing_.empty()) {
            if (is_over())
                return std::nullopt;
            const auto smallest =
                std::min_element(growing_.begin(), growing_.end(), [](const auto& a, const auto& b) {
                    return a.batch.edges.size() < b.batch.edges.size();
                });
            const auto index = static_cast<std::size_t>(smallest - growing_.begin());
            if (!grow(index))
                return std::nullopt;
            if (growing_[index].batch.edges.size() + 1 == spread_.terminals.size()) {
                done.push_back(std::move(growing_[index].batch));
                growing_.erase(growing_.begin() + static_cast<std::ptrdiff_t>(index));
            }
        }
        return done;
    }

private:
    bool is_over() const { return (most_work_ > 0 && work_ > most_work_) || end_.has_come(); }

    bool grow(std::size_t index)
    {
        struct Candidate {
            double reached;
            std::int64_t capacity;
            std::uint32_t edge;
        };
        std::vector<Candidate> candidates;
        const std::vector<double>& reached = growing_[index].reached;
        for (std::uint32_t id = 0; id < edges_.size(); ++id) {
            const SplitEdge& edge = edges_[id];
            if (edge.capacity > 0 && reached[edge.source] != not_reached &&
                reached[edge.target] == not_reached)
                candidates.push_back({reached[edge.source] + cycles_[id], edge.capacity, id});
        }
        std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return std::tie(a.reached, b.capacity, a.edge) < std::tie(b.reached, a.capacity, b.edge);
        });
        return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
            return !is_over() && add(index, candidate.edge, candidate.reached);
        });
    }

    /// Adds the edge to as many trees of the batch as it can; the others become a batch of their own.
    bool add(std::size_t index, std::uint32_t id, double reached)
    {
        SplitEdge& edge = edges_[id];
        const GrowingBatch before = growing_[index];
        const std::int64_t wish = std::min(edge.capacity, before.batch.count);
        const auto place = [&](std::int64_t count) {
            growing_[index] = before;
            growing_[index].batch.count = count;
            growing_[index].batch.edges.push_back(id);
            growing_[index].reached[edge.target] = reached;
            edge.capacity -= count;
            if (count < before.batch.count) {
                growing_.push_back(before);
                growing_.back().batch.count -= count;
            }
        };
        const std::size_t batches = growing_.size();
        place(wish);
        // Sets that lose the edge have its target, and each lacks one for each tree that is too many.
        const std::int64_t lacking = std::min(missing_at(edge.target), wish);
        if (lacking <= 0)
            return true;
        edge.capacity += wish;
        growing_.resize(batches);
        if (lacking == wish) {
            growing_[index] = before;
            return false;
        }
        place(wish - lacking);
        return true;
    }

    /// How many of the trees that are not complete could not all reach the node.
    std::int64_t missing_at(NodeId node)
    {
        work_ += edges_.size();
        const auto nodes = static_cast<std::uint32_t>(spread_.weights.size());
        const std::uint32_t source = nodes;
        MaxFlow flow(nodes + 1 + growing_.size());
        std::int64_t all = 0;
        for (std::uint32_t i = 0; i < growing_.size(); ++i) {
            const GrowingBatch& growing = growing_[i];
            if (growing.reached[node] != not_reached)
                continue; // reaches it already
            all += growing.batch.count;
            if (growing.batch.edges.empty()) {
                flow.add_arc(source, growing.batch.root, growing.batch.count);
                continue;
            }
            flow.add_arc(source, nodes + 1 + i, growing.batch.count);
            for (const std::uint32_t terminal : spread_.terminals)
                if (growing.reached[terminal] != not_reached)
                    flow.add_arc(nodes + 1 + i, terminal, growing.batch.count);
        }
        for (const SplitEdge& edge : edges_)
            if (edge.capacity > 0)
                flow.add_arc(edge.source, edge.target, edge.capacity);
        return all - flow.run(source, node);
    }

    std::vector<SplitEdge> edges_;
    const std::vector<double>& cycles_;
    const SpreadToAll& spread_;
    std::vector<GrowingBatch> growing_;
    std::uint64_t work_ = 0;
    std::uint64_t most_work_ = 0;
    SearchEnd end_;
};

} // namespace

std::optional<std::vector<TreeBatch>> pack_trees(std::vector<SplitEdge> edges,
                                                 const std::vector<double>& cycles, const SpreadToAll& spread,
                                                 std::uint64_t work, const SearchEnd& end)
{
    return Packer(std::move(edges), cycles, spread).run(work, end);
}

} // namespace nocturne
