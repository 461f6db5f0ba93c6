// Jobs over all ranks of an MPI job: rank 0 hands them out, every rank runs its share in a pool of its own.
#pragma once

#include "schedules/ranks/message_passing.hpp"
#include "schedules/workers/job_pool.hpp"

#include <chrono>
#include <memory>

namespace nocturne {

/// When a rank counts as lost. MPI ends all ranks when one dies, unless it is told otherwise (`mpirun
/// --enable-recovery`); then only their silence says so.
struct SignsOfLife {
    std::chrono::milliseconds pause{2'000};    ///< between two of them
    std::chrono::milliseconds silence{30'000}; ///< that gives a rank up
};

/// How ranks part.
enum class RankEnd : std::uint8_t {
    together, ///< all are there: MessagePassing::finish() comes to its end
    alone     ///< one is lost, and would be waited for
};

/// Rank 0's view of all ranks.
class RankJobs {
public:
    /// Waits until all others serve. Throws Interrupted if a signal arrives meanwhile. Messages and pool must
    /// outlive it.
    RankJobs(const MessagePassing& messages, JobPool& own, SignsOfLife signs = {});
    RankJobs(const RankJobs&) = delete;
    RankJobs& operator=(const RankJobs&) = delete;
    ~RankJobs();

    /// Sends jobs to the rank with the most free places, its own pool among them. The jobs of a rank that is
    /// lost are sent to others.
    JobTransport transport();

    /// Lets the others end serve_jobs(), whatever jobs they have, and waits until they do.
    RankEnd end();

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// Any other rank: runs the jobs that rank 0 sends until it says that this is the end. Throws Interrupted if
/// a signal arrives.
RankEnd serve_jobs(const MessagePassing& messages, JobPool& own, SignsOfLife signs = {});

} // namespace nocturne
