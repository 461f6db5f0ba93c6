// How a search has come to its result.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nocturne::cli {

/// How a search by time has come to what it found.
class SearchHistory {
public:
    /// After so many seconds: `best` counts the cycles of the best schedule so far, if there is one.
    void note(double seconds, std::optional<double> best);

    /// `43 s of search, the last 40 s for less than 1 %: --budget ends it earlier`, of one that found a
    /// schedule of so many cycles; empty unless it took 10 s or more, and half of it for so little.
    std::string remark(double cycles, double seconds) const;

private:
    struct Value {
        double seconds;
        double cycles;
    };

    std::vector<Value> values_; ///< the larger first
};

} // namespace nocturne::cli
