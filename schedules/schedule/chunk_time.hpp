// How long chunked schedules take where nothing is in the way: alpha + beta time.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/alpha_beta.hpp"
#include "schedules/schedule/link_shares.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace nocturne {

/// S alpha + (R/C) m beta generalized to unequal alphas: over the steps, the sum of the largest alpha of a
/// path used in the step + rounds x bytes_per_weight / unit_bytes_per_cycle. A step begins when all that it
/// reads has been released. In cycles.
/// Precondition: valid, in steps.
double time_in_steps(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

/// What a transfer takes by itself.
struct TransferTime {
    double duration;    ///< cycles from its start to its end
    double holds_links; ///< cycles from its start until it gives its share of the links of its path back
};

/// Of a path, whatever is sent over it. Of no links nothing.
struct PathTime {
    double alpha = 0;           ///< latencies of its links and start-up, in cycles
    double bytes_per_cycle = 0; ///< rate_of() it

    /// alpha, and the time in which so many bytes pass the narrowest link (cut-through). The links are held
    /// for that time, or for all of it where the latency holds them. Precondition: the path has links.
    TransferTime of(double bytes, const AlphaBeta& cost) const
    {
        const double stream = bytes / bytes_per_cycle;
        return {alpha + stream, cost.latency_holds_link ? alpha + stream : stream};
    }
};

PathTime path_time(std::span<const LinkId> path, const LinkNetwork& network, const AlphaBeta& cost);

/// PathTime::of() a chunk of that weight. Nothing for a local copy.
TransferTime transfer_time(const Transfer& transfer, std::uint32_t weight, const LinkNetwork& network,
                           const AlphaBeta& cost);

/// What a schedule takes if nothing stands in the way of its transfers.
struct TransferEnds {
    std::vector<double> ends;                ///< of each transfer, in cycles from 0
    std::vector<std::uint32_t> most_at_once; ///< by link: transfers that hold it at a time
};

/// The transfers take such times. Under dependencies a transfer starts when those it waits for have ended and
/// every link of its path has room for its rate beside earlier transfers (LinkShares), and not before what it
/// reads is released (transfer_releases()); under steps also when all of the step before have ended. Local
/// transfers take no time; under steps they end when their step does. Precondition: valid.
TransferEnds transfer_ends(const Schedule& schedule, const LinkNetwork& network,
                           const std::function<TransferTime(std::uint32_t transfer)>& time_of_transfer);

/// When each transfer of a schedule under dependencies ends, in cycles from 0, if it takes transfer_time().
/// Precondition: valid.
std::vector<double> end_times(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

/// The last of end_times(), or time_in_steps(), as the schedule synchronizes.
double time_of(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

} // namespace nocturne
