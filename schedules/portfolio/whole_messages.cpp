#include "schedules/portfolio/whole_messages.hpp"

#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/first_fit.hpp"

#include <algorithm>
#include <stdexcept>

namespace nocturne {
namespace {

std::optional<Schedule> best_without_search(const Problem& problem)
{
    std::optional<Schedule> best;
    for (const Construction& construction : constructions())
        if (construction.construct != first_fit)
            if (auto schedule = construction.construct(problem);
                schedule && (!best || schedule->steps.size() < best->steps.size()))
                best = std::move(schedule);
    return best;
}

} // namespace

std::optional<Schedule> constructed_steps(const Topology& topology, const Collective& collective,
                                          Switching switching)
{
    const bool is_of_equal_messages =
        collective.parts == 1 && !collective.chunks.empty() &&
        std::ranges::all_of(collective.chunks, [](const Chunk& chunk) { return chunk.weight == 1; });
    if (!is_of_equal_messages || reduces(collective))
        return std::nullopt;
    try {
        const bool is_wormhole = switching == Switching::wormhole;
        const Problem problem{topology, collective, is_wormhole ? topology.default_ports() : all_port,
                              switching};
        check(problem);
        return best_without_search(problem);
    } catch (const std::invalid_argument&) {
        return std::nullopt; // a problem that whole messages do not have
    }
}

} // namespace nocturne
