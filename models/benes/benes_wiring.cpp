#include "models/benes/benes_wiring.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {
namespace {

constexpr std::uint64_t most_lines = std::uint64_t{1} << 20;

std::uint32_t line_count(unsigned q, unsigned n, unsigned truncated)
{
    if (q < 2 || n < 1)
        throw std::invalid_argument(fmt::format(
            "a Benes network of {} columns of {} x {} switches: q is at least 2 and n at least 1", n, q, q));
    if (truncated >= n)
        throw std::invalid_argument(
            fmt::format("a Benes network B({},{}) without {} columns: at most n-1 = {} can be removed", q, n,
                        truncated, n - 1));
    std::uint64_t lines = 1;
    for (unsigned i = 0; i < n; ++i) {
        lines *= q;
        if (lines > most_lines)
            throw std::invalid_argument(
                fmt::format("a Benes network B({},{}): more than {} lines", q, n, most_lines));
    }
    return static_cast<std::uint32_t>(lines);
}

} // namespace

BenesWiring::BenesWiring(unsigned q, unsigned n, unsigned truncated)
    : q_(q), n_(n), truncated_(truncated), lines_(line_count(q, n, truncated)), first_line_(lines_),
      next_(std::size_t{lines_} * (columns() - 1)), divisor_(columns(), 0)
{
    for (std::uint32_t line = 0; line < lines_; ++line)
        first_line_[line] = line - line % q;
    // powers[i] = q^i
    std::vector<std::uint32_t> powers{1};
    for (unsigned i = 0; i < n; ++i)
        powers.push_back(powers.back() * q);
    for (unsigned column = 0; column < columns(); ++column) {
        const unsigned label = columns() - 1 - column; // as in the paper: 0 is the rightmost
        if (label < n)
            divisor_[column] = powers[label];
        if (label == 0)
            break;
        // The wires stay among the lines of one B(q, order): between its outer column and its q copies of
        // B(q, order - 1).
        const bool outward = label >= n;
        const std::uint32_t block = powers[outward ? label - n + 2 : n - label + 1];
        const std::uint32_t copy = block / q;
        for (std::uint32_t line = 0; line < lines_; ++line) {
            const std::uint32_t base = line - line % block;
            const std::uint32_t within = line % block;
            next_[std::size_t{column} * lines_ + line] =
                base + (outward ? within % q * copy + within / q // output j of switch i to input i of copy j
                                : within % copy * q + within / copy); // and back
        }
    }
}

} // namespace nocturne
