// Slot tables as files.
//
//     {
//       "format": "nocturne-slots", "version": 1,
//       "topology": "mesh:4x4",           or all of it (topology_reference.hpp)
//       "slots": 8, "slot_flits": 3, "slot_cycles": 5,
//       "flows": [{"source": "00", "destination": "33", "message_flits": 16, "message_cycles": 80,
//                  "burst_messages": 1, "latency_cycles": 120,        at most, left out: any
//                  "path": ["00", "01", "11", "13", "33"],            routers, by name or number
//                  "starts": [0, 10]}]                                cycles of the period
//     }
//
// Of parallel channels a path takes the first; one that takes another is written as numbers of channels,
// "channels": [3, 7]. "made_by" says where the file comes from.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/slots/slot_table.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A table with what its flows have asked for.
struct SlotFile {
    std::string topology; ///< its specification, if it has one
    std::uint32_t slot_flits = 1;
    std::uint32_t slot_cycles = 1;
    std::vector<GuaranteedFlow> flows = {};
    SlotTable table = {};
};

/// `made_by` says where it comes from (to_json(Origin)); null: nothing does.
std::string to_json(const Topology& topology, const SlotFile& file,
                    const nlohmann::ordered_json& made_by = nullptr);

/// The inverse, on that topology, which the file must name; numbers are within their ranges, the rest is
/// check_slots()'s. Throws std::runtime_error, one line that begins with `origin`, for a text that is none.
SlotFile slots_from_json(const Topology& topology, std::string_view text, std::string_view origin);

} // namespace nocturne
