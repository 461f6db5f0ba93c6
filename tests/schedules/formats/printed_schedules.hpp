// What the tests of schedules that other tools print begin with.
#pragma once

#include "models/topology/link_network.hpp"
#include "tests/schedules/schedule/schedule_texts.hpp"

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

/// Trees of ForestColl for the star.
inline const std::string forest = R"xml(<Algo nchunkspernode="1">
  <tree root="(0, 'GPU', 2)" index="0" nchunks="1" height="2">
    <send src="(0, 'GPU', 2)" dst="(0, 'GPU', 10)" path="(0, 'GPU', 2),(-1, 'S', 0),(0, 'GPU', 10)"/>
    <send src="(0, 'GPU', 10)" dst="(0, 'GPU', 11)" path="(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 11)"/>
  </tree>
  <tree root="(0, 'GPU', 10)" index="0" nchunks="1" height="1">
    <send src="(0, 'GPU', 10)" dst="(0, 'GPU', 2)" path="(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 2)"/>
    <send src="(0, 'GPU', 10)" dst="(0, 'GPU', 11)" path="(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 11)"/>
  </tree>
  <tree root="(0, 'GPU', 11)" index="0" nchunks="1" height="2">
    <send src="(0, 'GPU', 11)" dst="(0, 'GPU', 2)" path="(0, 'GPU', 11),(-1, 'S', 0),(0, 'GPU', 2)"/>
    <send src="(0, 'GPU', 2)" dst="(0, 'GPU', 10)" path="(0, 'GPU', 2),(-1, 'S', 0),(0, 'GPU', 10)"/>
  </tree>
</Algo>
)xml";

} // namespace nocturne::test
