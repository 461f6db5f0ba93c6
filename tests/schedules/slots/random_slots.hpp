// Flows on small networks, and slot tables looked at in another way than the library does.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/slots/slot_table.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace nocturne::test {

struct SlotCase {
    Topology topology;
    SlotTiming timing;
    std::vector<GuaranteedFlow> flows;
};

/// On one of some small networks, with delays of links that differ, or are whole slots as on uniform
/// hardware; `demand`: about the part of a link that a flow asks for.
SlotCase random_slot_case(std::mt19937& random, std::size_t flows, double demand);

/// The least number of cycles, round the period, between the entries of two packets into one link.
std::uint64_t least_distance(const SlotCase& given, const SlotTable& table);

/// The longest latency over all cycles in which a busy time can begin, of messages that come as soon as they
/// may, served packet by packet.
std::uint64_t longest_latency(const SlotCase& given, std::size_t flow, const SlotTable& table);

} // namespace nocturne::test
