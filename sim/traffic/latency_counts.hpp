// A distribution of latencies, exact to the cycle.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace nocturne {

/// Finds the least of ascending values that a share (above 0, up to 1) of so many does not exceed.
class QuantileSearch {
public:
    QuantileSearch(double share, std::uint64_t total)
        : wanted_(static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(total))))
    {
    }
    /// Is it the next value, which so many have?
    bool is_it(std::uint64_t count)
    {
        seen_ += count;
        return seen_ > 0 && seen_ >= wanted_;
    }

private:
    std::uint64_t wanted_;
    std::uint64_t seen_ = 0;
};

/// How many packets took how many cycles: memory follows the latencies that there are, not the number of
/// packets.
class LatencyCounts {
public:
    void add(std::uint64_t cycles)
    {
        ++total_;
        if (cycles >= far) {
            ++far_counts_[cycles];
            return;
        }
        if (cycles >= counts_.size())
            counts_.resize(cycles + 1);
        ++counts_[cycles];
    }

    std::uint64_t total() const { return total_; }
    /// Calls visit(cycles, packets) for the latencies that there are, ascending.
    template <class Visit>
    void for_each(Visit visit) const
    {
        for (std::uint64_t cycles = 0; cycles < counts_.size(); ++cycles)
            if (counts_[cycles] > 0)
                visit(cycles, counts_[cycles]);
        for (const auto& [cycles, packets] : far_counts_)
            visit(cycles, packets);
    }
    /// The least latency that at least this share (above 0, up to 1) of the packets did not exceed; 0 without
    /// packets.
    std::uint64_t quantile(double share) const;

private:
    static constexpr std::uint64_t far = 1 << 20; ///< from here on latencies are rare

    std::vector<std::uint64_t> counts_;                 ///< by latency
    std::map<std::uint64_t, std::uint64_t> far_counts_; ///< by latency
    std::uint64_t total_ = 0;
};

} // namespace nocturne
