// The finite fields GF(q): what the networks from algebraic geometry are made with.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace nocturne {

/// q as p^n with p prime; nothing if it is no prime power.
std::optional<std::pair<unsigned, unsigned>> prime_power(unsigned q);

/// Elements are the numbers 0 to q-1: the coefficients of a polynomial over GF(p), digits in base p, so that
/// GF(p) is arithmetic modulo p. Products are modulo the first polynomial, in the order of its coefficients,
/// of which x is a primitive root; powers of x are kept.
class FiniteField {
public:
    /// Throws std::invalid_argument unless q is a prime power, at most 2^16.
    explicit FiniteField(unsigned q);

    unsigned size() const { return size_; }
    unsigned sum(unsigned a, unsigned b) const;
    unsigned difference(unsigned a, unsigned b) const;
    unsigned product(unsigned a, unsigned b) const;
    /// Only where b is not 0.
    unsigned quotient(unsigned a, unsigned b) const;
    /// The primitive element to the power of `exponent`.
    unsigned power_of_primitive(unsigned exponent) const { return powers_[exponent % (size_ - 1)]; }

private:
    bool has_period(const std::vector<unsigned>& reduction);

    unsigned size_;
    unsigned prime_ = 0;
    unsigned degree_ = 0;
    std::vector<unsigned> powers_;     ///< of the primitive element, size - 1 of them
    std::vector<unsigned> logarithms_; ///< by element but 0
};

} // namespace nocturne
