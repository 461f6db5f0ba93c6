// What a routing is: a rule that gives each message its way through the network.
#pragma once

#include "models/routing/path_cost.hpp"
#include "models/routing/vc_classes.hpp"
#include "models/topology/topology.hpp"

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace nocturne {

/// One hop of a route: the channel, and the class of virtual channels that the message may use on it.
struct Hop {
    ChannelId channel;
    std::uint32_t vc_class = 0;

    friend bool operator==(const Hop&, const Hop&) = default;
};

/// Hops from the source's router to the destination's, in order; empty when both sit at one router. No heap
/// memory for up to 24 hops.
using Route = boost::container::small_vector<Hop, 24>;

/// Visits routes, or fragments of routes.
using VisitFragment = std::function<void(const Route&)>;

/// Gives each message its route before it enters the network: the route depends on source and destination
/// only (randomized routings draw from a generator that they own).
struct ObliviousRoutes {
    /// Throws std::invalid_argument when the destination cannot be reached.
    std::function<Route(ProcessorId source, ProcessorId destination)> route;
    /// Of a routing with more than one route for a pair; otherwise empty. Visits routes, or fragments of
    /// routes, such that two hops follow each other in one of them if the routing can ever take the one
    /// directly after the other (and if they do not, the dependency between them closes no cycle).
    std::function<void(const VisitFragment&)> fragments = {};
    /// Does a pair always take the same route?
    bool in_order = true;
    /// Does every route go through one dimension of the grid after the other, the shorter way round or the
    /// only one? Then `fragments` visits whole routes.
    bool is_minimal_dimension_order = false;
};

class AdaptiveRouting;
struct RouteChoice;

/// A routing: oblivious, or adaptive, which is decided at each router by what is free there, or a choice of
/// two routes, which the router decides where the message enters the network.
///
/// `vc_classes` are the classes of virtual channels that it uses; hardware gives each at least one of its
/// virtual channels, and shares out the others by what the classes carry (VcClasses::shares()). Of an
/// adaptive routing class 0 takes all that the others, one each, leave.
struct Routing {
    std::string name;
    VcClasses vc_classes = {};
    std::variant<ObliviousRoutes, std::shared_ptr<const AdaptiveRouting>, std::shared_ptr<const RouteChoice>>
        kind = {};
    /// What its paths are minimal in, if they are the minimal ones of the graph, or of all that are allowed;
    /// nothing if they follow from coordinates, tags or levels.
    std::optional<PathCost> minimal = {};

    /// What the hardware routes by; nothing if the routing is not adaptive.
    std::shared_ptr<const AdaptiveRouting> adaptive() const;
    /// Nothing if the routing is no choice of two routes.
    std::shared_ptr<const RouteChoice> choice() const;
    /// Is it decided where messages go before they enter the network?
    bool is_oblivious() const { return std::holds_alternative<ObliviousRoutes>(kind); }
    /// Throws std::invalid_argument when the destination cannot be reached; always, unless the routing is
    /// oblivious.
    Route route(ProcessorId source, ProcessorId destination) const;
    /// See ObliviousRoutes; of an adaptive routing those that must not close a cycle, see AdaptiveRouting.
    std::function<void(const VisitFragment&)> fragments() const;
    /// Does a pair always take the same route? Then its messages arrive in the order in which they were sent,
    /// if besides links have one virtual channel and the source has one injection link: messages in different
    /// virtual channels overtake each other, even when the routing puts them into one class.
    bool in_order() const;
};

/// What a router knows of queues when it chooses between two routes.
enum class QueueKnowledge {
    local, ///< its own output's
    global ///< those of all outputs on the way
};

/// Two routes for each message, see ugal(). All hops that the minimal one takes the detour can take, too.
struct RouteChoice {
    Routing minimal;
    Routing detour; ///< with all classes
    unsigned threshold =
        0; ///< flits (times hops, of local ones) by which the minimal one may be worse, and is still taken
    QueueKnowledge knowledge = QueueKnowledge::local;
};

/// What is to be said of the paths where channels differ in latency: `least latency (...)` or `fewest hops`,
/// see describe_minimal(). Empty where they do not, or the paths are no minimal ones of the graph.
std::string minimal_text(const Topology& topology, const Routing& routing);

} // namespace nocturne
