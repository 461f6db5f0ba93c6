// Who has how much of a link's bandwidth, and until when.
#pragma once

#include "models/topology/link_network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// The bandwidth of the narrowest link of a path, in bytes a cycle: the rate of what is sent over it. 0 of no
/// links.
std::uint64_t rate_of(std::span<const LinkId> path, const LinkNetwork& network);

/// Admits transfers to links. A transfer has its path's rate (rate_of()) of the bandwidth of each link of the
/// path for as long as it holds them. So many hold a link at a time as their rates fit into its bandwidth:
/// where all links of a path are equally wide, one. They begin in the order in which they are entered: one
/// that waits for a link lets none past that is entered behind it.
class LinkShares {
public:
    /// Of links that nothing holds. `network` must outlive it.
    explicit LinkShares(const LinkNetwork& network) : network_(&network), links_(network.link_count()) {}

    /// The first time from `from` on at which a transfer may begin: not before any that has been entered on
    /// one of its links, and when its rate fits beside those that still hold them.
    double earliest_start(std::span<const LinkId> path, double from) const;

    /// May it begin at that time?
    bool fits(std::span<const LinkId> path, double now) const { return earliest_start(path, now) <= now; }

    /// The same of one link, for a transfer of that rate. Precondition: the link is as wide.
    double earliest_on(LinkId link, std::uint64_t rate, double from) const;

    /// Enters a transfer that begins then, and holds its links until another time. Precondition: it fits.
    void hold(std::span<const LinkId> path, double start, double until);

    /// The most transfers that held the link at a time.
    std::uint32_t most_at_once(LinkId link) const { return links_[link].most_at_once; }

private:
    struct Hold {
        double until;
        std::uint64_t rate;
    };
    struct LinkState {
        double opens = 0;              ///< none begins before it
        double empties = 0;            ///< when the last hold ends
        std::vector<Hold> shares = {}; ///< of part of the bandwidth, by their ends
        std::uint32_t most_at_once = 0;
    };

    const LinkNetwork* network_;
    std::vector<LinkState> links_;
};

} // namespace nocturne
