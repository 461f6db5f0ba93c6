// How jobs get to the processes that run them, and results back, whatever is between the two: this machine's
// worker processes (job_pool.hpp), or those of all ranks of an MPI job (schedules/ranks).
#pragma once

#include "schedules/workers/team.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// A job that does not depend on any other: bytes that the work (JobPool::Work) understands.
struct JobMessage {
    std::uint64_t id = 0; ///< the sender's; comes back with the result
    Bytes content;
};

enum class JobEnd : std::uint8_t {
    done,   ///< the content is what the work returned
    failed, ///< it threw: the content is the exception's text
    died,   ///< its process did: the content is the reason in words
    stopped ///< JobTransport::stop() came before its end: no content
};

struct JobResult {
    std::uint64_t id = 0;
    JobEnd end = JobEnd::done;
    double seconds = 0;     ///< wall-clock time of its process
    std::uint32_t rank = 0; ///< of the machine, as MPI counts; 0 without MPI
    Bytes content;
    /// What was thrown, where that is known: by a fork of this process. Not among the bytes.
    std::exception_ptr error = nullptr;
};

/// As bytes, for one process of this program to read what another one wrote.
Bytes bytes_of(const JobMessage& job);
Bytes bytes_of(const JobResult& result);
/// Throws std::runtime_error for bytes that are none.
JobMessage job_message_of(std::span<const std::uint8_t> bytes);
JobResult job_result_of(std::span<const std::uint8_t> bytes);

struct JobTransport {
    std::size_t places = 0; ///< jobs that are run at the same time
    /// At most `places` jobs are under way at a time.
    std::function<void(const JobMessage& job)> send;
    /// The job is of no interest any more: its process ends. Its result comes all the same, as `stopped`
    /// unless it was on its way.
    std::function<void(std::uint64_t id)> stop;
    /// What has come, in the order in which it came; waits for something, but not longer than `patience`.
    std::function<std::vector<JobResult>(std::chrono::milliseconds patience)> receive;
};

/// Hands out the jobs that `next` names, in that order, each as soon as a place is free, until it names none.
/// `take` gets the results as they come, and is called a few times a second with none while nothing comes.
/// The places are filled again before it is called. Throws what any of them throws, with jobs under way.
void hand_out(const JobTransport& transport, const std::function<std::optional<JobMessage>()>& next,
              const std::function<void(std::vector<JobResult> results)>& take);

} // namespace nocturne
