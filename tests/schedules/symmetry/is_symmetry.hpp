// What a symmetry is, told from its definition.
#pragma once

#include "schedules/symmetry/symmetries.hpp"

namespace nocturne::test {

/// Is it one: permutations, each channel's ends and each processor's attachments in agreement, and if there
/// is a collective, the image of every message one of its messages? Latency, width and names do not matter:
/// schedules do not know them.
bool is_symmetry(const Topology& topology, const Symmetry& symmetry);
bool is_symmetry(const Topology& topology, const Collective& collective, const Symmetry& symmetry);

} // namespace nocturne::test
