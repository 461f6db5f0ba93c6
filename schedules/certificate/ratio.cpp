#include "schedules/certificate/ratio.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

namespace nocturne {

Ratio make_ratio(std::uint64_t numerator, std::uint64_t denominator)
{
    if (denominator == 0)
        throw std::invalid_argument("a ratio has a denominator of 1 or more");
    const std::uint64_t divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

bool operator<(const Ratio& a, const Ratio& b)
{
    using boost::multiprecision::uint128_t;
    return uint128_t{a.numerator} * b.denominator < uint128_t{b.numerator} * a.denominator;
}

std::string to_string(const Ratio& ratio)
{
    return ratio.denominator == 1 ? fmt::format("{}", ratio.numerator)
                                  : fmt::format("{}/{}", ratio.numerator, ratio.denominator);
}

} // namespace nocturne
