// Benes networks the plain way: what tests hold the tables and the router against.
#pragma once

#include "models/benes/randomized_routing.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne::test {

struct BenesSize {
    unsigned q;
    unsigned n;
    unsigned truncated;
};

/// Small and middling ones of every kind.
const std::vector<BenesSize>& benes_sizes();

/// The output lines, one for each column, of a message from `source` with this tag.
std::vector<std::uint32_t> lines_of(const BenesWiring& wiring, std::uint32_t source,
                                    std::span<const std::uint16_t> tag);

/// PermutationRouter::route() with sets and sorting in the place of tables.
PermutationRun route_plainly(const BenesWiring& wiring, std::span<const std::uint32_t> destination,
                             const RandomizedRouting& how);

} // namespace nocturne::test
