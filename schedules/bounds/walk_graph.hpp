// The ways that messages can take, as a graph: what flow bounds measure distances and cuts on.
#pragma once

#include "schedules/certificate/bound.hpp"
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

    const Resources& resources() const { return resources_; }
    std::size_t processor_count() const { return resources_.processor_count(); }
    std::size_t vertex_count() const { return first_from_.size() - 1; }
    bool is_channel(const Arc& arc) const { return resources_.is_channel(arc.resource); }
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

    /// The lengths of all resources by their kind.
    ChannelLengths by_kind(std::span<const std::int64_t> lengths) const;

private:
    void add_arcs(const Problem& problem);
    void index_arcs(std::size_t vertices);

    Resources resources_;
    bool relays_;
    std::optional<unsigned> slack_;
    std::vector<Arc> arcs_;    // by source
    std::vector<Arc> arcs_to_; // by target
    std::vector<std::uint32_t> first_from_;
    std::vector<std::uint32_t> first_to_;
};

} // namespace nocturne
