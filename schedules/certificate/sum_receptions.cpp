#include "schedules/certificate/sum_receptions.hpp"

#include <algorithm>
#include <vector>

namespace nocturne {

std::uint64_t receptions_of(const Collective& collective, ChunkId chunk,
                            std::span<const std::uint32_t> box_of)
{
    const auto box = [&](std::uint32_t processor) { return box_of.empty() ? processor : box_of[processor]; };
    const auto without_repetitions = [](std::vector<std::uint32_t>& boxes) {
        std::ranges::sort(boxes);
        boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
    };
    const ProcessorList& contributors = collective.chunks[chunk].contributors;
    std::vector<std::uint32_t> from, to;
    for (const std::uint32_t contributor : contributors)
        from.push_back(box(contributor));
    without_repetitions(from);
    for (const Demand& demand : collective.demands.of(chunk)) {
        const auto is_there = [&](std::uint32_t one) { return box(one) == box(demand.receiver); };
        if (std::ranges::all_of(demand.contributors, is_there))
            continue;
        if (demand.contributors != contributors)
            return 0;
        to.push_back(box(demand.receiver));
    }
    without_repetitions(to);
    // Some receiver contributes: the last sum may be made there.
    const bool meets = std::ranges::any_of(
        to, [&](std::uint32_t receiver) { return std::ranges::binary_search(from, receiver); });
    return to.empty() ? 0 : from.size() + to.size() - (meets ? 2 : 1);
}

SumReceptions sum_receptions(const Problem& problem)
{
    SumReceptions result;
    for (ChunkId chunk = 0; chunk < problem.collective.chunks.size(); ++chunk)
        result.receptions += receptions_of(problem.collective, chunk);
    std::uint64_t sent = 0, received = 0;
    for (ProcessorId id = 0; id < problem.topology.processor_count(); ++id) {
        sent += send_ports(problem.topology, id, problem.ports);
        received += receive_ports(problem.topology, id, problem.ports);
    }
    result.ports = std::min(sent, received);
    return result;
}

unsigned steps_of_sum_growth(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const Collective& collective = problem.collective;
    const std::uint64_t n = collective.processors;
    for (ProcessorId id = 0; id < n; ++id)
        if (send_ports(topology, id, problem.ports) > 1 || receive_ports(topology, id, problem.ports) > 1)
            return 0;
    const auto is_for_all = [&](ChunkId chunk) {
        const auto owed = collective.demands.of(chunk);
        return collective.chunks[chunk].contributors.size() == n && owed.size() == n &&
               std::ranges::all_of(owed,
                                   [n](const Demand& demand) { return demand.contributors.size() == n; });
    };
    bool asks_for_it = false;
    for (ChunkId chunk = 0; chunk < collective.chunks.size() && !asks_for_it; ++chunk)
        asks_for_it = is_for_all(chunk);
    if (!asks_for_it)
        return 0;
    unsigned steps = 0;
    for (std::uint64_t most = 1; most < n; most *= 2)
        ++steps;
    return steps + (n % 2 == 1 && n > 1 ? 1 : 0);
}

} // namespace nocturne
