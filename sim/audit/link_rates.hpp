// Rates of links as people state them, and the clock in which they are whole bytes a cycle.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// GB/s (1e9 bytes) of `25GB/s` or `200Gb/s`. Throws std::invalid_argument, one line, for anything else, and
/// for what is not from 0.001 to 1,000,000 GB/s.
double parse_rate(std::string_view text);

struct LinkRates {
    std::uint64_t bytes_per_cycle = 1; ///< of links whose width the network leaves open
    double cycle_ns = 1;
    std::string remark = {}; ///< what was chosen; may be empty
};

/// The rate of links without a width is the one given, or the 25 GB/s one way of an NVLink (of V100, A100 and
/// H100) in `dgx1`, `dgx2`, `dgx_a100` and `dgx_h100`. The cycle is the one given, or 1 ns, so that widths in
/// bytes a cycle are GB/s; if all widths are open, the shortest of 1 to 1000 ns in which the rate is a whole
/// number of bytes. Throws std::invalid_argument if a rate is needed and not given, or given and not needed,
/// or is no whole number of bytes a cycle.
LinkRates link_rates(const Topology& topology, std::optional<double> rate, std::optional<double> cycle_ns);

} // namespace nocturne
