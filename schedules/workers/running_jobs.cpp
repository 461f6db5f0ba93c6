#include "schedules/workers/running_jobs.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace {

/// What a job's process writes to its pipe: this letter and what the work returned, or a failure.
constexpr std::uint8_t has_answer = 'r';

Bytes answer_of(const RunningJobs::Work& work)
{
    try {
        Bytes answer = work();
        answer.insert(answer.begin(), has_answer);
        return answer;
    } catch (...) {
        return current_failure();
    }
}

Bytes bytes_of_text(std::string_view text)
{
    return {text.begin(), text.end()};
}

std::exception_ptr exception_of(const Bytes& failure)
{
    try {
        rethrow_failure(failure);
    } catch (...) {
        return std::current_exception();
    }
}

} // namespace

/// Once, so that no job starves the others; true at the end.
bool RunningJobs::RunningJob::read_some()
{
    std::array<std::uint8_t, 65536> chunk;
    const ssize_t count = read(pipe.number(), chunk.data(), chunk.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN)
        throw_errno("read");
    if (count > 0)
        answer.insert(answer.end(), chunk.begin(), chunk.begin() + count);
    return count == 0;
}

JobResult RunningJobs::RunningJob::result(std::uint64_t id, JobEnd end, Bytes content) const
{
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return {.id = id, .end = end, .seconds = seconds.count(), .content = std::move(content)};
}

/// Waits for the end of its process, which has closed its pipe.
JobResult RunningJobs::RunningJob::result(std::uint64_t id)
{
    const int status = process.wait();
    if (status != 0 || answer.empty())
        return result(id, JobEnd::died, bytes_of_text(describe_end(status)));
    Bytes content(answer.begin() + 1, answer.end());
    if (answer.front() == has_answer)
        return result(id, JobEnd::done, std::move(content));
    if (answer.front() == is_out_of_memory)
        content = bytes_of_text("out of memory");
    JobResult failed = result(id, JobEnd::failed, std::move(content));
    failed.error = exception_of(answer);
    return failed;
}

void RunningJobs::start(std::uint64_t id, const Work& work)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw_errno("pipe");
    Descriptor reading(ends[0]);
    const Descriptor writing(ends[1]);
    std::vector<int> inherited{reading.number(), descriptor_};
    for (const auto& [other, job] : running_)
        inherited.push_back(job.pipe.number());
    ChildProcess process(signals_, inherited, [&] {
        if (!send_all(writing.number(), answer_of(work)))
            _exit(1);
    });
    running_.emplace(
        id, RunningJob{std::move(process), std::move(reading), std::chrono::steady_clock::now(), {}});
}

std::optional<JobResult> RunningJobs::stop(std::uint64_t id)
{
    const auto job = running_.find(id);
    if (job == running_.end())
        return std::nullopt;
    JobResult result = job->second.result(id, JobEnd::stopped);
    running_.erase(job);
    return result;
}

RunningJobs::News RunningJobs::wait(int patience_ms)
{
    std::vector<pollfd> awaited{{descriptor_, POLLIN, 0}};
    for (const auto& [id, job] : running_)
        awaited.push_back({job.pipe.number(), POLLIN, 0});
    if (poll(awaited.data(), awaited.size(), patience_ms) < 0 && errno != EINTR)
        throw_errno("poll");
    News news{awaited.front().revents != 0, {}};
    std::size_t place = 1;
    for (auto job = running_.begin(); job != running_.end();) {
        if (awaited[place++].revents == 0 || !job->second.read_some()) {
            ++job;
            continue;
        }
        news.ended.push_back(job->second.result(job->first));
        job = running_.erase(job);
    }
    return news;
}

} // namespace nocturne
