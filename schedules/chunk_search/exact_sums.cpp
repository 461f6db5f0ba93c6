#include "schedules/chunk_search/exact_sums.hpp"

#include "schedules/chunk_search/symmetric_first.hpp"
#include "schedules/chunk_search/turned_network.hpp"

namespace nocturne {

ExactAnswer decide_sums(const LinkNetwork& network, const Collective& collective, const ExactConfig& config)
{
    require_steps_and_rounds(config.shape);
    // The same nodes and links; what copies is only passed through.
    const LinkNetwork plain = turned(turned(network));
    return decide_symmetric_first(
        plain, collective, config,
        // Everything false first: what serves nothing is not sent.
        {.most_groups = 6, .variables_each = network.processor_count(), .phases = {-1}},
        [&](const auto& hops, const auto& group) { return sum_symmetries(hops, collective, group); },
        [&](const std::vector<SumSymmetry>& symmetries) {
            return sum_formula(plain, collective, config.shape, symmetries);
        });
}

} // namespace nocturne
