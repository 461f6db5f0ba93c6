// Flows of minimum cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

struct CostArc {
    std::uint32_t from;
    std::uint32_t to;
    std::int32_t capacity; ///< 0 or more
    std::int32_t cost;     ///< for each unit, 0 or more
};

/// The cheapest way to send so much from one vertex to another: by arc what it takes, in whole numbers. If
/// every cycle has an arc with a cost, no flow goes round. Nothing if so much cannot be sent. By LEMON's
/// network simplex method (P. Kovács, Minimum-cost flow algorithms: an experimental evaluation, Optimization
/// Methods and Software 30, 2015).
std::optional<std::vector<std::int32_t>> cheapest_flow(std::size_t vertices, std::span<const CostArc> arcs,
                                                       std::uint32_t source, std::uint32_t sink,
                                                       std::int32_t amount);

} // namespace nocturne
