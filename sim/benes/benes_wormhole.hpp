// Permutations as wormhole messages on the flit-level Benes network: what circuits are held against.
#pragma once

#include "models/network/configuration.hpp"
#include "models/topology/topology.hpp"
#include "models/traffic/permutation.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// A permutation, and the seed of its messages' tags.
struct TaggedPermutation {
    Permutation destination;
    std::uint64_t seed = 1;
};

/// The hardware on which wormhole messages are held against circuits: crossbar switches of
/// crossbar_switch_pipeline (a head needs two cycles in each, and one on the link behind it), one virtual
/// channel, input buffers of 8 flits.
inline constexpr HardwareConfig wormhole_reference{};

/// One permutation after the other, each when the network is empty again: all sources send one message of
/// `flits` flits (1 or more) with random tags (`tag_random`) at once. Returns for each the cycles until the
/// last flit of the last message has left the network, source queues included. The topology routes itself by
/// tags. Throws std::invalid_argument for what the hardware cannot take, and std::runtime_error if a message
/// does not arrive. Simulates in this process: SystemC elaborates once, see run_jobs().
std::vector<std::uint64_t> wormhole_latencies(const Topology& topology,
                                              std::span<const TaggedPermutation> permutations,
                                              std::uint32_t flits,
                                              const HardwareConfig& hardware = wormhole_reference);

} // namespace nocturne
