// Does a result file hold what it claims? Judged by the validator and the checker of bounds, without any
// engine.
#pragma once

#include "sim/result_files/result_file.hpp"

#include <string>
#include <vector>

namespace nocturne {

struct Certification {
    std::vector<std::string> violations;                  ///< why the schedule is not valid, a line each
    std::optional<std::string> refutation = std::nullopt; ///< why the certificate does not prove the bound

    bool holds() const { return violations.empty() && !refutation; }
};

/// Judges schedule and bound, whichever there are.
Certification certify(const ResultFile& result);

} // namespace nocturne
