// How long chunked schedules take where nothing is in the way: alpha + beta time.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/alpha_beta.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <functional>
#include <vector>

namespace nocturne {

/// S alpha + (R/C) m beta generalized to unequal alphas: over the steps, the sum of the largest alpha of a
/// path used in the step + rounds x bytes_per_weight / unit_bytes_per_cycle. In cycles.
/// Precondition: valid, in steps.
double time_in_steps(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

/// What a transfer takes by itself.
struct TransferTime {
    double duration;    ///< cycles from its start to its end
    double holds_links; ///< cycles from its start until the links of its path take the next transfer
};

/// alpha of its path, and the time in which a chunk of that weight passes its narrowest link (cut-through).
/// Nothing for a local copy.
TransferTime transfer_time(const Transfer& transfer, std::uint32_t weight, const LinkNetwork& network,
                           const AlphaBeta& cost);

/// When each transfer ends, in cycles from 0, if the transfers take such times. Under dependencies a transfer
/// starts when those it waits for have ended and every link of its path is past its earlier transfers; under
/// steps also when all of the step before have ended. Local transfers take no time; under steps they end when
/// their step does. Precondition: valid.
std::vector<double> end_times(const Schedule& schedule, const LinkNetwork& network,
                              const std::function<TransferTime(std::uint32_t transfer)>& time_of_transfer);

/// When each transfer of a schedule under dependencies ends, in cycles from 0. A transfer starts when those
/// it waits for have ended and every link of its path is past its earlier transfers, and takes
/// transfer_time(). Precondition: valid.
std::vector<double> end_times(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

/// The last of end_times(), or time_in_steps(), as the schedule synchronizes.
double time_of(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

} // namespace nocturne
