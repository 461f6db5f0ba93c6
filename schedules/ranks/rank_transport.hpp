// Jobs over all ranks of an MPI job: rank 0 hands them out, every rank runs its share in a pool of its own.
#pragma once

#include "schedules/ranks/message_passing.hpp"
#include "schedules/workers/job_pool.hpp"

#include <functional>
#include <memory>

namespace nocturne {

/// Rank 0: waits until all others serve, then sends jobs to the rank with the most free places, its own pool
/// among them. The pool must outlive it. Throws Interrupted while it waits if a signal arrives.
JobTransport transport_over(const MessagePassing& messages, JobPool& own);

/// Rank 0: lets the others end serve_jobs(), whatever jobs they have.
void end_service(const MessagePassing& messages);

/// Any other rank: runs the jobs that rank 0 sends until it says that this is the end. Throws Interrupted if
/// a signal arrives.
void serve_jobs(const MessagePassing& messages, JobPool& own);

} // namespace nocturne
