// Jobs that come one after the other, each run in a process of its own on this machine.
#pragma once

#include "schedules/workers/job_transport.hpp"

#include <memory>

namespace nocturne {

/// A server process, forked from this one when the pool is made, forks a process for each job. So what this
/// process opens or starts later (files with locks, threads, MPI) is in no job.
class JobPool {
public:
    /// Called in the job's process.
    using Work = std::function<Bytes(std::span<const std::uint8_t> job)>;

    /// `workers`: jobs at a time; 0 = one for each core that this process may use. Call it from a process
    /// with one thread, before anything of SystemC exists in it. SIGINT, SIGTERM and SIGHUP are caught for as
    /// long as the pool lives, and reach no job.
    JobPool(unsigned workers, const Work& work);
    JobPool(const JobPool&) = delete;
    JobPool& operator=(const JobPool&) = delete;
    /// Ends all jobs. They end also if this process is killed.
    ~JobPool();

    std::size_t places() const;
    /// At once; more jobs than there are places wait for their turn, in order.
    void send(const JobMessage& job);
    /// JobTransport::stop().
    void stop(std::uint64_t id);
    /// What has come; waits for something, but not longer than `patience`. Throws Interrupted if a signal has
    /// arrived, and std::runtime_error if the server is gone.
    std::vector<JobResult> receive(std::chrono::milliseconds patience);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// To the jobs of the pool, which must outlive it.
JobTransport transport_of(JobPool& pool);

/// Cores that this process may use, at least 1.
unsigned usable_cores();

} // namespace nocturne
