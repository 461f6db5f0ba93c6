#include "schedules/design/objective.hpp"

#include <cmath>
#include <stdexcept>

namespace nocturne::design {

CostModel::CostModel(const Request& request, const Objective& objective)
    : request_(&request), objective_(&objective), has_more_(!objective.extra.empty())
{
    double processors = 0;
    for (NodeId node = 0; node < request.nodes; ++node)
        processors += request.processors_at(node);
    per_hop_ = objective.average_latency / (processors * processors);
    double sum = 0;
    const auto check = [&](double weight) {
        if (!std::isfinite(weight) || weight < 0)
            throw std::invalid_argument("design: a weight is below 0 or not finite");
        sum += weight;
    };
    check(objective.average_latency);
    check(objective.maximum_latency);
    check(objective.wire_total);
    for (const ExtraTerm& term : objective.extra)
        check(term.weight);
    if (sum <= 0)
        throw std::invalid_argument("design: all weights are 0");
}

double CostModel::more(std::span<const Link> links) const
{
    double sum = 0;
    for (const ExtraTerm& term : objective_->extra)
        if (term.weight > 0)
            sum += term.weight * term.value({*request_, links});
    return sum;
}

} // namespace nocturne::design
