#include "sim/traffic/use_over_time.hpp"

#include <algorithm>

namespace nocturne {

UseOverTime::UseOverTime(std::size_t rows, std::size_t bins, std::uint64_t begin)
    : bins_((bins + 1) / 2 * 2), begin_(begin), amounts_(rows * bins_)
{
}

void UseOverTime::grow()
{
    for (std::size_t row = 0; row < rows(); ++row) {
        const auto first = amounts_.begin() + static_cast<std::ptrdiff_t>(row * bins_);
        for (std::size_t bin = 0; bin < bins_ / 2; ++bin)
            first[static_cast<std::ptrdiff_t>(bin)] =
                first[static_cast<std::ptrdiff_t>(2 * bin)] + first[static_cast<std::ptrdiff_t>(2 * bin + 1)];
        std::fill_n(first + static_cast<std::ptrdiff_t>(bins_ / 2), bins_ / 2, 0.0);
    }
    bin_cycles_ *= 2;
}

void UseOverTime::add(std::size_t row, std::uint64_t from, std::uint64_t to, double amount)
{
    while (to - begin_ > bins_ * bin_cycles_)
        grow();
    const double per_cycle = amount / static_cast<double>(to - from);
    for (std::uint64_t at = from; at < to;) {
        const std::uint64_t next = std::min(end_of_bin(at), to);
        amounts_[row * bins_ + (at - begin_) / bin_cycles_] += per_cycle * static_cast<double>(next - at);
        at = next;
    }
}

double UseOverTime::between(std::size_t row, double from, double to, std::uint64_t end) const
{
    double sum = 0;
    const auto begin = static_cast<double>(begin_), width = static_cast<double>(bin_cycles_);
    for (auto bin = static_cast<std::size_t>((from - begin) / width); bin < bins_; ++bin) {
        const double bin_begin = begin + static_cast<double>(bin) * width;
        const double bin_end = std::min(bin_begin + width, static_cast<double>(end));
        if (bin_begin >= to || bin_begin >= bin_end)
            break;
        const double part = std::min(to, bin_end) - std::max(from, bin_begin);
        sum += amounts_[row * bins_ + bin] * std::max(part, 0.0) / (bin_end - bin_begin);
    }
    return sum;
}

} // namespace nocturne
