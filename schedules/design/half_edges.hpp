// A network as pairs of half-edges, for a search that exchanges the ends of links and takes back what did not
// help.
#pragma once

#include "schedules/design/request.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne::design {

/// One end of a link, at a place of its node: a number below HalfEdges::limit(). Each link joins two; one-way
/// links join an outgoing end to an incoming one.
using HalfEdge = std::uint32_t;

/// The links of a network with the degrees, symmetry and limits of a request. Every node has `stride()`
/// places, those beyond its degree stay empty for ever. Under a symmetry s, what is done to a half-edge is
/// done to its images under v -> v + nodes / s too, so that the network keeps the symmetry.
class HalfEdges {
public:
    /// Without any link. The request is checked (check_request()), and must outlive this.
    explicit HalfEdges(const Request& request);

    const Request& request() const { return *request_; }
    unsigned stride() const { return stride_; }
    NodeId node_of(HalfEdge end) const { return node_[end]; }
    /// The other end of its link; itself if it has none.
    HalfEdge mate(HalfEdge end) const { return mate_[end]; }
    bool is_free(HalfEdge end) const { return mate_[end] == end; }
    bool is_one_way() const { return request_->kind == LinkKind::one_way; }

    /// All ends where a link can begin, and where it can end: the same for bidirectional links.
    std::span<const HalfEdge> beginnings() const { return beginnings_; }
    std::span<const HalfEdge> endings() const { return endings_; }
    /// Those of a node.
    std::span<const HalfEdge> beginnings_at(NodeId node) const { return at(beginnings_, node); }
    std::span<const HalfEdge> endings_at(NodeId node) const { return at(endings_, node); }

    /// By node and place, `stride()` a node: where its links come from (lead to); the node itself for an
    /// empty place.
    std::span<const NodeId> sources() const { return sources_; }
    std::span<const NodeId> targets() const { return is_one_way() ? targets_ : sources_; }

    /// Joins a beginning to an ending, and the ends that they were joined to before to each other: the
    /// exchange of two links that keeps all degrees. With an empty end it moves one end of a link, with two
    /// it adds a link. Returns false, and changes nothing, if that is the present state, or if it would make
    /// a link from a node to itself, a link that is too long, a parallel one that is not allowed, or a
    /// network without the symmetry.
    bool rewire(HalfEdge beginning, HalfEdge ending);
    /// Takes back the last rewire() that returned true; once.
    void undo();
    /// Nodes whose row of sources() the last rewire() that returned true has changed, images included.
    std::span<const NodeId> touched() const { return touched_; }

    /// Total length of all wires.
    double wire_total() const { return total_.wire; }
    std::size_t link_count() const { return total_.links; }
    /// In ascending order of their first nodes; bidirectional links have a < b.
    std::vector<LinkEnds> links() const;
    /// All links at once, in place of those that are there. Throws std::invalid_argument if they are not
    /// within degrees, limits and symmetry.
    void assign(std::span<const LinkEnds> links);

private:
    struct Saved {
        HalfEdge end;
        HalfEdge mate;
    };

    std::span<const HalfEdge> at(std::span<const HalfEdge> ends, NodeId node) const
    {
        return ends.subspan(first_ending_[node], first_ending_[node + 1] - first_ending_[node]);
    }
    HalfEdge rotated(HalfEdge end, unsigned turns) const;
    bool are_images(HalfEdge a, HalfEdge b) const;
    HalfEdge opposite(HalfEdge end) const { return rotated(end, request_->symmetry / 2); }
    void save(HalfEdge end) { saved_[saved_count_++] = {end, mate_[end]}; }
    void set_mate(HalfEdge end, HalfEdge mate);
    void join(HalfEdge a, HalfEdge b);
    void leave(HalfEdge end, bool other_was_free);
    bool is_allowed(HalfEdge a) const;
    struct Extent {
        double wire;
        std::size_t links;
    };
    /// Of the link of this end and its images.
    Extent extent(HalfEdge a) const;
    void add(const Extent& extent);
    void remove(const Extent& extent);
    void restore();

    const Request* request_;
    unsigned stride_;
    HalfEdge rotation_; ///< from a half-edge to its next image
    HalfEdge
        incoming_; ///< half-edges below are incoming ends, those above (one-way links only) outgoing ones
    std::vector<NodeId> node_;
    std::vector<HalfEdge> mate_;
    std::vector<HalfEdge> beginnings_;
    std::vector<HalfEdge> endings_;
    std::vector<std::uint32_t> first_ending_; ///< by node, and one more; of beginnings too
    std::vector<NodeId> sources_;
    std::vector<NodeId> targets_;
    std::vector<NodeId> touched_;
    std::array<Saved, 4> saved_{};
    unsigned saved_count_ = 0;
    Extent total_{0, 0};
    Extent total_before_{0, 0};
};

} // namespace nocturne::design
