// How many slots a period has at least.
#include "schedules/slots/slot_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace nocturne {

namespace {

constexpr unsigned price_rounds = 60;

/// What all flows pay on their cheapest paths, by what all channels cost.
struct Market {
    double slots = 0;          ///< that a period has at least
    std::vector<double> loads; ///< of the channels, if all flows take those paths
};

Market pay(const SlotProblem& problem, const std::vector<double>& prices)
{
    Market market{0, std::vector<double>(prices.size())};
    double paid = 0;
    for (std::size_t flow = 0; flow < problem.flows.size(); ++flow) {
        const SlotPath* cheapest = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (const SlotPath& path : problem.paths[flow]) {
            double price = 0;
            for (const ChannelId channel : path.path)
                price += prices[channel];
            if (price < least) {
                least = price;
                cheapest = &path;
            }
        }
        const auto slots = static_cast<double>(problem.slots_needed(flow));
        paid += slots * least;
        for (const ChannelId channel : cheapest->path)
            market.loads[channel] += slots;
    }
    const double total = std::accumulate(prices.begin(), prices.end(), 0.0);
    market.slots = total > 0 ? paid / total : 0;
    return market;
}

} // namespace

/// With a price on each channel, what the flows pay on their cheapest paths is at most what all channels
/// cost, times the slots: the dual of a linear program. Prices of channels that are used too much grow
/// (multiplicative weights, as Garg and Koenemann, SIAM J. Comput. 37(2), 2007); at last those above a
/// threshold cost the same and the others nothing, which makes them a cut. Injection and ejection links are
/// free: nothing avoids them.
std::uint32_t least_slots(const SlotProblem& problem)
{
    std::vector<double> prices(problem.topology.channel_count(), 0.0);
    for (const std::vector<SlotPath>& paths : problem.paths)
        for (const SlotPath& path : paths)
            for (const ChannelId channel : path.path)
                prices[channel] = 1;
    double bound = 0;
    for (unsigned round = 0; round < price_rounds; ++round) {
        const Market market = pay(problem, prices);
        if (market.slots == 0)
            break;
        bound = std::max(bound, market.slots);
        const double most = std::ranges::max(market.loads);
        const double rate = 1.0 / (1 + round / 10.0);
        for (std::size_t channel = 0; channel < prices.size(); ++channel)
            prices[channel] *= std::exp(rate * (market.loads[channel] / most - 1));
    }
    const double highest = prices.empty() ? 0 : std::ranges::max(prices);
    for (const double threshold : {0.9, 0.75, 0.5, 0.25}) {
        std::vector<double> cut(prices.size());
        std::ranges::transform(prices, cut.begin(),
                               [&](double price) { return price > threshold * highest ? 1.0 : 0.0; });
        bound = std::max(bound, pay(problem, cut).slots);
    }
    constexpr double rounding = 1e-6;
    return static_cast<std::uint32_t>(std::ceil(bound - rounding));
}

} // namespace nocturne
