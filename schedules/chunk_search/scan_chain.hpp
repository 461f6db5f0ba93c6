// A scan from member to member.
#pragma once

#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// The members of a scan in the order in which their contributions are added; empty for other collectives.
std::vector<std::uint32_t> scan_order(const Collective& collective);

/// Each member adds its contribution to the sum of those before it, and sends it on to the next: over the way
/// that is shortest by the time of a chunk, with what members before take of its links. Parts follow each
/// other as in a pipeline, so that with many of them the time comes near the load of the fullest link.
/// Nothing for other collectives, or if some member cannot be reached from the one before.
std::optional<Schedule> scan_over_chain(const LinkNetwork& network, const Collective& collective,
                                        const AlphaBeta& cost);

} // namespace nocturne
