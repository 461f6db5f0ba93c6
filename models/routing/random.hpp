// A small generator for hot paths: one word of state, the same sequence everywhere.
#pragma once

#include <cstdint>
#include <limits>

namespace nocturne {

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class SplitMix64 {
public:
    using result_type = std::uint64_t;
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()()
    {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }
    /// Uniform in 0 .. bound - 1; bound from 1 to 2^32 (the bias is below bound / 2^32).
    std::uint32_t below(std::uint32_t bound)
    {
        return static_cast<std::uint32_t>(((*this)() >> 32) * bound >> 32);
    }

    /// A generator with this seed goes on where this one is.
    std::uint64_t state() const { return state_; }

private:
    std::uint64_t state_;
};

} // namespace nocturne
