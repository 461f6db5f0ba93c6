#include "sim/result_files/certify.hpp"

#include "schedules/certificate/check_bound.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

namespace nocturne {
Certification certify(const ResultFile& result)
{
    Certification certification;
    if (result.schedule) {
        for (const Violation& violation : validate(*result.schedule, result.problem))
            certification.violations.push_back(violation.text);
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
