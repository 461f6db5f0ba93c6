#include "sim/simulation/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace nocturne {

namespace {

double in_gib(std::uint64_t bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(1ull << 30);
}

} // namespace

unsigned workers_that_fit(unsigned workers, const std::vector<std::uint64_t>& jobs, const MemoryLimit& limit)
{
    const std::uint64_t most = limit.bytes != 0 ? limit.bytes : half_of_this_machine();
    std::vector<std::uint64_t> largest = jobs;
    std::sort(largest.begin(), largest.end(), std::greater<>());
    if (!largest.empty())
        require_memory(largest.front(), most);
    if (workers == 0)
        workers = std::max(1u, std::thread::hardware_concurrency());
    workers = std::min<unsigned>(workers, static_cast<unsigned>(largest.size()));
    const auto taken_by = [&](unsigned at_a_time) {
        return std::accumulate(largest.begin(), largest.begin() + at_a_time, std::uint64_t{0});
    };
    while (workers > 1 && taken_by(workers) > most)
        --workers;
    if (limit.on_notice && taken_by(workers) >= MemoryLimit::noteworthy_bytes)
        limit.on_notice(fmt::format("simulating takes about {:.1f} GiB of memory, {} {} at a time",
                                    in_gib(taken_by(workers)), workers, workers == 1 ? "run" : "runs"));
    return workers;
}

} // namespace nocturne
