// Shortest walks from one processor to all others, and what messages on them take.
#pragma once

#include "schedules/flows/walk_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Messages for one processor, or the weight of chunks.
struct WalkDemand {
    ProcessorId receiver;
    std::uint64_t messages;
};

/// How much of a resource messages take.
struct Load {
    ResourceId resource;
    double messages;
};

/// Dijkstra's algorithm with integer lengths, so that ties are ties. Under a slack a vertex is reached once
/// for each number of hops beyond its distance, which never falls along a walk. Keeps its memory from one
/// search to the next.
class ShortestWalks {
public:
    /// The graph must outlive it.
    explicit ShortestWalks(const WalkGraph& graph);

    /// Finds all distances from `source`; `lengths`, 0 or more, by resource. Sums must stay below 2^63.
    void search(ProcessorId source, std::span<const std::int64_t> lengths);

    /// From the source of the last search; the receiver must be reachable.
    std::int64_t distance_to(ProcessorId receiver) const;
    /// The length is beyond all bounds if there is no walk.
    bool reaches(ProcessorId receiver) const;
    /// What `demands` take in all, split evenly where walks are equally short.
    std::vector<Load> loads(std::span<const WalkDemand> demands);

private:
    using State = std::uint32_t; // vertex and hops beyond its distance

    State state(std::uint32_t vertex, std::uint32_t excess) const { return vertex * layers_ + excess; }
    void find_hops();
    bool leads_on(std::uint32_t vertex) const
    {
        return vertex >= graph_->processor_count() || vertex == source_ || graph_->relays();
    }
    std::int64_t length(const WalkGraph::Arc& arc) const
    {
        return arc.resource == no_resource ? 0 : lengths_[arc.resource];
    }
    /// Hops beyond the distance that the arc adds to a walk.
    std::uint32_t excess_of(const WalkGraph::Arc& arc) const;
    State nearest(ProcessorId receiver) const;
    void pass_back(State reached, double messages);

    const WalkGraph* graph_;
    std::uint32_t layers_; // slack + 1
    ProcessorId source_ = 0;
    std::span<const std::int64_t> lengths_;
    std::vector<std::uint32_t> hops_; // of the source, by vertex
    std::vector<std::int64_t> distance_;
    std::vector<State> settled_;
    std::vector<std::uint32_t> rank_; // in settled_
    std::vector<double> flow_;        // by state
    std::vector<double> load_;        // by resource
};

} // namespace nocturne
