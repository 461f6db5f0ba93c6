#include "sim/result_files/certify.hpp"

#include "schedules/certificate/check_bound.hpp"

#include <fmt/format.h>

#include <utility>

namespace nocturne {
namespace {

/// Of a valid schedule: no bound may say that there is none.
void compare(const Schedule& schedule, const Bound& bound, Certification& certification)
{
    if (const auto steps = count_steps(schedule);
        is_in_steps(schedule) && certification.violations.empty() && steps < bound.steps)
        certification.refutations.push_back(
            fmt::format("the schedule has {} steps, fewer than the lower bound of {}: the bound cannot hold",
                        steps, bound.steps));
}

} // namespace

Certification certify(const ResultFile& result)
{
    Certification certification;
    if (result.schedule)
        certification.violations = validate(*result.schedule, result.problem);
    if (!result.bound)
        return certification;
    if (auto refutation = refute(result.problem, *result.bound))
        certification.refutations.push_back(std::move(*refutation));
    if (result.schedule)
        compare(*result.schedule, *result.bound, certification);
    return certification;
}

Certification certify(const Schedule* schedule, const Bounds& bounds, const LinkNetwork& network,
                      const Collective& collective)
{
    Certification certification;
    if (schedule != nullptr)
        certification.violations = validate(*schedule, network);
    certification.refutations = refutations(bounds, network, collective);
    if (schedule != nullptr && bounds.steps)
        compare(*schedule, *bounds.steps, certification);
    return certification;
}

} // namespace nocturne
