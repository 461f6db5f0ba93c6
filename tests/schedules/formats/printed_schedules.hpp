// What the tests of schedules that other tools print begin with.
#pragma once

#include "models/topology/link_network.hpp"
#include "tests/catch.hpp"

#include <string>

namespace nocturne::test {

/// Three processors on a switch.
inline LinkNetwork star()
{
    LinkNetwork network("star", 3);
    const NodeId hub = network.add_switch(NodeKind::plain_switch, "hub");
    for (const NodeId processor : {0u, 1u, 2u})
        network.add_links(processor, hub, 4, 1);
    return network;
}

/// The text with the first of these words replaced.
inline std::string with(std::string text, const std::string& what, const std::string& other)
{
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), other);
}

} // namespace nocturne::test
