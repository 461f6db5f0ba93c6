// What each rank does, and what it waits for: what formats without places and paths say of a schedule.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

struct RankOperation {
    enum class Kind {
        send,
        receive,
        local, ///< a copy or an addition within the rank
    };

    Kind kind;
    bool adds = false;      ///< what comes, or is there, to what is there
    std::uint32_t peer = 0; ///< of sends and receives: the other rank
    std::uint64_t bytes = 0;
    std::uint32_t transfer;                ///< its index: a send and its receive have the same
    std::vector<std::uint32_t> after = {}; ///< indices of operations of the rank, ascending
};

/// By rank. A transfer is a send and a receive. A send waits for the receives of its rank that bring what it
/// passes on: those that the transfer waits for, or under steps all of the rank in earlier steps. What a
/// transfer waits for at a third rank is left out.
///
/// Throws std::invalid_argument for schedules that store chunks in switches. Precondition: valid.
std::vector<std::vector<RankOperation>> rank_operations(const Schedule& schedule,
                                                        std::uint64_t bytes_per_weight);

} // namespace nocturne
