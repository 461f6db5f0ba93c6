// The ways that messages and chunks can take, as a graph: what flows are sent through, and distances and cuts
// measured on.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/problem/resources.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Walks lead from a processor through its send port, over channels, into the receive port of a processor,
/// and on from there: any processor may relay. Vertices are the processors (by ProcessorId) and the routers
/// behind them. Under store-and-forward switching a walk visits a processor after every hop.
class WalkGraph {
public:
    struct Arc {
        std::uint32_t from;
        std::uint32_t to;
        ResourceId resource; ///< what it takes, or no_resource

        friend bool operator==(const Arc&, const Arc&) = default;
    };

    explicit WalkGraph(const Problem& problem);
    /// For chunks: vertices are nodes, of which all pass on what comes, and each link is the resource of its
    /// number, as often as it has units.
    explicit WalkGraph(const LinkNetwork& network);

    std::size_t resource_count() const { return capacity_.size(); }
    /// In a step, or in a round: 1 or more.
    std::uint64_t capacity(ResourceId resource) const { return capacity_[resource]; }
    /// See Resources.
    bool is_scarce(ResourceId resource) const { return is_scarce_[resource]; }
    std::size_t processor_count() const { return processors_; }
    std::size_t vertex_count() const { return first_from_.size() - 1; }
    bool is_channel(const Arc& arc) const { return arc.resource < channels_; }
    /// Do walks go on from a processor? They need not if it sends from the router where it receives, in the
    /// middle of a wormhole path. Under a slack they do not: a message then goes round no processor.
    bool relays() const { return relays_; }
    /// Most hops of a walk beyond a minimal one; nothing = any walk.
    std::optional<unsigned> slack() const { return slack_; }

    std::span<const Arc> arcs() const { return arcs_; }
    std::span<const Arc> arcs_from(std::uint32_t vertex) const
    {
        return std::span(arcs_).subspan(first_from_[vertex], first_from_[vertex + 1] - first_from_[vertex]);
    }
    std::span<const Arc> arcs_to(std::uint32_t vertex) const
    {
        return std::span(arcs_to_).subspan(first_to_[vertex], first_to_[vertex + 1] - first_to_[vertex]);
    }

private:
    void add_arcs(const Problem& problem, const Resources& resources);
    void index_arcs(std::size_t vertices);

    std::size_t processors_;
    std::size_t channels_;
    std::vector<std::uint64_t> capacity_; // by resource
    std::vector<bool> is_scarce_;         // by resource
    bool relays_ = true;
    std::optional<unsigned> slack_;
    std::vector<Arc> arcs_;    // by source
    std::vector<Arc> arcs_to_; // by target
    std::vector<std::uint32_t> first_from_;
    std::vector<std::uint32_t> first_to_;
};

} // namespace nocturne
