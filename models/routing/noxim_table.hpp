// Noxim's routing tables.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace nocturne {

/// Is the text such a table, rather than CSV? Its first line that says something begins with a node and a
/// channel.
bool is_noxim_table(std::string_view text);

/// The adaptive routing that a table of Noxim's describes (its `TABLE_BASED`). Each line has a node, the
/// channel by which a flit has come (from the node to itself: it was injected), its destination, and the
/// channels by which it may go on, separated by commas:
///
///     % node  in   destination  out
///        1   1->1      7        1->2, 1->5
///        5   1->5      7        5->6,
///
/// Nodes are numbers of routers of the network. Entries whose way on is the node itself stand for ejection,
/// and say nothing. Routers choose among what is allowed, by Selection; there are no escape channels, so that
/// check_deadlock() has to say whether it can deadlock. Of parallel channels all are taken.
///
/// `seed` is that of random selection. `origin` begins what is thrown: std::runtime_error with file and line
/// for what is no such line, a node or channel that does not exist or a way on that starts elsewhere; without
/// a line where messages of some pair get to a node that has no entry for them, or can go round in a circle.
Routing read_noxim_table(const Topology& topology, const std::string& origin, std::string_view text,
                         std::uint64_t seed);

} // namespace nocturne
