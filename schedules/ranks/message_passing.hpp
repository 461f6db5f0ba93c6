// Messages between the ranks of an MPI job. MPI itself is in a plugin beside the program (mpi_plugin.cpp),
// which is loaded by an MPI job only: no other call pays for its libraries, nor needs them.
#pragma once

#include "schedules/workers/team.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace nocturne {

struct RankMessage {
    std::uint32_t from = 0;
    Bytes content;
};

/// Ranks are numbered from 0 to size - 1.
struct MessagePassing {
    std::uint32_t rank = 0; ///< of this process
    std::uint32_t size = 1;
    /// Messages from one rank to another arrive in order.
    std::function<void(std::uint32_t to, std::span<const std::uint8_t> content)> send;
    /// A message that has arrived, without waiting.
    std::function<std::optional<RankMessage>()> receive;
    /// The end, which all ranks come to together, with all messages received. A process that ends without it
    /// makes MPI end the others, too.
    std::function<void()> finish;
};

/// What the environment says of a process that mpirun, srun or the like has started.
struct RankEnvironment {
    std::uint32_t rank = 0;
    std::uint32_t local_size = 1; ///< ranks on this machine
};

/// Nothing for a process that is no rank of an MPI job.
std::optional<RankEnvironment> rank_environment();

/// From now on this process, and those that it starts, are no ranks: what a job runs is a command by itself.
void leave_rank_environment();

/// Jobs that a rank runs at a time: its share of the cores of its machine, or those that it is bound to if
/// they are fewer.
unsigned cores_of(const RankEnvironment& environment);

/// Joins the MPI job. Throws std::runtime_error if there is no plugin: nocturne was built without MPI.
MessagePassing open_message_passing();

} // namespace nocturne
