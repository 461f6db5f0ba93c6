// All paths between two processors, one at a time: no table, so that the first few of an astronomic number
// cost nothing.
#pragma once

#include "models/routing/distances.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/path.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Enumerates every path from `source` to `destination` that visits no router twice and has at most `slack`
/// hops more than a minimal one: shorter paths first, equally long ones in lexicographic order of the
/// routers' ports (channels_from), so that the order depends on the topology only. Parallel channels make
/// paths of their own.
///
/// The search goes depth first, one length after the other. What prunes it is a field over the channels:
/// whether a walk of just the hops that are left leads from the channel to the destination without turning
/// straight back. It is computed per length in O(channels x degree); a branch that it lets through can fail
/// only by meeting itself. For minimal paths none does, and each costs O(hops x degree).
class PathEnumerator {
public:
    /// The topology must outlive the enumerator. Throws std::invalid_argument if a processor does not exist.
    PathEnumerator(const Topology& topology, ProcessorId source, ProcessorId destination, unsigned slack = 0);

    /// The next path; nothing when there are no more (from the beginning if the destination is unreachable).
    std::optional<Path> next();

private:
    void begin_length();
    bool leads_on(ChannelId channel, std::uint32_t excess) const;
    bool can_step(RouterId from, ChannelId channel, std::uint32_t hops_left) const;
    void back_up();

    const Topology* topology_;
    Endpoints ends_;
    std::vector<std::uint32_t> to_destination_; ///< hop distance by router
    std::vector<ChannelId> near_first_; ///< channels that reach the destination, by distance of their target
    std::uint32_t longest_ = 0;         ///< hops of the longest path wanted
    std::uint32_t length_ = 0;          ///< hops of the paths that are enumerated now
    bool done_ = false;
    /// walks_[e][c]: a walk of (distance of c's target + e) hops leads from that target to the destination,
    /// without turning straight back or passing through source or destination.
    std::vector<std::vector<bool>> walks_;

    // The search: the channels taken so far, and at each router on the way the port to try next.
    Path path_;
    std::vector<std::size_t> next_port_;
    std::vector<bool> visited_;
};

/// The route along a path, in class 0.
Route route_along(std::span<const ChannelId> path);

/// Number of minimal paths, parallel channels counted apart; 0 if the destination is unreachable, 2^64 - 1 if
/// there are that many or more. Throws std::invalid_argument if a processor does not exist.
std::uint64_t count_minimal_paths(const Topology& topology, ProcessorId source, ProcessorId destination);

} // namespace nocturne
