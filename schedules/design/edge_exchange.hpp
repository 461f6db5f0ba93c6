// The engine for networks of short paths: exchanges of links under annealing, from symmetric networks to free
// ones.
#pragma once

#include "schedules/design/design.hpp"
#include "schedules/design/objective.hpp"
#include "schedules/design/request.hpp"

#include <atomic>
#include <cstdint>
#include <functional>

namespace nocturne::design {

/// How far the engine has come.
struct ExchangeProgress {
    unsigned round = 0;          ///< from 1
    std::uint64_t exchanges = 0; ///< tried so far
    double cost = 0;             ///< of the best network so far; infinite if none was connected
    unsigned symmetry = 1;       ///< that this was searched with
};

struct ExchangeOptions {
    std::uint64_t seed = 1;
    double seconds = 0; ///< 0: no limit; one of the two is needed
    std::uint64_t exchanges =
        0;                ///< to try, 0: no limit; alone they make the result the same on every machine
    unsigned islands = 8; ///< coolings in a round, 1 or more
    unsigned rounds = 6;  ///< 1 or more
    unsigned workers = 1; ///< processes, 0 = one for each core; never changes what exchanges lead to
    std::function<void(const ExchangeProgress&)> on_round = {};
    const std::atomic<bool>* stop = nullptr; ///< ends the search once it is set, with one worker
    std::function<void(int exit_status)> on_interrupt = {}; ///< a signal ended it, with several workers
};

/// The best network that exchanges of links find: each round is several coolings side by side (see cool()),
/// first of networks with each symmetry that divides the nodes (under which few parameters are left: such
/// networks are often near the best), then also of the best networks so far with a smaller symmetry, or none,
/// from the temperature at which they formed. The symmetry of the request is kept throughout. Ends early when
/// no network can be better: the Moore bound is reached. Once `stop` is set, or a signal arrives at worker
/// processes, the best network so far is returned.
///
/// Throws std::invalid_argument as check_request(), for weights as CostModel, and if there are no limit of
/// time, no islands or no rounds; std::runtime_error if no connected network was found; and what
/// Team::round() throws, Interrupted only if there is no network yet.
Design exchange_links(const Request& request, const Objective& objective, const ExchangeOptions& options);

} // namespace nocturne::design
