// A machine of GPUs as its topology text describes it, and networks of one or several such machines.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/imports/link_rates.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// `400Gb/s`, or `8x400Gb/s` for eight of them.
struct NicOption {
    unsigned count = 0; ///< of a box; 0: as many as the text names
    LinkRate rate = 0;
};

/// Throws std::invalid_argument, `--nic …`, for another text.
NicOption parse_nic_option(std::string_view text);

/// What the texts do not say, where it is given.
struct MachineOptions {
    std::optional<std::string> gpu; ///< model of the GPUs
    std::optional<NicOption> nic;
    std::optional<unsigned> boxes; ///< equal ones; else one
};

/// All direct links between two GPUs.
struct GpuPair {
    unsigned a = 0, b = 0;
    LinkRate rate = 0;
};

/// Distances between a NIC and a GPU are compared, and those of one of these classes begin with it.
inline constexpr unsigned below_one_switch = 0, in_one_numa_node = 1000, in_one_box = 2000;

struct BoxNic {
    std::string name;
    LinkRate rate = 0;               ///< 0: not known
    LinkRate pcie = 0;               ///< of its own PCIe path; 0: not known
    std::vector<unsigned> distances; ///< by GPU
};

struct GpuBox {
    std::string fabric = "NVLink"; ///< what the links are called
    unsigned gpus = 0;
    std::vector<GpuPair> pairs;
    std::vector<LinkRate> switched; ///< to NVSwitches, by GPU
    std::vector<LinkRate> pcie;     ///< to the host and NICs, by GPU; 0: not known
    std::vector<BoxNic> nics;
    std::vector<std::string> notes; ///< what was read and what was assumed
};

/// Largest number of GPUs of a box, and of all boxes.
inline constexpr unsigned most_box_gpus = 1024, most_machine_gpus = 4096;

/// A network in bytes per cycle.
struct MachineNetwork {
    Topology topology;
    LinkClock clock;
    std::vector<std::string> notes;
};

/// GPU k of the box is `gpu3`, of box b of several `b0g3`, and processor b*gpus + k. Links of GPUs to
/// switches lead to one switch per box, `nvswitch` or `b0nvswitch`. Where the links do not join all GPUs of a
/// box, each GPU has a PCIe link to another switch, `pcie`.
///
/// Several boxes meet over their NICs, each of which belongs to the nearest GPU. NICs that are as near to
/// several GPUs are dealt out to them, if their number allows it. Where all GPUs have NICs of the same rate
/// of their own, and no `pcie`, GPU k of each box has a link of that rate (at most that of its PCIe link) to
/// switch `railk`. Else each GPU has its PCIe link to a switch of its box, `b0nics` or `b0pcie`, which has a
/// link of the rate of all NICs to the switch `fabric`. Only NICs of the nearest class of distances that
/// occurs are counted: others are those of storage and management, as a rule.
///
/// A link has a latency of 1 cycle. Throws std::runtime_error, one line that begins with `origin` or the
/// option, where a rate is missing and for options that have no effect.
MachineNetwork network_of_boxes(const GpuBox& box, const MachineOptions& options, std::string_view origin);

} // namespace nocturne
