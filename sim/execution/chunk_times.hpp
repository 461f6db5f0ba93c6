// What transfers of chunks take on the hardware if nothing stands in their way.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/link_network.hpp"
#include "models/topology/port_model.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The channels of its path. Links without a channel are a processor's own: the hardware has injection and
/// ejection links there.
Route route_of(const Transfer& transfer, const LinkNetwork& network);

/// Cycles of one transfer.
struct ChunkTransferTime {
    std::uint64_t duration; ///< from its begin to its end
    std::uint64_t hold;     ///< from its begin until it gives its share of its links back
};

/// It takes t0 and zero_load_cycles() of its path and flits; it holds its share of the links of its path
/// (LinkShares) for as many cycles as the narrowest needs for the flits, and Pipeline::head_cycles() + 1 in
/// which a virtual channel changes hands.
ChunkTransferTime chunk_transfer_time(const Transfer& transfer, std::uint64_t bytes, const Topology& topology,
                                      const LinkNetwork& network, const HardwareConfig& hardware);

/// When each transfer ends, in cycles, by these times and transfer_ends(). A run in which no flit is blocked
/// takes exactly that (with switches a head may wait for a cycle that is not counted). What blocks flits:
/// transfers that meet in switches, and two heads that ask for the same ejection port in the same cycle, of
/// which one waits some cycles. Precondition: valid.
TransferEnds expected_end_cycles(const Schedule& schedule, const Topology& topology,
                                 const LinkNetwork& network, const HardwareConfig& hardware,
                                 std::uint64_t bytes_per_weight);

/// The most cycles that one of the transfers takes for its head beyond the model (transfer_time()): what
/// routers and interfaces take, which the model does not count.
std::uint64_t uncounted_cycles(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                               const HardwareConfig& hardware);

/// The narrowest flits from `least` bytes on of which links lose least of their bandwidth, a flit taking
/// whole cycles: none where every width divides that of a flit. As wide as the widest link, or up to 16 times
/// that.
unsigned flit_bytes_wanted(const LinkNetwork& network, unsigned least);

/// What it takes that transfers share links as they do by expected_end_cycles().
struct WantedHardware {
    /// Of a link: one more than transfers hold it at a time, so that a head need not wait for the tail of the
    /// last one. They may be more than there may be (most_vcs).
    unsigned vcs;
    /// More than all-port where a processor sends several messages over one link at a time. Twice as many
    /// where a head can come to a processor of several links before the tail that was sent before it over a
    /// longer path: it would share the ejection link of another message for all of its time.
    PortModel ports;
};

/// `most_at_once`: see TransferEnds.
WantedHardware hardware_wanted(const Schedule& schedule, const std::vector<std::uint32_t>& most_at_once,
                               const Topology& topology, const LinkNetwork& network);

} // namespace nocturne
