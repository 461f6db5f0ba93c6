// Amounts over a time whose length is not known beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// A row of bins of equal length for each of several quantities. Bins grow as time goes on, two becoming one,
/// so that memory does not follow it; at least half of them are in use, unless bins have one cycle.
class UseOverTime {
public:
    /// `bins`: 2 or more, rounded up to an even number. Time begins with cycle `begin`.
    UseOverTime(std::size_t rows, std::size_t bins, std::uint64_t begin);

    std::size_t rows() const { return amounts_.size() / bins_; }
    std::uint64_t bin_cycles() const { return bin_cycles_; }
    /// The first cycle after the bin that has this one.
    std::uint64_t end_of_bin(std::uint64_t cycle) const
    {
        return cycle + bin_cycles_ - (cycle - begin_) % bin_cycles_;
    }

    /// An amount that is spread evenly over the cycles `from` .. `to` - 1; from `begin` on, one or more.
    void add(std::size_t row, std::uint64_t from, std::uint64_t to, double amount);
    /// From one time to a later one; within a bin amounts are taken to be spread evenly. `end` is that of
    /// all time, which may be within the last bin.
    double between(std::size_t row, double from, double to, std::uint64_t end) const;

private:
    void grow();

    std::size_t bins_;
    std::uint64_t begin_;
    std::uint64_t bin_cycles_ = 1;
    std::vector<double> amounts_; ///< by row and bin
};

} // namespace nocturne
