// Schedules on rings that everybody knows, written down by hand: what judges and clocks are tried on.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

namespace nocturne::test {

/// A ring of `nodes` with a link to each neighbour: 8 bytes a cycle, 3 cycles.
LinkNetwork ring(std::uint32_t nodes);

/// The ring's reduce-scatter and allgather: `nodes` chunks that go round twice, in 2 (nodes-1) steps.
Schedule ring_allreduce(std::uint32_t nodes);

/// The same transfers, each waiting for the one that brings what it sends.
Schedule ring_allreduce_without_barriers(std::uint32_t nodes);

} // namespace nocturne::test
