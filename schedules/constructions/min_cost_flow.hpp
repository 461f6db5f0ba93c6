// Maximum flows of minimum cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// A network of arcs with whole capacities and costs, and a flow through it, at first none.
class FlowNetwork {
public:
    using Vertex = std::uint32_t;
    using Arc = std::uint32_t;

    explicit FlowNetwork(std::size_t vertices) : first_(vertices, none) {}

    /// Capacity and cost are 0 or more.
    Arc add_arc(Vertex from, Vertex to, std::int32_t capacity, std::int32_t cost = 0);

    /// Sends as much as possible from one vertex to another, as cheaply as so much can be, and says how much
    /// that is. To be called once. If every cycle has an arc with a cost, no flow goes round. Successive
    /// cheapest paths, all equally cheap ones at once: shortest distances with potentials, then augmenting
    /// paths over tight arcs. Time O(distances that occur x arcs x log + flow x arcs) at worst.
    std::int64_t send(Vertex source, Vertex sink);

    std::int32_t flow(Arc arc) const { return residual_[2 * arc + 1].capacity; }

private:
    static constexpr std::uint32_t none = ~0u;

    /// What an arc, or an arc turned round, can still take; arc a is at 2a, turned round at 2a + 1.
    struct Residual {
        Vertex to;
        std::uint32_t next; ///< from the same vertex
        std::int32_t capacity;
        std::int32_t cost;
    };

    void append(Vertex from, Residual residual);
    bool raise_potentials(Vertex source, Vertex sink);
    std::int32_t augment(Vertex at, Vertex sink, std::int32_t limit);

    std::vector<std::uint32_t> first_; ///< residual arc of each vertex
    std::vector<Residual> residual_;
    std::vector<std::int64_t> potential_;
    std::vector<std::uint32_t> current_; ///< residual arc of each vertex at which its search goes on
    std::vector<bool> is_closed_;        ///< on the augmenting path, or known to lead nowhere
};

} // namespace nocturne
