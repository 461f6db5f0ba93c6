// The linear program of least congestion: mix given routings so that the most congested resource is as free
// as possible.
#pragma once

#include "schedules/flows/shortest_walks.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Minimal congestion over all mixtures of the routings added so far. Each group of messages has routings of
/// its own, of which it uses shares that sum up to 1. Solved with COIN-OR CLP; what it says is floating
/// point, and proves nothing.
class CongestionProgram {
public:
    struct Solution {
        double congestion;               ///< steps, or rounds, that the best mixture takes
        std::vector<double> prices;      ///< by resource, 0 or more: how much each one hinders
        std::vector<double> group_costs; ///< under these prices a cheaper routing of a group may help
        std::vector<double> shares;      ///< by routing, in the order in which they were added
    };

    CongestionProgram(const WalkGraph& graph, std::size_t groups);
    ~CongestionProgram();
    CongestionProgram(const CongestionProgram&) = delete;
    CongestionProgram& operator=(const CongestionProgram&) = delete;

    /// One more way to route all messages of a group.
    void add(std::size_t group, std::span<const Load> loads);

    /// Nothing if CLP fails, or has not finished by the end. Every group needs a routing. Goes on from the
    /// solution before.
    std::optional<Solution> solve(const SearchEnd& end);
    /// Pivots times rows so far: what decides how much is solved, so that results do not depend on the
    /// machine.
    std::uint64_t work() const { return work_; }

private:
    struct Solver;

    const WalkGraph& graph_;
    std::vector<int> row_; // by resource; -1 if it does not matter
    std::unique_ptr<Solver> solver_;
    std::uint64_t work_ = 0;
};

} // namespace nocturne
