// Routings that are tables: somebody else's routes or next hops, checked before anything is sent by them.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// The route of the messages from one processor to another, as written.
struct TableRoute {
    ProcessorId source;
    ProcessorId destination;
    std::vector<RouterId> routers;      ///< the source's first, the destination's last
    std::vector<std::uint32_t> classes; ///< of virtual channels, by hop; empty: all 0
    std::string place;                  ///< where it stands, for messages: `routes.csv:7`
};

/// Where messages to a processor go from a router, as written.
struct TableHop {
    RouterId router;
    ProcessorId destination;
    RouterId next;
    std::uint32_t vc_class = 0;
    std::string place = {};
};

/// The most classes of virtual channels that a table can have: as many as the hardware has virtual channels.
inline constexpr std::uint32_t most_table_classes = 32;

/// A route for each pair of processors, those of one router excepted, which need none. Of parallel channels
/// the first is taken. `origin` names the table: it is the routing's name, and begins messages about what is
/// missing. The topology must outlive the routing. Throws std::runtime_error, one line that begins with a
/// place, for a path that does not join its processors, takes a channel that does not exist or visits a
/// router twice, for a class of most_table_classes or more, a number of classes other than of hops, and for a
/// pair that has two routes, or none; std::invalid_argument for a network that exceeds
/// largest_pairwise_network.
Routing routes_of_table(const Topology& topology, const std::string& origin,
                        std::span<const TableRoute> table);

/// Routes that follow next hops from the source's router to the destination's. Entries at routers that no
/// message reaches are not needed; entries at the destination's router are of no use, and refused. Otherwise
/// as routes_of_table(): loops and missing entries are found for every pair.
Routing routes_of_next_hops(const Topology& topology, const std::string& origin,
                            std::span<const TableHop> table);

} // namespace nocturne
