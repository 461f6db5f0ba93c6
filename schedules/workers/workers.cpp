#include "schedules/workers/workers.hpp"

#include "models/text/json_text.hpp"
#include "schedules/workers/described_jobs.hpp"
#include "schedules/workers/running_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace nocturne {
namespace {

/// Forks of this process as a transport: a job is known by its place in the list.
class LocalJobs {
public:
    explicit LocalJobs(std::span<const Job> jobs) : jobs_(jobs) {}

    void start(std::uint64_t id)
    {
        running_.start(id, [&] { return json_to_cbor(jobs_[id]()); });
    }
    void stop(std::uint64_t id)
    {
        if (std::optional<JobResult> result = running_.stop(id))
            stopped_.push_back(std::move(*result));
    }
    std::vector<JobResult> receive(std::chrono::milliseconds patience)
    {
        if (!stopped_.empty())
            return std::exchange(stopped_, {});
        RunningJobs::News news = running_.wait(static_cast<int>(patience.count()));
        signals_.throw_if_interrupted();
        return std::move(news.ended);
    }

private:
    std::span<const Job> jobs_;
    SignalWatch
        signals_; // before the jobs: signals come back to this process only after the last one is gone
    RunningJobs running_{signals_, signals_.descriptor()};
    std::vector<JobResult> stopped_;
};

} // namespace

Interrupted::Interrupted(int signal)
    : signal_(signal), text_(fmt::format("interrupted by {}", strsignal(signal)))
{
}

std::vector<nlohmann::json> run_jobs(std::span<const Job> jobs, const WorkerOptions& options)
{
    LocalJobs local(jobs);
    const JobTransport transport{
        options.workers > 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency()),
        [&](const JobMessage& job) { local.start(job.id); }, [&](std::uint64_t id) { local.stop(id); },
        [&](std::chrono::milliseconds patience) { return local.receive(patience); }};
    return run_jobs(transport, std::vector<JobDescription>(jobs.size(), [] { return nlohmann::json(); }),
                    options);
}

} // namespace nocturne
