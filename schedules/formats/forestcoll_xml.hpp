// Spanning trees that ForestColl prints (github.com/liangyuRain/ForestColl, spanning_trees_to_xml).
#pragma once

#include "schedules/formats/foreign_schedule.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Does the text look like it: is its first element `Algo`?
bool is_forestcoll_xml(std::string_view text);

/// Reads the trees of an allgather for `network`: the chunks of a tree go from its root over its sends, each
/// when it has come to the send's source; the file leaves open which a link carries first (order_links()),
/// and those near their roots are listed first. Nodes are those of the network that have the same names; if
/// not all have, the roots in ascending order (numbers by their values) are its processors, and all that is
/// crossed its switches.
///
/// Throws std::runtime_error, one line that begins with `origin` and the line of the file, for what is not
/// XML, has another number of roots, of chunks a root, too many chunks, or sends that do not begin where the
/// tree is.
ForeignSchedule read_forestcoll_xml(std::string_view text, std::string_view origin,
                                    const LinkNetwork& network);

} // namespace nocturne
