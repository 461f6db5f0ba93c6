// Can messages of a routing be in a circular wait? The channel-dependency graph says.
#pragma once

#include "models/routing/routing.hpp"
#include "models/routing/turns.hpp"

#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// What a message that holds one virtual channel may wait for: the vertices are the classes of virtual
/// channels on each channel (a Hop), and an edge leads from each hop of a route to the next one. Takes one
/// bit per turn of the network and pair of classes, however many routes are added. A value; the topology must
/// outlive it.
class DependencyGraph {
public:
    DependencyGraph(const Topology& topology, unsigned vc_classes);

    /// Throws std::invalid_argument if a hop does not start where the one before ended, or its class is not
    /// below vc_classes.
    void add(const Route& route);

    /// Does some route take `next` directly after `hop`?
    bool contains(const Hop& hop, const Hop& next) const;
    /// Number of edges.
    std::size_t size() const { return size_; }

    /// A shortest cycle in order, its first hop not repeated at the end; empty if there is no cycle.
    std::vector<Hop> shortest_cycle() const;

private:
    using Vertex = std::uint32_t; ///< channel * vc_classes + class

    std::size_t bit(const Hop& hop, const Hop& next) const
    {
        return (turns_.index(hop.channel, next.channel) * vc_classes_ + hop.vc_class) * vc_classes_ +
               next.vc_class;
    }
    Vertex vertex(const Hop& hop) const { return hop.channel * vc_classes_ + hop.vc_class; }
    Hop hop(Vertex vertex) const { return {vertex / vc_classes_, vertex % vc_classes_}; }
    std::vector<std::vector<Vertex>> successors() const;

    const Topology* topology_;
    unsigned vc_classes_;
    Turns turns_;
    std::vector<bool> present_; ///< by turn, class before, class after
    std::size_t size_ = 0;
};

struct DependencyCheck {
    DependencyGraph dependencies;
    std::vector<Hop> cycle; ///< as DependencyGraph::shortest_cycle

    bool deadlock_free() const { return cycle.empty(); }
};

struct ProcessorPair {
    ProcessorId source;
    ProcessorId destination;
};

/// The dependencies of the routes between all pairs of processors (between the given pairs); of a routing
/// with several routes for a pair all that it can ever cause, whatever the pairs (Routing::fragments()).
/// Wormhole and virtual cut-through switching cannot deadlock if they have no cycle: Dally and Seitz,
/// Deadlock-free message routing in multiprocessor interconnection networks, IEEE Trans. Computers C-36(5),
/// 1987. For an adaptive routing these are the dependencies of its escape channels: Duato, A new theory of
/// deadlock-free adaptive routing in wormhole networks, IEEE Trans. Parallel and Distributed Systems 4(12),
/// 1993. Throws what the routing throws, and std::invalid_argument as DependencyGraph::add does, and for the
/// pairs of a network that exceeds largest_pairwise_network.
DependencyCheck check_deadlock(const Topology& topology, const Routing& routing);
DependencyCheck check_deadlock(const Topology& topology, const Routing& routing,
                               std::span<const ProcessorPair> pairs);

/// One line that ends where it began: `00->01 (vc 0) -> 01->00 (vc 0) -> 00->01 (vc 0)`; empty for no cycle.
std::string describe(const Topology& topology, std::span<const Hop> cycle);

} // namespace nocturne
