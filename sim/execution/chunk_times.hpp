// What transfers of chunks take on the hardware if nothing stands in their way.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/link_network.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The channels of its path. Links without a channel are a processor's own: the hardware has injection and
/// ejection links there.
Route route_of(const Transfer& transfer, const LinkNetwork& network);

/// Cycles of one transfer.
struct ChunkTransferTime {
    std::uint64_t duration; ///< from its begin to its end
    std::uint64_t hold;     ///< from its begin until its links take the next transfer
};

/// It takes t0 and zero_load_cycles() of its path and flits; the links of its path take the next transfer
/// after as many cycles as the narrowest needs for the flits, and Pipeline::head_cycles() + 1 in which a
/// virtual channel changes hands.
ChunkTransferTime chunk_transfer_time(const Transfer& transfer, std::uint64_t bytes, const Topology& topology,
                                      const LinkNetwork& network, const HardwareConfig& hardware);

/// When each transfer ends, in cycles, by these times and end_times(). A run in which no flit is blocked
/// takes exactly that (with switches a head may wait for a cycle that is not counted). What blocks flits:
/// transfers that meet in switches, and two heads that ask for the same ejection port in the same cycle, of
/// which one waits some cycles. Precondition: valid.
std::vector<double> expected_end_cycles(const Schedule& schedule, const Topology& topology,
                                        const LinkNetwork& network, const HardwareConfig& hardware,
                                        std::uint64_t bytes_per_weight);

} // namespace nocturne
