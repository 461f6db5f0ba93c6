// Why nothing moves in a network.
#pragma once

#include "models/endpoints/delivery_check.hpp"
#include "models/network/message_network.hpp"
#include "sim/report/results.hpp"

#include <optional>

namespace nocturne {

/// Which messages wait for which in a network that is quiet: the reason says that it is a deadlock, or how
/// many are stuck. Nothing if the network is empty.
std::optional<Stall> stall_of(const MessageNetwork& network);

/// The same of a network behind which are DMA engines that wait for messages.
Stall stall_of_engines(const MessageNetwork& network);

/// The same at the end of a run, or the deadlock that ended it. Throws std::logic_error if a message did not
/// arrive once, whole and in order.
std::optional<Stall> checked_stall(const MessageNetwork& network, const DeliveryCheck& check);

} // namespace nocturne
