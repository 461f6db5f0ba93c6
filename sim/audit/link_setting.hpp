// Width and clock of a network whose links have rates, or widths that a clock makes rates.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/imports/link_rates.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// As parse_link_rate(). Throws std::invalid_argument, one line, for a text that is no rate, and for a rate
/// of 0.
LinkRate link_rate_of(std::string_view text);

struct LinkSetting {
    std::uint64_t bytes_per_cycle = 1; ///< of links whose width the network leaves open
    double cycle_ns = 1;
    std::string remark = {}; ///< what was chosen; may be empty
};

/// The rate of links without a width, those between a router and its several processors among them, is
/// the one given, or that of the machine that the network is (gpu_machine()). The cycle is the one
/// given, or 1 ns, so that widths in bytes a cycle are GB/s; if all widths are open, that of
/// clock_for(). Throws std::invalid_argument if a rate is needed and not given, or given and not
/// needed, or is no whole number of bytes a cycle.
LinkSetting link_setting(const Topology& topology, std::optional<LinkRate> rate,
                         std::optional<double> cycle_ns);

/// Of a log whose GPUs, `NVIDIA H200`, have links of another rate together than those of the machine that is
/// named as its network; empty if they have not, or nothing is known of either.
std::string other_gpus_remark(std::string_view device, std::string_view network);

} // namespace nocturne
