// Randomized self-routing of permutations on circuit-switched Benes networks, network cycle by network cycle
// (Youssef and El-Sayed, Optimization of Randomized Routing on Benes Networks).
#pragma once

#include "models/benes/benes_wiring.hpp"
#include "models/benes/control_tag.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

struct RandomizedRouting {
    Randomization randomization = Randomization::multiple;
    Arbitration arbitration = Arbitration::random;
    std::uint64_t seed = 1;
};

/// What became of a permutation.
struct PermutationRun {
    std::vector<std::uint32_t>
        attempts; ///< by source: network cycles until its message was through, 1 or more

    /// The permutation delay: the most attempts of a source; 0 without sources.
    std::uint32_t delay() const;

    friend bool operator==(const PermutationRun&, const PermutationRun&) = default;
};

/// Routes one permutation after the other; keeps its memory between them. Not for several threads at once.
class PermutationRouter {
public:
    /// The wiring must outlive it.
    explicit PermutationRouter(const BenesWiring& wiring);

    /// In each network cycle all sources that are not through yet send a request along their tags. In each
    /// column, of the requests for one output one goes on, and the others are blocked until the next cycle; a
    /// request that is blocked later has kept the outputs before that for this cycle. What reaches its
    /// destination is through. Each cycle brings at least one message there, so that it ends. Costs (requests
    /// that are still alive) x columns a cycle.
    ///
    /// destination[source] for each line. Throws std::invalid_argument unless that is a permutation of all
    /// lines.
    const PermutationRun& route(std::span<const std::uint32_t> destination, const RandomizedRouting& how);

    /// One network cycle with the given tags: `tags` has columns() digits for each source, one source after
    /// the other. Returns the sources that are blocked, ascending. Throws std::invalid_argument for another
    /// number of digits, or a digit that is no output of a switch.
    std::vector<std::uint32_t> blocked(std::span<const std::uint16_t> tags);

private:
    struct Request {
        std::uint32_t source;
        std::uint32_t line; ///< where it is
    };

    void send(std::uint32_t attempt, const RandomizedRouting& how);

    const BenesWiring* wiring_;
    PermutationRun run_;
    std::vector<TagDraws> draws_;        ///< by source
    std::vector<std::uint16_t> tags_;    ///< by source and column
    std::vector<std::uint32_t> waiting_; ///< sources that are not through
    std::vector<Request> requests_;      ///< alive in this cycle
    std::vector<std::uint32_t> owner_; ///< by output line of the column at hand: index of a request, or none
};

} // namespace nocturne
