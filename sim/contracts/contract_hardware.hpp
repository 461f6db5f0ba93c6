// On what hardware slots are exact.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"
#include "schedules/slots/slot_table.hpp"

#include <cstdint>

namespace nocturne {

/// Timing of slots with packets of up to `slot_flits` flits on the routers of the configuration. They have
/// what follows, and no slot table: only sources know one.
///
/// - Each processor has a second interface for guaranteed packets, with an injection and an ejection link of
///   its own (with_server_interfaces()).
/// - On each channel they have a class of virtual channels of their own, the last.
/// - Arbiters are of priority, so that a guaranteed flit gets the switch in the cycle in which it asks for
///   it: it is the only one of its priority at its input and its output. Best-effort flits never delay it.
///
/// Then a packet is in no queue, and a virtual channel is free again when the next one wants it, if a slot is
/// the pipeline's head_cycles() longer than the packet: route computation begins when the tail before has
/// left. Throws std::invalid_argument, naming the network, where a guaranteed packet could wait: arbiters
/// that are not of priority, wavefront switch allocators, speculative pipelines, channels narrower than a
/// flit, and buffers below HardwareConfig::full_rate_buffer_flits(); and for slot_flits out of range.
SlotTiming slot_timing(const Topology& topology, const HardwareConfig& hardware, std::uint32_t slot_flits);

/// The classes of virtual channels of best-effort traffic, and behind them that of guaranteed packets.
VcClasses with_guaranteed_class(const VcClasses& best_effort);

} // namespace nocturne
