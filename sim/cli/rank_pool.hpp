// A command under mpirun: rank 0 leads, the others serve.
#pragma once

#include "schedules/ranks/rank_transport.hpp"

#include <functional>
#include <optional>

namespace nocturne::cli {

struct RankPoolOptions {
    unsigned workers = 0; ///< processes of each rank; 0 = its share of the cores
    SignsOfLife signs = {};
};

/// In rank 0: what `lead` returns, whose transport leads to the processes of all ranks, which run `work`; in
/// the other ranks: serves until rank 0 is done, and returns 0. Call it from a process with one thread: the
/// processes are forked before MPI is known. Throws what `lead` throws, and Interrupted, after which MPI ends
/// the other ranks.
int run_on_ranks(const RankEnvironment& environment, const RankPoolOptions& options,
                 const JobPool::Work& work, const std::function<int(const JobTransport& transport)>& lead);

} // namespace nocturne::cli
