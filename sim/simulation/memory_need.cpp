#include "sim/simulation/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace nocturne {

namespace {

constexpr std::uint64_t link_bytes =
    4096; ///< its two ends, its names and ports, and its part of routers and results
constexpr std::uint64_t flit_bytes = 8;

std::uint64_t half_of_this_machine()
{
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

double in_gib(std::uint64_t bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(1ull << 30);
}

} // namespace

std::uint64_t simulation_bytes(const Topology& topology, const HardwareConfig& hardware, PortModel ports,
                               const std::vector<CompiledEngine>& engines)
{
    std::uint64_t bytes = 0;
    std::uint64_t largest = 0;
    for (const CompiledEngine& engine : engines) {
        bytes += engine.memory_bytes;
        largest = std::max<std::uint64_t>(largest, engine.memory_bytes);
    }
    std::uint64_t links = topology.channel_count();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        links += send_ports(topology, id, ports) + receive_ports(topology, id, ports);
    return bytes + largest +
           links * (link_bytes + std::uint64_t{hardware.vcs} * hardware.buffer_flits * flit_bytes);
}

unsigned workers_that_fit(unsigned workers, const std::vector<std::uint64_t>& jobs, const MemoryLimit& limit)
{
    const std::uint64_t most = limit.bytes != 0 ? limit.bytes : half_of_this_machine();
    std::vector<std::uint64_t> largest = jobs;
    std::sort(largest.begin(), largest.end(), std::greater<>());
    if (!largest.empty() && largest.front() > most)
        throw std::invalid_argument(fmt::format(
            "a run takes about {:.1f} GiB of memory, more than the {:.1f} GiB that are allowed (half of "
            "this machine's)",
            in_gib(largest.front()), in_gib(most)));
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
