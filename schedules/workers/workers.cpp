#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace {

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] void fail(std::string_view what)
{
    throw std::runtime_error(fmt::format("worker processes: {}: {}", what, std::strerror(errno)));
}

class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor()
    {
        if (number_ >= 0)
            close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

/// Keeps SIGINT, SIGTERM and SIGHUP from this process and hands them out through a descriptor instead.
class SignalWatch {
public:
    SignalWatch()
    {
        sigset_t watched;
        sigemptyset(&watched);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
            sigaddset(&watched, signal);
        pthread_sigmask(SIG_BLOCK, &watched, &before_);
        descriptor_ = Descriptor(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
        if (descriptor_.number() < 0) {
            restore();
            fail("signalfd");
        }
    }
    ~SignalWatch() { restore(); }
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    int descriptor() const { return descriptor_.number(); }
    void restore() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    /// The signal that arrived, if one did.
    std::optional<int> take() const
    {
        signalfd_siginfo info;
        if (read(descriptor_.number(), &info, sizeof info) != sizeof info)
            return std::nullopt;
        return static_cast<int>(info.ssi_signo);
    }

private:
    sigset_t before_;
    Descriptor descriptor_;
};

// What a worker writes to its pipe: one of these letters, then the result as CBOR or the text of the error.
constexpr std::uint8_t has_result = 'r';
constexpr std::uint8_t has_invalid_argument = 'i';
constexpr std::uint8_t has_error = 'e';

Bytes error_message(std::uint8_t kind, std::string_view text)
{
    Bytes message{kind};
    message.insert(message.end(), text.begin(), text.end());
    return message;
}

Bytes message_of(const Job& job)
{
    try {
        Bytes message{has_result};
        nlohmann::json::to_cbor(job(), message);
        return message;
    } catch (const std::invalid_argument& error) {
        return error_message(has_invalid_argument, error.what());
    } catch (const std::exception& error) {
        return error_message(has_error, error.what());
    } catch (...) {
        return error_message(has_error, "unknown exception");
    }
}

/// The life of a worker, from the fork to its end.
[[noreturn]] void work(const Job& job, int pipe, const SignalWatch& signals, pid_t parent) noexcept
{
    // Ctrl-C reaches the whole process group; the parent decides what becomes of its workers.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    signals.restore();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) // it died before the request
        _exit(1);
    dup2(STDERR_FILENO, STDOUT_FILENO);

    const Bytes message = message_of(job);
    for (std::size_t sent = 0; sent < message.size();) {
        const ssize_t count = write(pipe, message.data() + sent, message.size() - sent);
        if (count < 0 && errno != EINTR)
            _exit(1);
        sent += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    _exit(0); // without the destructors and buffers that belong to the parent
}

/// A process at work on one job. Destroyed before its end it is killed; it is always waited for.
class Worker {
public:
    Worker(pid_t process, Descriptor pipe) : process_(process), pipe_(std::move(pipe)) {}
    Worker(Worker&& other) noexcept
        : process_(std::exchange(other.process_, 0)), pipe_(std::move(other.pipe_)),
          message_(std::move(other.message_))
    {
    }
    Worker& operator=(Worker&&) = delete;
    ~Worker()
    {
        if (process_ > 0) {
            kill(process_, SIGKILL);
            wait_for_end();
        }
    }

    int pipe() const { return pipe_.number(); }

    /// Takes what the pipe holds; true once the worker has closed it. Reads once, so that no worker starves
    /// the others.
    bool read_some()
    {
        std::array<std::uint8_t, 65536> chunk;
        const ssize_t count = read(pipe_.number(), chunk.data(), chunk.size());
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            fail("read");
        if (count > 0)
            message_.insert(message_.end(), chunk.begin(), chunk.begin() + count);
        return count == 0;
    }

    /// The job's result, or the exception that stands for it.
    nlohmann::json result(std::size_t job)
    {
        const int status = wait_for_end();
        if (WIFSIGNALED(status))
            throw std::runtime_error(fmt::format("job {}: worker process was killed by signal {} ({})", job,
                                                 WTERMSIG(status), strsignal(WTERMSIG(status))));
        if (WEXITSTATUS(status) != 0 || message_.empty())
            throw std::runtime_error(fmt::format(
                "job {}: worker process ended without a result, exit status {}", job, WEXITSTATUS(status)));
        const std::string text(message_.begin() + 1, message_.end());
        if (message_.front() == has_invalid_argument)
            throw std::invalid_argument(text);
        if (message_.front() == has_error)
            throw std::runtime_error(text);
        return nlohmann::json::from_cbor(message_.begin() + 1, message_.end());
    }

private:
    int wait_for_end()
    {
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = 0;
        return status;
    }

    pid_t process_;
    Descriptor pipe_;
    Bytes message_;
};

using Workers = std::map<std::size_t, Worker>; // by job

Worker start(const Job& job, const Workers& others, const SignalWatch& signals)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        fail("pipe");
    Descriptor reading(ends[0]);
    const Descriptor writing(ends[1]);
    // What is in the buffers now must not be printed by the worker as well.
    std::cout.flush();
    std::fflush(stdout);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0)
        fail("fork");
    if (process == 0) {
        for (const auto& [index, other] : others)
            close(other.pipe());
        close(reading.number());
        close(signals.descriptor());
        work(job, writing.number(), signals, parent);
    }
    return {process, std::move(reading)};
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
            fail("poll");
        if (const std::optional<int> signal = signals_.take())
            throw Interrupted(*signal);

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
