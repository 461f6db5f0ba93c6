// A network without the nodes that receive nothing: what crosses them becomes edges between terminals.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/chunk_bounds/spread.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace nocturne {

/// So many chunks go from source to target over a path of links.
struct SplitEdge {
    NodeId source;
    NodeId target;
    std::int64_t capacity; ///< in chunks, 1 or more
    std::vector<LinkId> path;
};

/// Links as edges, those that `takes` takes, each for so many chunks as it carries in `rounds`: fewer where
/// that is enough. Chunks on slow links are long, and links are hard to keep busy with long chunks, so that
/// up to `slack` chunks are taken from each link but the fastest, those of the same bandwidth alike, as long
/// as every terminal can receive all.
std::vector<SplitEdge> edges_of_links(
    const LinkNetwork& network, const SpreadToAll& spread, std::uint64_t rounds, std::uint32_t slack,
    const SearchEnd& end = {}, const std::function<bool(LinkId)>& takes = [](LinkId) { return true; });

/// Node after node that is no terminal is split off: an edge into it and one out of it become one past it,
/// for as many chunks as leave every terminal able to receive all that is spread (by maximum flows). Where as
/// much comes into each such node as goes out of it, the whole node can be split off (Mader's theorem for
/// directed graphs; Bang-Jensen, Frank and Jackson, Preserving and increasing local edge-connectivity in
/// mixed graphs, SIAM J. Discrete Math. 8, 1995); otherwise what is left is given up. The result has edges
/// between terminals only, none from a node to itself.
std::vector<SplitEdge> split_off_others(const LinkNetwork& network, const SpreadToAll& spread,
                                        std::vector<SplitEdge> edges, const SearchEnd& end = {});

/// How many chunks of `spread` reach every terminal at the same time over these edges; all, or fewer. At the
/// end 0.
std::int64_t least_reception(const std::vector<SplitEdge>& edges, const SpreadToAll& spread,
                             std::size_t nodes, const SearchEnd& end = {});

} // namespace nocturne
