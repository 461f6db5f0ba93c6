#include "schedules/workers/described_jobs.hpp"

#include "models/text/json_text.hpp"
#include "schedules/workers/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace nocturne {
namespace {

/// One call of run_jobs(). After a failure the jobs before it go on, because one of them may fail too and its
/// error is the one to report; those behind it end.
class DescribedJobs {
public:
    DescribedJobs(const JobTransport& transport, std::span<const JobDescription> jobs,
                  const WorkerOptions& options)
        : transport_(transport), jobs_(jobs), options_(options), end_(jobs.size()), results_(jobs.size())
    {
    }

    std::vector<nlohmann::json> run()
    {
        constexpr std::chrono::milliseconds tick{200};
        while (next_ < end_ || !under_way_.empty()) {
            while (next_ < end_ && under_way_.size() < transport_.places) {
                transport_.send({next_, json_to_cbor(jobs_[next_]())});
                under_way_.insert(next_++);
            }
            for (JobResult& result : transport_.receive(tick)) {
                under_way_.erase(result.id);
                if (result.id < end_)
                    finish(result);
            }
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
    void finish(const JobResult& result)
    {
        const std::string text(result.content.begin(), result.content.end());
        if (result.end == JobEnd::failed)
            error_ = result.error ? result.error : std::make_exception_ptr(std::runtime_error(text));
        if (result.end == JobEnd::died)
            error_ = std::make_exception_ptr(WorkerDied(fmt::format("job {}: {}", result.id, text)));
        if (result.end != JobEnd::done) {
            stop_from(result.id);
            return;
        }
        results_[result.id] = json_from_cbor(result.content);
        ++done_;
        if (!options_.settles || !options_.settles(result.id, results_[result.id]))
            return;
        stop_from(result.id + 1);
        // What those behind it have returned already must not depend on who was quicker.
        std::fill(results_.begin() + static_cast<std::ptrdiff_t>(end_), results_.end(), nullptr);
    }

    /// Jobs from `job` on are of no interest any more.
    void stop_from(std::uint64_t job)
    {
        for (auto id = under_way_.lower_bound(job); id != under_way_.end() && *id < end_; ++id)
            transport_.stop(*id);
        end_ = std::min<std::uint64_t>(end_, job);
    }

    const JobTransport& transport_;
    std::span<const JobDescription> jobs_;
    const WorkerOptions& options_;
    std::uint64_t next_ = 0; ///< first job that has not been sent
    std::uint64_t end_;      ///< jobs from here on are of no interest, and have been stopped
    std::size_t done_ = 0;
    std::set<std::uint64_t> under_way_;
    std::exception_ptr error_;
    std::vector<nlohmann::json> results_;
};

} // namespace

std::vector<nlohmann::json> run_jobs(const JobTransport& transport, std::span<const JobDescription> jobs,
                                     const WorkerOptions& options)
{
    return DescribedJobs(transport, jobs, options).run();
}

JobPool::Work described_work(std::function<nlohmann::json(const nlohmann::json& description)> work)
{
    return [work = std::move(work)](std::span<const std::uint8_t> job) {
        return json_to_cbor(work(json_from_cbor(job)));
    };
}

} // namespace nocturne
