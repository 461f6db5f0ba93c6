// Jobs in forks of this process, each of which does one and says what came of it.
#pragma once

#include "schedules/workers/job_transport.hpp"
#include "schedules/workers/process.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace nocturne {

/// Ends all that run when it is destroyed.
class RunningJobs {
public:
    using Work = std::function<Bytes()>;

    /// `descriptor`: one of this process, which the forks close. Both must outlive it.
    RunningJobs(const SignalWatch& signals, int descriptor) : signals_(signals), descriptor_(descriptor) {}

    std::size_t count() const { return running_.size(); }
    void start(std::uint64_t id, const Work& work);
    /// Ends its process; nothing if the job does not run (any more).
    std::optional<JobResult> stop(std::uint64_t id);

    struct News {
        bool of_descriptor = false;   ///< there is something to read
        std::vector<JobResult> ended; ///< ascending
    };
    /// Waits for something, but not longer than `patience_ms`; -1: however long.
    News wait(int patience_ms);

private:
    struct RunningJob {
        ChildProcess process;
        Descriptor pipe;
        std::chrono::steady_clock::time_point start;
        Bytes answer;

        bool read_some();
        JobResult result(std::uint64_t id, JobEnd end, Bytes content = {}) const;
        JobResult result(std::uint64_t id);
    };

    const SignalWatch& signals_;
    const int descriptor_;
    std::map<std::uint64_t, RunningJob> running_;
};

} // namespace nocturne
