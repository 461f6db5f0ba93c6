// A limit that is thrown when it is met.
#pragma once

#include <cstdint>

namespace nocturne {

struct TooLarge {};

/// How much may be listed or written before a formula is too large.
class Allowance {
public:
    explicit Allowance(std::uint64_t most) : left_(most) {}
    void spend(std::uint64_t some)
    {
        if (some > left_)
            throw TooLarge();
        left_ -= some;
    }

private:
    std::uint64_t left_;
};

} // namespace nocturne
