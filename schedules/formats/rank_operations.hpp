// What each rank does, and what it waits for: what formats without places and paths say of a schedule.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <string>
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
/// passes on: those that the transfer waits for, or under steps all of the rank in earlier steps. What
/// overwrites a place waits for the sends that read it. What a transfer waits for at a third rank is left
/// out.
///
/// Throws std::invalid_argument for schedules that store chunks in switches. Precondition: valid.
std::vector<std::vector<RankOperation>> rank_operations(const Schedule& schedule,
                                                        std::uint64_t bytes_per_weight);

/// GOAL text: sends, receives and what they wait for, rank by rank, as LogGOPSim simulates it (Hoefler,
/// Schneider and Lumsdaine, LogGOPSim: Simulating large-scale applications in the LogGOPS model, 2010).
///
/// Of rank_operations(): the tag is the transfer's index from 0. Copies and additions within a rank are
/// calculations of 0. Paths, places and links are not said: GOAL has none.
///
/// Throws std::invalid_argument for schedules that store chunks in switches. Precondition: valid.
std::string to_goal_text(const Schedule& schedule, std::uint64_t bytes_per_weight);

/// Chakra execution traces (MLCommons; github.com/mlcommons/chakra, schema/protobuf/et_def.proto), which
/// simulators of training such as ASTRA-sim run.
///
/// The trace of each rank: a GlobalMetadata and the Nodes, each behind its length as a varint. A transfer is
/// a COMM_SEND_NODE and a COMM_RECV_NODE with the attributes comm_src, comm_dst, comm_tag (the transfer's
/// index from 0), comm_size (bytes) and is_cpu_op (false), what is local a COMP_NODE without operations;
/// `data_deps` are those of rank_operations(). Paths, places and links are not said.
///
/// Throws std::invalid_argument for schedules that store chunks in switches, and for more than
/// 2^31 - 1 transfers or 2^63 - 1 bytes. Precondition: valid.
std::vector<std::string> to_chakra_traces(const Schedule& schedule, std::uint64_t bytes_per_weight);

} // namespace nocturne
