// Does a result file hold what it claims? Judged by the validator and the checker of bounds, without any
// engine.
#pragma once

#include "schedules/schedule/validator.hpp"
#include "sim/result_files/result_file.hpp"

#include <string>
#include <vector>

namespace nocturne {

struct Certification {
    std::vector<Violation> violations = {};    ///< of the schedule
    std::vector<std::string> refutations = {}; ///< why a certificate proves nothing, a line each

    bool holds() const { return violations.empty() && refutations.empty(); }
};

/// Judges schedule and bound, whichever there are.
Certification certify(const ResultFile& result);
/// The same of chunks.
Certification certify(const Schedule* schedule, const Bounds& bounds, const LinkNetwork& network,
                      const Collective& collective);

} // namespace nocturne
