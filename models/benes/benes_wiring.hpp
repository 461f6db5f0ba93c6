// The wires of (truncated) Benes networks, as tables: for models that follow a message column by column.
#pragma once

#include <cstdint>
#include <vector>

namespace nocturne {

/// The network `benes:q,n,r` of make_benes(): q^n lines, 2n-1-r columns of q x q switches. Columns are
/// counted from the left, from 0; line l enters switch l / q of a column at its input l mod q, and leaves at
/// the lines of the same switch.
///
/// A control tag has one digit, 0 .. q-1, for each column, leftmost first: the output that a message takes
/// there. The last n digits are those of the destination, most significant first; the n-1-r before them are
/// free (Youssef and El-Sayed, Optimization of Randomized Routing on Benes Networks).
class BenesWiring {
public:
    /// Throws std::invalid_argument unless q >= 2, n >= 1, r <= n-1, and there are at most 2^20 lines.
    BenesWiring(unsigned q, unsigned n, unsigned truncated = 0);

    unsigned switch_size() const { return q_; }
    unsigned digits() const { return n_; }
    unsigned truncated() const { return truncated_; }
    std::uint32_t lines() const { return lines_; }
    unsigned columns() const { return 2 * n_ - 1 - truncated_; }
    /// Columns whose digits are free: n-1-r.
    unsigned free_columns() const { return n_ - 1 - truncated_; }

    /// The line on which a message leaves the switch that `line` enters.
    std::uint32_t leaves(std::uint32_t line, std::uint32_t digit) const { return first_line_[line] + digit; }
    /// The line on which a message that has left `column` on `line` enters the next column. Not for the last
    /// column.
    std::uint32_t enters_next(unsigned column, std::uint32_t line) const
    {
        return next_[std::size_t{column} * lines_ + line];
    }
    /// The digit of `destination` that `column` looks at; column from free_columns() on.
    std::uint32_t destination_digit(unsigned column, std::uint32_t destination) const
    {
        return destination / divisor_[column] % q_;
    }

private:
    unsigned q_;
    unsigned n_;
    unsigned truncated_;
    std::uint32_t lines_;
    std::vector<std::uint32_t> first_line_; ///< of the switch that a line enters
    std::vector<std::uint32_t> next_;       ///< by column and line left on
    std::vector<std::uint32_t> divisor_;    ///< by column
};

} // namespace nocturne
