// Independent jobs over a transport, which may lead to other machines, with the promises of run_jobs().
#pragma once

#include "schedules/workers/job_pool.hpp"
#include "schedules/workers/workers.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <span>
#include <vector>

namespace nocturne {

/// Tells a job's process what to do, when its turn has come.
using JobDescription = std::function<nlohmann::json()>;

/// What run_jobs() (workers.hpp) does, by processes that know what a description means: results in the order
/// of the jobs, which do not depend on the number of processes; `settles` and `deadline` stop jobs wherever
/// they run. `options.workers` is of no account. Waits until every process has said that it has ended, so
/// that the transport can be used again. Throws as run_jobs(), but for a failure of a job
/// that another machine's process reports std::runtime_error with its text.
std::vector<nlohmann::json> run_jobs(const JobTransport& transport, std::span<const JobDescription> jobs,
                                     const WorkerOptions& options = {});

/// The other side: what a pool's processes do with such descriptions.
JobPool::Work described_work(std::function<nlohmann::json(const nlohmann::json& description)> work);

} // namespace nocturne
