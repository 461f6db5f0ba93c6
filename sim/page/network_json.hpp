// A network as the page draws it.
#pragma once

#include "models/topology/topology.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace nocturne {

/// `{"name", "routers": [names], "processors": [names], "injection", "ejection": routers by processor,
/// "from", "to": routers by channel, "places": {"routers", "sources", "sinks": x and y of each, "curves": x
/// and y of the four points of each channel}}`; all but the names are packed(). The places are those of
/// drawing_places(), which throws.
nlohmann::ordered_json network_json(const Topology& topology);

/// In movies a node is a router by its number, or a processor by its number behind the routers.
inline std::uint32_t page_node(const Topology& topology, ProcessorId processor)
{
    return static_cast<std::uint32_t>(topology.router_count()) + processor;
}

} // namespace nocturne
