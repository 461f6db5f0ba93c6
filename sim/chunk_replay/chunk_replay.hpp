// A schedule of chunks on the simulated network: DMA engines that add what comes to what is there.
#pragma once

#include "models/hardware/chunk_element.hpp"
#include "models/network/configuration.hpp"
#include "models/topology/port_model.hpp"
#include "schedules/schedule/transfer_weights.hpp"
#include "sim/report/results.hpp"
#include "sim/simulation/network_model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

struct ChunkReplayOptions {
    HardwareConfig hardware;
    std::uint64_t bytes_per_weight = 1024; ///< of a chunk of weight 1; whole words, 4 or more
    ChunkElement element = ChunkElement::int32;
    std::uint64_t seed = 1; ///< of the contributions
    NetworkModel model = NetworkModel::flit;
    PortModel ports = all_port; ///< messages that a processor sends at once; see hardware_wanted()
};

struct ChunkReplayResult {
    double time_ns = 0; ///< when the last transfer has ended
    /// What the transfers take by expected_end_cycles(), if nothing stands in their way.
    double expected_ns = 0;
    std::uint64_t blocked_cycles = 0; ///< see MessageNetwork::blocked_cycles()
    std::uint64_t flit_hops = 0;
    std::size_t results_owed = 0;  ///< chunks that receivers are owed
    std::size_t results_right = 0; ///< those that are what a reference computed apart says, byte by byte
    std::vector<double> end_ns;    ///< of each transfer
    /// Of the processor that has the most: memory for what waits until a step ends.
    std::uint64_t staging_bytes = 0;
    std::optional<Stall> stall = std::nullopt;

    bool memory_ok() const { return results_right == results_owed; }
};

/// When each transfer ends if nothing stands in its way, in cycles: it takes t0 and zero_load_cycles() of its
/// path and flits; it holds its share of the links of its path (LinkShares) for as many cycles as the
/// narrowest needs for the flits, and Pipeline::head_cycles() + 1 in which a virtual channel changes hands. A
/// run in which no flit is blocked takes exactly that (with switches a head may wait for a cycle that is not
/// counted). What blocks flits: transfers that meet in switches, and two heads that ask for the same ejection
/// port in the same cycle, of which one waits some cycles. Precondition: valid.
std::vector<double> expected_end_cycles(const Schedule& schedule, const Topology& topology,
                                        const LinkNetwork& network, const ChunkReplayOptions& options);

/// The narrowest flits from `least` bytes on of which links lose least of their bandwidth, a flit taking
/// whole cycles: none where every width divides that of a flit. As wide as the widest link, or up to 16 times
/// that.
unsigned flit_bytes_wanted(const LinkNetwork& network, unsigned least);

/// What it takes that transfers share links as they do by expected_end_cycles().
struct WantedHardware {
    /// Of a link: one more than transfers hold it at a time, so that a head need not wait for the tail of the
    /// last one; at most as many as there may be.
    unsigned vcs;
    PortModel ports; ///< more than all-port where a processor sends several messages over one link at a time
};

/// Precondition: valid.
WantedHardware hardware_wanted(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                               const ChunkReplayOptions& options);

/// Runs a valid schedule in this process, once (see simulate()). Each transfer is a message of its chunk over
/// its path: it starts when those it waits for have arrived and its links have room for its rate beside their
/// earlier transfers, or in its step, behind a barrier that takes no time; t0 is the start-up of a transfer.
/// What comes to a place from which the same step sends stays in a staging buffer until the step ends
/// (stage_steps()), and is then written or added in no time, as local transfers are. Router buffers are as
/// deep as their links need at full rate if `hardware.buffer_flits` is 0.
///
/// Throws std::invalid_argument for a schedule that is not valid (with its first violation), whose chunks are
/// no whole words, or that stores chunks in switches, and as make_network().
ChunkReplayResult replay_chunks_in_this_process(const Schedule& schedule, const Topology& topology,
                                                const LinkNetwork& network,
                                                const ChunkReplayOptions& options);

/// The same in a worker process, as often as you like.
ChunkReplayResult replay_chunks(const Schedule& schedule, const Topology& topology,
                                const LinkNetwork& network, const ChunkReplayOptions& options);

} // namespace nocturne
