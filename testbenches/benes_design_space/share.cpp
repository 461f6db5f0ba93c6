#include "testbenches/benes_design_space/share.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace nocturne::benes_design_space {

double most_share_within(std::uint32_t q, std::uint32_t limit)
{
    // Messages over outputs, one output after the other: within[m] is the probability that m messages over
    // the outputs so far leave none with more than the limit.
    std::vector<double> within(q + 1, 0);
    within[0] = 1;
    for (std::uint32_t outputs = 1; outputs <= q; ++outputs) {
        std::vector<double> with_one_more(q + 1, 0);
        const double hit = 1.0 / outputs; // the last of them
        for (std::uint32_t messages = 0; messages <= q; ++messages)
            for (std::uint32_t k = 0; k <= std::min(limit, messages); ++k) {
                const double ways = std::exp(std::lgamma(messages + 1.0) - std::lgamma(k + 1.0) -
                                             std::lgamma(messages - k + 1.0));
                with_one_more[messages] +=
                    ways * std::pow(hit, k) * std::pow(1 - hit, messages - k) * within[messages - k];
            }
        within = std::move(with_one_more);
    }
    return std::pow(within[q], q);
}

} // namespace nocturne::benes_design_space
