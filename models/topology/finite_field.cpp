#include "models/topology/finite_field.hpp"

#include "models/topology/generator_helpers.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <tuple>

namespace nocturne {

std::optional<std::pair<unsigned, unsigned>> prime_power(unsigned q)
{
    if (q < 2)
        return std::nullopt;
    unsigned prime = 2;
    while (q % prime != 0)
        prime = std::uint64_t{prime} * prime < q ? prime + 1 : q;
    unsigned exponent = 0;
    for (; q % prime == 0; q /= prime)
        ++exponent;
    return q == 1 ? std::optional(std::pair(prime, exponent)) : std::nullopt;
}

FiniteField::FiniteField(unsigned q) : size_(q)
{
    const auto power = prime_power(q);
    if (!power || q > 1u << 16)
        throw std::invalid_argument(fmt::format("{} is not a prime power up to {}", q, 1u << 16));
    std::tie(prime_, degree_) = *power;
    // x^n is what a polynomial of lower degree says, the first one of which x is a primitive root.
    for (unsigned reduction = 1; !has_period(digits_of(reduction, prime_, degree_)); ++reduction)
        ;
    logarithms_.resize(size_);
    for (unsigned i = 0; i < powers_.size(); ++i)
        logarithms_[powers_[i]] = i;
}

/// Do the powers of x, with x^n = `reduction` (the highest coefficient first), run through all elements but
/// 0? Then they are kept.
bool FiniteField::has_period(const std::vector<unsigned>& reduction)
{
    powers_.clear();
    unsigned element = 1;
    do {
        powers_.push_back(element);
        const unsigned top = element / (size_ / prime_);
        unsigned next = 0, low = element % (size_ / prime_) * prime_, weight = 1;
        for (std::size_t i = reduction.size(); i-- > 0; weight *= prime_) {
            const auto digit = std::uint64_t{low % prime_} + std::uint64_t{top} * reduction[i];
            next += static_cast<unsigned>(digit % prime_) * weight;
            low /= prime_;
        }
        element = next;
    } while (element > 1 && powers_.size() < size_);
    return element == 1 && powers_.size() == size_ - 1;
}

unsigned FiniteField::sum(unsigned a, unsigned b) const
{
    unsigned result = 0;
    for (unsigned weight = 1; weight < size_; weight *= prime_)
        result += (a / weight % prime_ + b / weight % prime_) % prime_ * weight;
    return result;
}

unsigned FiniteField::difference(unsigned a, unsigned b) const
{
    unsigned result = 0;
    for (unsigned weight = 1; weight < size_; weight *= prime_)
        result += (a / weight % prime_ + prime_ - b / weight % prime_) % prime_ * weight;
    return result;
}

unsigned FiniteField::product(unsigned a, unsigned b) const
{
    if (a == 0 || b == 0)
        return 0;
    return power_of_primitive(logarithms_[a] + logarithms_[b]);
}

unsigned FiniteField::quotient(unsigned a, unsigned b) const
{
    return a == 0 ? 0 : power_of_primitive(logarithms_[a] + size_ - 1 - logarithms_[b]);
}

} // namespace nocturne
