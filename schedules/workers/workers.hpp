// Independent jobs in worker processes. SystemC elaborates once in a process, so each simulation has one of
// its own; that also puts every core to use.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// Runs in a child process: only what it returns comes back. What it prints to stdout goes to stderr.
using Job = std::function<nlohmann::json()>;

struct WorkerOptions {
    unsigned workers = 0; ///< processes at a time; 0 = one for each core
    /// Called in the parent with the jobs done so far and their number, after each job and at least five
    /// times a second.
    std::function<void(std::size_t done, std::size_t total)> on_progress = {};
    /// Called in the parent with each result as it comes. True makes the jobs behind it in the list
    /// superfluous: they are stopped and their results stay null; those before it go on. So a race has the
    /// same winner whatever the number of workers: the first in the list that settles it.
    std::function<bool(std::size_t job, const nlohmann::json& result)> settles = {};
    /// Jobs that are not done by then are stopped; their results stay null.
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// SIGINT, SIGTERM or SIGHUP arrived. Not a std::runtime_error: only main() may take it for a
/// failure.
class Interrupted final : public std::exception {
public:
    explicit Interrupted(int signal);
    const char* what() const noexcept override { return text_.c_str(); }
    /// What the shell expects of a program that this signal ended: 130 for SIGINT, 143 for SIGTERM.
    int exit_status() const { return 128 + signal_; }

private:
    int signal_;
    std::string text_;
};

/// The results of the jobs, in the order of the jobs; any JSON value, exact to the bit. Each job runs in a
/// fork of this process as it is now, so call this before anything of SystemC exists in it, and from a
/// process with one thread.
///
/// What it throws does not depend on the number of workers either: the error of the first job in the list
/// that fails. std::invalid_argument stays one, any other exception becomes std::runtime_error with the same
/// text, and so does a worker that dies (`job 3: worker process was killed by signal 11 (Segmentation
/// fault)`). Jobs after it are stopped. SIGINT, SIGTERM and SIGHUP are caught for as long as this function
/// runs and end it with Interrupted. However it ends, no worker is left behind; they die too if this process
/// is killed.
std::vector<nlohmann::json> run_jobs(std::span<const Job> jobs, const WorkerOptions& options = {});

} // namespace nocturne
