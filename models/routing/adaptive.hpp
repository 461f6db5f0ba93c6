// Minimal adaptive routing, decided at each router by what is free there.
#pragma once

#include "models/routing/minimal_paths.hpp"
#include "models/routing/routing.hpp"

#include <vector>

namespace nocturne {

/// What a message may ask for at each router on its way.
///
/// *Adaptive channels*: class 0 of every channel on a minimal path (PathCost) to its destination.
///
/// *Escape channels*: where adaptive channels alone could be in a circular wait, one more at each router,
/// which depends on router and destination only. A message may ask for it everywhere; once it has taken it,
/// it goes on by escape channels to its end. The dependencies among these have no cycle, wherever messages
/// enter them, so each of them comes free some time, and a message that asks for one gets it: no deadlock,
/// whatever circles the adaptive channels are in (J. Duato, A new theory of deadlock-free adaptive routing in
/// wormhole networks, IEEE Trans. Parallel and Distributed Systems 4(12), 1993). The escape channels are
/// minimal as well: dimension order on complete grids, with datelines on tori, where hops are counted or
/// channels alike in latency; elsewhere one minimal path for
/// each router and destination, in classes that go down towards the destination: a hop is in the class of the
/// hop behind it unless the turn between them would close a cycle there, and then one higher.
///
/// The theory needs that a message which waits is at the head of its buffer, where it can ask for its escape
/// channel. So the hardware gives an adaptive channel away only if its buffer is empty (Duato's condition) or
/// takes all of the message (S. Ma, N. Enright Jerger and Z. Wang, Whole packet forwarding, HPCA 2012): see
/// Router. Escape channels need no such care, nor do adaptive channels without them.
class AdaptiveRouting {
public:
    /// Throws std::invalid_argument if one of the processors cannot reach another.
    explicit AdaptiveRouting(const Topology& topology, const PathCost& cost = {});

    const Topology& topology() const { return *topology_; }
    /// Of the messages to a router from which processors are ejected.
    MinimalPaths paths_to(RouterId destination) const { return {*topology_, destination, cost_}; }
    /// Can adaptive channels be in a circular wait?
    bool has_escape() const { return !escape_.empty(); }
    /// The adaptive class and those of the escape channels.
    unsigned vc_classes() const { return vc_classes_; }
    /// The escape channel, with its class, 1 or more. For a router on a minimal path to a destination from
    /// which processors are ejected, only if has_escape().
    const Hop& escape(RouterId at, RouterId destination) const { return escape_[destination][at]; }

    /// Each dependency among escape channels; among all channels, if there are none. In routes of two hops.
    void visit_fragments(const VisitFragment& visit) const;

private:
    template <typename Visit>
    bool all_minimal_turns(Visit visit) const;
    bool minimal_turns_have_cycle() const;

    const Topology* topology_;
    PathCost cost_;
    unsigned vc_classes_ = 1;
    std::vector<std::vector<Hop>> escape_; ///< by destination (empty if it has no processor) and router
};

/// The routing `adaptive`. It has no routes to give beforehand: asking for one throws std::invalid_argument.
/// The topology must outlive it. Throws as the constructor of AdaptiveRouting does.
Routing adaptive_routing(const Topology& topology, const PathCost& cost = {});

} // namespace nocturne
