// What the properties of a network are called in files and graphs: one table for all formats.
#pragma once

#include <array>
#include <string_view>

namespace nocturne {

/// A property with its two names, of which every reader takes either; DOT and GraphML are written with the
/// first, JSON and graphs of networkx with the second where there is one.
struct AttributeName {
    std::string_view name;
    std::string_view longer = {}; ///< with the unit; empty: it has one name
};

/// Of a channel (see Channel). `dir` has the meaning that it has in Graphviz: `both` or `none` for a channel
/// in each direction, `back` for one against the arrow. `channel` is its index, if the order matters.
inline constexpr std::array channel_attributes{AttributeName{"latency", "latency_cycles"},
                                               AttributeName{"width", "width_bytes"},
                                               AttributeName{"length"},
                                               AttributeName{"buffers", "buffer_flits"},
                                               AttributeName{"vcs"},
                                               AttributeName{"dir"},
                                               AttributeName{"channel"}};

/// Of a router, or of another vertex of a document (graph_document.hpp). `position` is "x,y"; `pos` too, but
/// in DOT, where it is in points. From `pipeline` on they are what it has of its own (RouterPart), as texts
/// of part_rows.hpp.
inline constexpr std::array router_attributes{AttributeName{"kind"},
                                              AttributeName{"name"},
                                              AttributeName{"position", "pos"},
                                              AttributeName{"x"},
                                              AttributeName{"y"},
                                              AttributeName{"copies"},
                                              AttributeName{"injects"},
                                              AttributeName{"ejects"},
                                              AttributeName{"processors"},
                                              AttributeName{"pipeline"},
                                              AttributeName{"buffers", "buffer_flits"},
                                              AttributeName{"pool"},
                                              AttributeName{"vcs"},
                                              AttributeName{"packets"},
                                              AttributeName{"arbiter"},
                                              AttributeName{"clock"},
                                              AttributeName{"injection"},
                                              AttributeName{"ejection"}};

/// Of the whole network. `grid` is "4x4", with `wraps` if it is a torus; `tag_digits` are radix:divisor,
/// with `:free` behind a free one, apart by spaces. These and `routers_per_group` hold as long as the
/// numbers of `routers` and `channels` are those that stand beside them. `processor_order`: their names, as
/// a JSON array.
inline constexpr std::array network_attributes{
    AttributeName{"name"},       AttributeName{"ports", "default_ports"},
    AttributeName{"switches"},   AttributeName{"grid"},
    AttributeName{"wraps"},      AttributeName{"routers_per_group"},
    AttributeName{"tag_digits"}, AttributeName{"routers"},
    AttributeName{"channels"},   AttributeName{"processor_order"}};

} // namespace nocturne
