// When are two candidates the same network?
#pragma once

#include "schedules/design/objective.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::design {

/// The same words for two candidates of one request exactly if other numbers for the nodes make one the
/// other. Nodes keep their numbers of processors; if their positions are known, which make them differ, they
/// keep their own numbers. By nauty: some microseconds for small networks.
std::vector<std::uint32_t> canonical_links(const Candidate& candidate);

} // namespace nocturne::design
