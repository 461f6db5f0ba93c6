// Boxes of GPUs, and clusters of such boxes. GPUs are routers with a processor, `gpu0`, `gpu1`, ...; a link
// of NVLink is a link here, so that some run in parallel. All-port.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <string_view>

namespace nocturne {

/// A machine of GPUs that has a name here. Its network leaves the width of the links open: in bytes a cycle
/// it follows from their rate and the clock.
struct GpuMachine {
    std::string_view network; ///< `dgx_h100`
    std::string_view model;   ///< of the GPUs: `H100`
    std::string_view link;    ///< `an NVLink of an H100`
    std::uint64_t gb_per_s;   ///< of a link one way, 10^9 bytes a second, which are bytes a ns
};

/// The machine of this network, also `dgx_h100 without link:gpu0-switch0` (with_faults()); null for any other
/// network, clusters of boxes among them.
const GpuMachine* gpu_machine(std::string_view network);

/// `dgx1`: eight V100 with six NVLinks each, the hybrid cube mesh: two quads in which each GPU is linked to
/// each other one, and links between the same GPUs of both, of which some are double (the links are those of
/// msccl-tools, `topologies/nvidia.py`).
Topology make_dgx1();

/// `dgx2`: sixteen V100 on two boards of eight, six NVSwitches on each board: every GPU has a link to each
/// switch of its board, every switch eight to the same switch of the other board (descriptions of the
/// NVSwitch by third parties; NVIDIA's own document was not at hand).
Topology make_dgx2();

/// `dgx_a100`: eight A100 with twelve NVLinks each, two to each of six NVSwitches (the same).
Topology make_dgx_a100();

/// `dgx_h100`: eight H100 with eighteen NVLinks each to four NVSwitches: 5, 4, 4 and 5 of them
/// (that there are four and that each GPU divides its eighteen between them is from such descriptions, too;
/// how is unchecked).
Topology make_dgx_h100();

/// `rail:n,g[,s]`: n boxes of g GPUs behind one switch each, and g rail switches: switch k joins GPU k of
/// all boxes. With s the rail-optimized cluster, in which s spine switches join all rails; without it, or 0,
/// the rail-only one (Wang, Ghobadi, Shakeri, Zhang and Hasani, Rail-only: a low-cost high-performance
/// network for training LLMs with trillion parameters, 2023, unchecked), in which what goes to another rail
/// goes through a box. GPU k of box b is called `b0g3` and is processor b*g + k. n and g are at least 2.
/// Throws std::invalid_argument for sizes out of range and a network too large.
Topology make_rail_cluster(unsigned boxes, unsigned gpus, unsigned spines);

} // namespace nocturne
