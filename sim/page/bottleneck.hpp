// Where a lower bound comes from, as a picture shows it.
#pragma once

#include "schedules/certificate/bound.hpp"

#include <nlohmann/json.hpp>

namespace nocturne {

/// `{"kind", "reason", "nodes": [page_node()…], "links": [[link, weight]…]}`: of a set of nodes these and the
/// links into or out of it; of lengths the links that have some, and the processors whose ports do; of a pair
/// both. Empty lists for a bound that speaks of no part of the network. Links are those of a movie of the
/// same network: channels, then the links of processors.
nlohmann::ordered_json bottleneck_of_messages(const Bound& bound, const Topology& topology);
nlohmann::ordered_json bottleneck_of_chunks(const Bound& bound, const Topology& topology,
                                            const LinkNetwork& network);

/// The page's node for each node of the network of links.
std::vector<std::uint32_t> page_nodes(const Topology& topology, const LinkNetwork& network);

} // namespace nocturne
