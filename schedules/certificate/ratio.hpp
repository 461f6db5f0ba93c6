// Rational numbers.
#pragma once

#include <cstdint>
#include <string>

namespace nocturne {

/// A rational number of 0 or more in lowest terms.
struct Ratio {
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 1; ///< 1 or more

    friend bool operator==(const Ratio&, const Ratio&) = default;
};

/// Throws std::invalid_argument for a denominator of 0.
Ratio make_ratio(std::uint64_t numerator, std::uint64_t denominator);
bool operator<(const Ratio& a, const Ratio& b);
/// The next whole number.
inline std::uint64_t rounded_up(const Ratio& ratio)
{
    return ratio.numerator / ratio.denominator + (ratio.numerator % ratio.denominator == 0 ? 0 : 1);
}
inline double to_double(const Ratio& ratio)
{
    return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}
/// `7/6`, or `7` if it is whole.
std::string to_string(const Ratio& ratio);

} // namespace nocturne
