// Schedules without barriers for random collectives on random networks.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <string>

namespace nocturne::test {

/// A ring of 2 to 7 with some chords.
LinkNetwork random_network(SplitMix64& random);

/// Of an allreduce, an allgather, a reduce-scatter or an alltoall among all, in 1 to 3 chunks.
Schedule random_schedule(SplitMix64& random, const LinkNetwork& network);

/// An all-reduce on a ring of 3, in MSCCL's XML.
std::string example_program();

} // namespace nocturne::test
