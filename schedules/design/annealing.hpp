// One cooling of a network by exchanges of links.
#pragma once

#include "schedules/design/objective.hpp"
#include "schedules/design/request.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace nocturne::design {

/// Temperatures in units of the cost, hot above cold above 0.
struct TemperatureRange {
    double hot = 0;
    double cold = 0;
};

/// How long: until the first of the two is spent. With exchanges alone the result does not depend on the
/// machine.
struct CoolingTime {
    std::uint64_t exchanges = 0; ///< to try; 0: no limit
    double seconds = 0;          ///< 0: no limit
};

struct Cooling {
    std::uint64_t seed = 1;
    CoolingTime time = {};
    /// Both 0: from a fifth of what an exchange in the first network costs on average to a fortieth of that.
    TemperatureRange temperatures = {};
    std::vector<LinkEnds> start = {}; ///< empty: a random network
    /// A cost at which to stop.
    double enough = -std::numeric_limits<double>::infinity();
    const std::atomic<bool>* stop = nullptr; ///< ends the cooling once it is set
};

struct CoolingResult {
    std::vector<LinkEnds> links; ///< the best network met that is connected; empty if none was
    double cost = 0;             ///< of the objective; infinite if there is no network
    double temperature = 0;      ///< at which that was met
    std::uint64_t exchanges = 0;
};

/// Simulated annealing: an exchange of two links that raises the cost of `searched` by c is kept with
/// probability exp(-c / temperature), and the temperature falls geometrically. The probability is drawn
/// first, so that the evaluation of an exchange ends as soon as it cannot be kept. The best network is that
/// of the least cost of `objective`, which may have other weights than `searched`: a step of the maximum
/// latency is a wall in the landscape that a smaller weight opens. Throws std::invalid_argument if `start` is
/// not a network of the request, or if time has no limit.
CoolingResult cool(const Request& request, const Objective& objective, const Objective& searched,
                   const Cooling& cooling);

} // namespace nocturne::design
