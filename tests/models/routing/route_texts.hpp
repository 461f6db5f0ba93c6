// Files of routes that are right.
#pragma once

#include <fmt/format.h>

#include <string>

namespace nocturne::test {

/// CSV of a ring of four with the routes clockwise.
inline std::string clockwise_routes()
{
    std::string lines = "source,destination,path,classes\n";
    for (int source = 0; source < 4; ++source)
        for (int hops = 1; hops < 4; ++hops) {
            std::string path = std::to_string(source);
            for (int hop = 1; hop <= hops; ++hop)
                path += fmt::format("->{}", (source + hop) % 4);
            lines += fmt::format("{},{},{},0\n", source, (source + hops) % 4, path);
        }
    return lines;
}

/// Of Noxim, on mesh:3, eight lines.
inline const std::string noxim_table_of_a_line =
    "0 0->0 1 0->1,\n0 0->0 2 0->1,\n1 1->1 0 1->0\n1 1->1 2 1->2\n2 2->2 0 2->1\n2 2->2 1 2->1\n"
    "1 0->1 2 1->2\n1 2->1 0 1->0\n";

} // namespace nocturne::test
