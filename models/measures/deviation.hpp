// Standard deviations of counts.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace nocturne::measures {

/// sqrt(sum (x - mean)^2 / (count - 1)); 0 for fewer than two values.
inline double sample_deviation(std::span<const std::uint64_t> values)
{
    if (values.size() < 2)
        return 0;
    double sum = 0;
    for (const std::uint64_t value : values)
        sum += static_cast<double>(value);
    const double mean = sum / static_cast<double>(values.size());
    double squares = 0;
    for (const std::uint64_t value : values)
        squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

} // namespace nocturne::measures
