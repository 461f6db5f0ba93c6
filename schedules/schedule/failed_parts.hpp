// What of a schedule a fault hits.
#pragma once

#include "models/topology/faults.hpp"
#include "schedules/schedule/validator.hpp"

#include <vector>

namespace nocturne {

/// A violation (Rule::failed_part) for each transfer whose source, destination or path has failed, in their
/// order. `schedule` is one for `topology`, of messages or from memory to memory.
std::vector<Violation> transfers_hit_by(const Schedule& schedule, const Topology& topology,
                                        const Faults& faults);

} // namespace nocturne
