// What the share of quick permutations cannot exceed.
#pragma once

#include <cstdint>

namespace nocturne::benes_design_space {

/// What the share of permutations within `limit` network cycles cannot exceed with single randomization on
/// B(q,2), whatever the permutation: the probability that none of the q first switches draws one of its
/// outputs more than `limit` times, since a source keeps its draw and an output takes one message a network
/// cycle. Exact. q from 2, limit from 1.
double most_share_within(std::uint32_t q, std::uint32_t limit);

} // namespace nocturne::benes_design_space
