// How processors can pass messages on within one step: what searches for broadcasts choose from.
#pragma once

#include "models/topology/path.hpp"
#include "schedules/problem/problem.hpp"

#include <vector>

namespace nocturne {

/// A transfer that any message can make.
struct RelayArc {
    ProcessorId source;
    ProcessorId destination;
    Path path;
};

/// Arcs between neighbours: their paths meet no router on the way at which a processor could pass the message
/// on, so that every path consists of them. Shortest ones only, at most `most_paths` for a pair of
/// processors. On a direct network they are its channels, on a multistage network its paths; under
/// store-and-forward switching paths of at most one hop.
std::vector<RelayArc> neighbour_arcs(const Problem& problem, unsigned most_paths);

/// Arcs between all pairs of processors, the shortest first and no longer than the slack of the problem (or,
/// if any path will do, `detour` hops more than minimal), at most `most_paths` for a pair. For wormhole
/// switching.
std::vector<RelayArc> all_arcs(const Problem& problem, unsigned most_paths, unsigned detour);

/// The processors and the arcs between them.
class RelayNetwork {
public:
    using Arc = std::uint32_t; ///< index of an arc

    /// The problem must outlive the network.
    RelayNetwork(const Problem& problem, std::vector<RelayArc> arcs);

    const Problem& problem() const { return *problem_; }
    ProcessorId processor_count() const { return static_cast<ProcessorId>(into_.size()); }
    Arc arc_count() const { return static_cast<Arc>(arcs_.size()); }
    const RelayArc& arc(Arc arc) const { return arcs_[arc]; }
    /// Arcs to a processor; those from one sender are consecutive.
    const std::vector<Arc>& into(ProcessorId destination) const { return into_[destination]; }
    /// Whom a processor can pass messages on to, ascending.
    const std::vector<ProcessorId>& targets(ProcessorId source) const { return targets_[source]; }
    /// Messages that a processor can send (receive) in a step: by its ports, and no more than it has arcs.
    unsigned send_limit(ProcessorId p) const { return send_limit_[p]; }
    unsigned receive_limit(ProcessorId p) const { return receive_limit_[p]; }

private:
    const Problem* problem_;
    std::vector<RelayArc> arcs_;
    std::vector<std::vector<Arc>> into_;
    std::vector<std::vector<ProcessorId>> targets_;
    std::vector<unsigned> send_limit_;
    std::vector<unsigned> receive_limit_;
};

} // namespace nocturne
