// Buffers against the time that a credit takes.
#pragma once

#include "models/network/configuration.hpp"

#include <cstdint>
#include <string>

namespace nocturne {

/// What the input buffers of virtual channels lack, flits, for a flit in every cycle over the longest channel
/// (HardwareConfig::full_rate_buffer_of()). 0 if they lack nothing.
std::uint32_t missing_buffer_flits(const Topology& topology, const HardwareConfig& hardware);

/// `buffers are up to N flits too small ...`, with what to do.
std::string describe_missing_buffers(std::uint32_t flits);

} // namespace nocturne
