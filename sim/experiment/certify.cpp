#include "sim/experiment/certify.hpp"

#include "models/routing/distances.hpp"
#include "schedules/bounds/check_bound.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <map>

namespace nocturne {
namespace {

/// Transfers that break the slack: of a path that has too many hops, or part of a detour by way of a relay.
std::vector<std::string> detours(const Schedule& schedule, const Problem& problem)
{
    std::vector<std::string> lines;
    std::map<RouterId, std::vector<std::uint32_t>> distances; // by source router, as far as needed
    for (std::size_t step = 0; step < schedule.steps.size(); ++step)
        for (std::size_t i = 0; i < schedule.steps[step].size(); ++i) {
            const Transfer& transfer = schedule.steps[step][i];
            const Message& message = schedule.collective.messages[transfer.message];
            if (message.receivers.size() == 1 &&
                (transfer.source != message.origin || transfer.destination != message.receivers.front()))
                lines.push_back(fmt::format("{} is a relay, which a slack rules out",
                                            describe_transfer(schedule, problem.topology, step, i)));
            const auto [from, to] = endpoints(problem.topology, transfer.source, transfer.destination);
            auto& distance = distances[from];
            if (distance.empty())
                distance = distances_from(problem.topology, from);
            const std::size_t most = distance[to] + *problem.slack;
            if (transfer.path && transfer.path->size() > most)
                lines.push_back(fmt::format("{} takes {} hops, slack {} allows {}",
                                            describe_transfer(schedule, problem.topology, step, i),
                                            transfer.path->size(), *problem.slack, most));
        }
    return lines;
}

} // namespace

Certification certify(const ResultFile& result)
{
    Certification certification;
    if (result.schedule) {
        for (const Violation& violation : validate(*result.schedule, result.problem.topology))
            certification.violations.push_back(violation.text);
        // Only in a valid schedule messages and processors are sure to exist.
        if (certification.violations.empty() && result.problem.slack)
            certification.violations = detours(*result.schedule, result.problem);
        if (certification.violations.empty() && result.bound &&
            result.schedule->steps.size() < result.bound->steps)
            certification.violations.push_back(fmt::format(
                "the schedule has {} steps, fewer than the lower bound of {}: the bound cannot hold",
                result.schedule->steps.size(), result.bound->steps));
    }
    if (result.bound)
        certification.refutation = refute(result.problem, *result.bound);
    return certification;
}

} // namespace nocturne
