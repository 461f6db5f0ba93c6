// What a drawing of a network can say of its parts besides their names.
#pragma once

#include <string>
#include <vector>

namespace nocturne {

/// Colours as Graphviz takes them (`#d7301f`); an empty text leaves things as they are.
struct DrawingMark {
    std::string colour = {}; ///< of a channel's line, or of what fills a router
    std::string label = {};  ///< beside a channel's line, or below a router's name

    friend bool operator==(const DrawingMark&, const DrawingMark&) = default;
};

struct LegendEntry {
    std::string colour;
    std::string text;
};

/// Marked lines are thick. The two directions of a link that are marked alike share a line of that colour;
/// otherwise each half of the line has the colour of the channel that leaves the router beside it, and the
/// first label.
struct DrawingMarks {
    std::string title = {};
    std::vector<DrawingMark> routers = {};  ///< by router, or none at all
    std::vector<DrawingMark> channels = {}; ///< by channel, or none at all
    std::vector<LegendEntry> legend = {};
};

} // namespace nocturne
