#include "schedules/scatter/path_prices.hpp"

#include <algorithm>
#include <cmath>

namespace nocturne {

std::vector<std::uint32_t> first_prices(std::span<const std::uint32_t> capacity, const PathTable& held,
                                        std::uint32_t most)
{
    // Almost as busy as the busiest counts almost as much, half as busy hardly. Powers of 4 packed random
    // networks of 128 processors with 4 links each best of those tried, from 1 to 8.
    constexpr double sharpness = 4, least = 0.02;
    std::vector<double> load(capacity.size(), 0);
    const auto messages = static_cast<MessageId>(held.message_count());
    for (MessageId id = 0; id < messages; ++id)
        for (const std::uint32_t resource : held.path(held.first_path(id)))
            load[resource] += 1.0 / capacity[resource];
    const double busiest = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
    for (double& each : load)
        each = std::pow(each / busiest, sharpness) + least;
    std::vector<double> weight(messages, 0);
    double heaviest = least;
    for (MessageId id = 0; id < messages; ++id) {
        for (const std::uint32_t resource : held.path(held.first_path(id)))
            weight[id] += load[resource];
        heaviest = std::max(heaviest, weight[id]);
    }
    std::vector<std::uint32_t> prices;
    prices.reserve(messages);
    for (const double each : weight)
        prices.push_back(1 + static_cast<std::uint32_t>(most * std::pow(each / heaviest, sharpness)));
    return prices;
}

} // namespace nocturne
