// What tests ask of networks of GPU machines.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/imports/gpu_box.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::test {

/// Bytes per cycle of all channels from one router to another.
inline unsigned width_between(const Topology& topology, std::string_view from, std::string_view to)
{
    unsigned width = 0;
    for (const Channel& channel : topology.channels())
        if (topology.router_name(channel.source) == from && topology.router_name(channel.target) == to)
            width += channel.width_bytes;
    return width;
}

/// GB/s of the pair in the box, 0 if there is none.
inline double pair_rate(const GpuBox& box, unsigned a, unsigned b)
{
    for (const GpuPair& pair : box.pairs)
        if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
            return static_cast<double>(pair.rate) / gb_per_s;
    return 0;
}

inline bool has_note(const std::vector<std::string>& notes, std::string_view part)
{
    return std::ranges::any_of(notes, [&](const std::string& note) { return note.find(part) != note.npos; });
}

} // namespace nocturne::test
