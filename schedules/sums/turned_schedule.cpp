#include "schedules/sums/sum_schedules.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

Schedule run_backwards(const Schedule& schedule, const Problem& problem)
{
    Schedule result = schedule;
    result.topology = problem.topology.name();
    result.collective = problem.collective;
    std::ranges::reverse(result.steps);
    for (Step& step : result.steps)
        for (Transfer& transfer : step) {
            std::swap(transfer.source, transfer.destination);
            std::ranges::reverse(*transfer.path);
            const bool is_sum = problem.collective.chunks[transfer.message].contributors.size() > 1;
            transfer.operation = is_sum ? Operation::add : Operation::copy;
        }
    return result;
}

} // namespace nocturne
