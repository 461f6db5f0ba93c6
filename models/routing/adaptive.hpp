// Adaptive routing, decided at each router by what is free there.
#pragma once

#include "models/routing/minimal_paths.hpp"
#include "models/routing/routing.hpp"

#include <functional>
#include <vector>

namespace nocturne {

/// What messages to one router may ask for at each router: the channels, in class 0. What is allowed may
/// depend on how a message came there, its `arrival`.
using AllowedChannels = std::function<MinimalPaths::Channels(RouterId at, unsigned arrival)>;

/// A routing function of routers: what a message may ask for follows from where it is, where it goes to, and
/// at most from the channel by which it has come.
struct RoutingFunction {
    std::function<AllowedChannels(RouterId destination)> to;
    unsigned arrivals = 1; ///< that it tells apart
    /// 0 .. arrivals - 1; may be empty if there is one only. What has been injected has arrival 0.
    std::function<unsigned(ChannelId)> arrival_by = {};
};

/// What a message may ask for at each router on its way.
///
/// *Adaptive channels*: class 0 of every channel that the routing function allows, which for the routing
/// `adaptive` are those on a minimal path (PathCost) to its destination.
///
/// *Escape channels*: where the adaptive channels of minimal paths alone could be in a circular wait, one
/// more at each router,
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
    using Channels = MinimalPaths::Channels;

    /// All minimal paths. Throws std::invalid_argument if one of the processors cannot reach another.
    explicit AdaptiveRouting(const Topology& topology, const PathCost& cost = {}, std::uint64_t seed = 1);
    /// What a routing function allows, without escape channels: no deadlock if the dependencies among these
    /// channels have no cycle, which check_deadlock() finds out.
    AdaptiveRouting(const Topology& topology, RoutingFunction function, std::uint64_t seed);

    const Topology& topology() const { return *topology_; }
    /// Of random selection among the outputs that are allowed.
    std::uint64_t seed() const { return seed_; }
    /// Is the function of its own, such as a turn model's, and not all minimal paths?
    bool has_turn_rule() const { return has_turn_rule_; }
    /// Of the messages to a router from which processors are ejected: all minimal ones, whatever is allowed.
    MinimalPaths paths_to(RouterId destination) const { return {*topology_, destination, cost_}; }
    /// How many ways to have come to a router the routing function tells apart, and which one a channel is.
    unsigned arrivals() const { return function_.arrivals; }
    unsigned arrival_by(ChannelId channel) const
    {
        return function_.arrivals == 1 ? 0 : function_.arrival_by(channel);
    }
    /// Visits for a router and an arrival that messages to the destination can have there the channels that
    /// they may ask for, none only at the destination; each pair of router and arrival once.
    using VisitAllowed = std::function<void(RouterId at, unsigned arrival, const Channels& allowed)>;
    void visit_allowed(RouterId destination, const VisitAllowed& visit) const;

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
    bool all_turns(Visit visit) const;
    bool turns_have_cycle() const;

    const Topology* topology_;
    PathCost cost_;
    std::uint64_t seed_;
    bool has_turn_rule_;
    RoutingFunction function_;
    unsigned vc_classes_ = 1;
    std::vector<std::vector<Hop>> escape_; ///< by destination (empty if it has no processor) and router
};

/// The routing `adaptive`. It has no routes to give beforehand: asking for one throws std::invalid_argument.
/// The topology must outlive it. Throws as the constructor of AdaptiveRouting does.
Routing adaptive_routing(const Topology& topology, const PathCost& cost = {}, std::uint64_t seed = 1);

} // namespace nocturne
