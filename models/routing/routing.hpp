// What a routing is: a rule that gives each message its way through the network, chosen at the source.
#pragma once

#include "models/topology/topology.hpp"

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <functional>
#include <string>

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

/// An oblivious routing: the route depends on source and destination only (randomized ones draw from a
/// generator that they own). `vc_classes` is how many classes of virtual channels its routes use; hardware
/// with V virtual channels gives each class V / vc_classes of them, so that it needs at least vc_classes.
struct Routing {
    std::string name;
    unsigned vc_classes = 1;
    /// Throws std::invalid_argument when the destination cannot be reached.
    std::function<Route(ProcessorId source, ProcessorId destination)> route;
};

} // namespace nocturne
