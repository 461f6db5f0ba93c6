#include "schedules/workers/workers.hpp"

#include "schedules/workers/process.hpp"
#include "schedules/workers/worker_died.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace {

using ResultBytes = std::vector<std::uint8_t>;

/// What a worker writes to its pipe: this letter and the result as CBOR, or a failure.
constexpr std::uint8_t has_result = 'r';

ResultBytes message_of(const Job& job)
{
    try {
        ResultBytes message{has_result};
        nlohmann::json::to_cbor(job(), message);
        return message;
    } catch (...) {
        return current_failure();
    }
}

/// A process at work on one job.
class Worker {
public:
    Worker(ChildProcess process, Descriptor pipe) : process_(std::move(process)), pipe_(std::move(pipe)) {}

    int pipe() const { return pipe_.number(); }

    /// Takes what the pipe holds; true once the worker has closed it. Reads once, so that no worker starves
    /// the others.
    bool read_some()
    {
        std::array<std::uint8_t, 65536> chunk;
        const ssize_t count = read(pipe_.number(), chunk.data(), chunk.size());
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            throw_errno("read");
        if (count > 0)
            message_.insert(message_.end(), chunk.begin(), chunk.begin() + count);
        return count == 0;
    }

    /// The job's result, or the exception that stands for it.
    nlohmann::json result(std::size_t job)
    {
        if (const int status = process_.wait(); status != 0 || message_.empty())
            throw WorkerDied(fmt::format("job {}: {}", job, describe_end(status)));
        if (message_.front() != has_result)
            rethrow_failure(message_);
        return nlohmann::json::from_cbor(message_.begin() + 1, message_.end());
    }

private:
    ChildProcess process_;
    Descriptor pipe_;
    ResultBytes message_;
};

using Workers = std::map<std::size_t, Worker>; // by job

Worker start(const Job& job, const Workers& others, const SignalWatch& signals)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw_errno("pipe");
    Descriptor reading(ends[0]);
    const Descriptor writing(ends[1]);
    std::vector<int> inherited{reading.number()};
    for (const auto& [index, other] : others)
        inherited.push_back(other.pipe());
    ChildProcess process(signals, inherited, [&] {
        if (!send_all(writing.number(), message_of(job)))
            _exit(1);
    });
    return {std::move(process), std::move(reading)};
}

/// One call of run_jobs().
class Pool {
public:
    Pool(std::span<const Job> jobs, const WorkerOptions& options)
        : jobs_(jobs), options_(options), end_(jobs.size()), results_(jobs.size()),
          most_(options.workers > 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency()))
    {
    }

    std::vector<nlohmann::json> run()
    {
        while (next_ < end_ || !workers_.empty()) {
            while (next_ < end_ && workers_.size() < most_) {
                workers_.emplace(next_, start(jobs_[next_], workers_, signals_));
                ++next_;
            }
            for (const std::size_t job : wait())
                if (job < end_)
                    finish(job);
            if (std::chrono::steady_clock::now() >= options_.deadline)
                stop_from(0);
            if (options_.on_progress)
                options_.on_progress(done_, jobs_.size());
        }
        if (error_)
            std::rethrow_exception(error_);
        return std::move(results_);
    }

private:
    /// Jobs whose workers have said all they had to say, ascending; none if nothing happens for a while.
    std::vector<std::size_t> wait()
    {
        constexpr int tick_ms = 200;
        std::vector<pollfd> awaited{{signals_.descriptor(), POLLIN, 0}};
        for (const auto& [job, worker] : workers_)
            awaited.push_back({worker.pipe(), POLLIN, 0});
        if (poll(awaited.data(), awaited.size(), tick_ms) < 0 && errno != EINTR)
            throw_errno("poll");
        signals_.throw_if_interrupted();

        std::vector<std::size_t> finished;
        std::size_t place = 1;
        for (auto& [job, worker] : workers_)
            if (awaited[place++].revents != 0 && worker.read_some())
                finished.push_back(job);
        return finished;
    }

    /// Keeps the result. After a failure the jobs before it go on, because one of them may fail too and its
    /// error is the one to report; those behind it end here.
    void finish(std::size_t job)
    {
        const auto worker = workers_.find(job);
        try {
            results_[job] = worker->second.result(job);
            ++done_;
            workers_.erase(worker);
            if (options_.settles && options_.settles(job, results_[job])) {
                stop_from(job + 1);
                // What those behind it have returned already must not depend on who was quicker.
                std::fill(results_.begin() + static_cast<std::ptrdiff_t>(end_), results_.end(), nullptr);
            }
        } catch (...) {
            error_ = std::current_exception();
            stop_from(job);
        }
    }

    /// Jobs from `job` on are of no interest any more.
    void stop_from(std::size_t job)
    {
        end_ = std::min(end_, job);
        workers_.erase(workers_.lower_bound(job), workers_.end());
    }

    std::span<const Job> jobs_;
    const WorkerOptions& options_;
    std::size_t next_ = 0; ///< first job that has not been started
    std::size_t end_;      ///< jobs from here on are of no interest
    std::size_t done_ = 0;
    std::exception_ptr error_;
    std::vector<nlohmann::json> results_;
    std::size_t most_;
    SignalWatch
        signals_; // before the workers: signals come back to this process only after the last one is gone
    Workers workers_;
};

} // namespace

Interrupted::Interrupted(int signal)
    : signal_(signal), text_(fmt::format("interrupted by {}", strsignal(signal)))
{
}

std::vector<nlohmann::json> run_jobs(std::span<const Job> jobs, const WorkerOptions& options)
{
    return Pool(jobs, options).run();
}

} // namespace nocturne
