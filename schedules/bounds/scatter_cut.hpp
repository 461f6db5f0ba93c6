// The flow bound of a scatter with one sender or one receiver: a minimum cut.
#pragma once

#include "schedules/flows/walk_graph.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// Lengths 0 and 1, by resource, that prove the best flow bound of messages with one receiver each: a cut
/// through which the fewest steps' capacity does not suffice. Nothing if neither all origins nor all
/// receivers are the same processor, or under a slack other than 0, when walks that share a channel may have
/// different hops left.
std::optional<std::vector<std::int64_t>> scatter_cut(const Problem& problem, const WalkGraph& graph);

} // namespace nocturne
