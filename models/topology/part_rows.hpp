// Parts of a network with properties of their own, said in rows of text.
#pragma once

#include "models/topology/topology.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace nocturne {

/// The network with what each row says of some of its routers or links, in the form
///
///     router PATTERN: KEY=VALUE ...
///     link FROM->TO: KEY=VALUE ...
///     link FROM--TO: KEY=VALUE ...       both ways
///     link KIND: KEY=VALUE ...
///
/// A pattern of routers is a name as a shell matches it (`*`, `?`, `[01]`; fnmatch()), or an index (`#5`, or
/// `5` where no router has the name), or coordinates in the grid, from the first dimension on, each a number,
/// a range `3..5` or `*`, apart by commas (`3..5,*`); a range alone is one of indices where there is no grid
/// of one dimension. A kind of links is `wrap` (closes a ring of the grid), `dim0`, `dim1`, ... (leads along
/// that dimension of the grid), `local` and `global` (within a group, such as of a dragonfly, and between
/// two), or `joint` (between parts of a composition).
///
/// Keys of routers: `pipeline` (parse_pipeline()), `buffers` (flits of each virtual channel of the inputs),
/// `vcs` (virtual channels of the links to it, and to its processors), `arbiter` (parse_arbiter()), `clock`
/// (parse_clock(), a fraction of the network's clock). Keys of links: `latency` and `width` (Channel; a link
/// narrower than a flit is serial and takes it in several cycles), `buffers` and `vcs`, which hold before
/// those of the router that it leads to.
///
/// A row replaces what the network says. Its name gets `with ROW (n routers)` behind it. Throws
/// std::invalid_argument, which names the row, if it is none, matches nothing, has a value out of range, or
/// contradicts another row on the same router or link.
Topology with_parts(Topology topology, std::span<const std::string> rows);

/// A row in its pieces.
struct PartRow {
    bool is_of_links; ///< or else of routers
    std::string pattern;
    std::map<std::string, std::string, std::less<>> properties; ///< one or more, any names and values
};

/// Throws std::invalid_argument for a text of another form, or a property that is given twice.
PartRow split_part_row(std::string_view row);

/// Throws std::invalid_argument if the text is no row, whatever the network.
void check_part_row(std::string_view row);

} // namespace nocturne
