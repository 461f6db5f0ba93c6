// Schedules of several collectives as one.
#pragma once

#include "schedules/concurrent/concurrent.hpp"
#include "schedules/concurrent/group_network.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// A schedule of one of the collectives: of one of its groups on the network of that group alone, or of all
/// its groups on the whole network.
struct PartialSchedule {
    Schedule schedule;
    std::vector<double> ends = {};         ///< of its transfers, alone
    std::vector<GroupNetwork> places = {}; ///< of the groups that it is for; empty: all, on the whole network
    std::vector<std::size_t> groups = {};  ///< the same, by index
};

/// Of one collective, what together is for all its groups.
struct CollectiveSchedules {
    std::uint32_t parts = 1;
    std::vector<PartialSchedule> schedules;
};

/// All groups of a collective, one after the other, in so many parts.
Collective collective_of_groups(const ConcurrentCollective& one, std::uint32_t processors,
                                std::uint32_t parts);

/// The collectives in a row, with weights in a unit that all their chunks are multiples of.
struct JointCollective {
    Collective collective;
    std::vector<ChunkId> first_chunks; ///< of each, and of none behind the last
    std::vector<double> chunk_bytes;   ///< of each
    double unit_bytes = 1;             ///< of weight 1
};

/// What is sent costs that.
AlphaBeta cost_at(const ConcurrentProblem& problem, double bytes_per_weight);

/// Chunks are rounded up to whole elements of 4 bytes. Throws std::invalid_argument if one is 2^32 times as
/// large as the unit of all.
JointCollective joint_collective(const ConcurrentProblem& problem, const std::vector<std::uint32_t>& parts);

/// One transfer on its way into the joint schedule.
struct JoinedTransfer {
    ListedTransfer listed; ///< what it waits for: by the order in which all were added
    double end;            ///< where it is alone
    std::size_t one;       ///< of the collectives
};

/// All transfers of the schedules, each of one collective. Those of a collective that waits for others begin
/// at a member when these have ended there. Transfers over several links go over each by itself, through
/// scratch of the processors between.
std::vector<JoinedTransfer> joined_transfers(const ConcurrentProblem& problem, const JointCollective& joint,
                                             const std::vector<const CollectiveSchedules*>& schedules);

/// In which order the transfers are listed: of those that are ready, links take the first.
enum class Precedence {
    by_time,       ///< as they end in the schedules alone
    longest_first, ///< all of the collective that takes longest alone, then the next
    shortest_first,
};

/// `alone`: cycles of each collective.
Schedule joint_schedule(const ConcurrentProblem& problem, const JointCollective& joint,
                        const std::vector<JoinedTransfer>& joined, const std::vector<double>& alone,
                        Precedence precedence);

/// When each collective ends, in cycles.
std::vector<double> ends_of(const Schedule& schedule, const JointCollective& joint,
                            const LinkNetwork& network, const AlphaBeta& cost);

} // namespace nocturne
