#include "sim/cli/rank_pool.hpp"

#include "schedules/workers/workers.hpp"
#include "sim/cli/command.hpp"

namespace nocturne::cli {

int run_on_ranks(const RankEnvironment& environment, const RankPoolOptions& options,
                 const JobPool::Work& work, const std::function<int(const JobTransport& transport)>& lead)
{
    JobPool pool(options.workers > 0 ? options.workers : cores_of(environment), work);
    const MessagePassing messages = open_message_passing();
    const auto part = [&](RankEnd end) {
        if (end == RankEnd::together)
            messages.finish();
    };
    if (environment.rank > 0) {
        part(serve_jobs(messages, pool, options.signs));
        return 0;
    }
    RankJobs jobs(messages, pool, options.signs);
    try {
        const int status = lead(jobs.transport());
        part(jobs.end());
        return status;
    } catch (const Interrupted&) {
        throw; // MPI ends the others
    } catch (...) {
        part(jobs.end());
        throw;
    }
}

} // namespace nocturne::cli
