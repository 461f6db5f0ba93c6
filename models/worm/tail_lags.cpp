#include "models/worm/tail_lags.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {

namespace {

/// The recurrence, with the last departures on each link in a ring.
class Departures {
public:
    Departures(std::span<const LinkTiming> timings, unsigned head_cycles, std::span<const std::uint32_t> path,
               std::uint32_t flits)
    {
        for (const std::uint32_t timing : path) {
            links_.push_back(timings[timing]);
            window_ = std::max<std::uint64_t>(window_, timings[timing].buffer_flits);
        }
        window_ = std::min<std::uint64_t>(window_ + 1, flits + 1ull);
        places_ = std::bit_ceil(2 * window_ + 1);
        at_.resize(links_.size() * places_);
        for (std::size_t i = 1; i < links_.size(); ++i)
            at(i, 0) = at(i - 1, 0) + links_[i - 1].flit_cycles + head_cycles;
        heads_.resize(links_.size());
        for (std::size_t i = 0; i < links_.size(); ++i)
            heads_[i] = at(i, 0);
    }

    std::vector<TailLag> lags(std::uint32_t flits)
    {
        std::uint64_t skipped_cycles = 0;
        std::uint64_t last = flits - 1;
        std::uint64_t next_look = 2 * window_;
        for (std::uint64_t flit = 1; flit <= last; ++flit) {
            for (std::size_t i = 0; i < links_.size(); ++i)
                at(i, flit) = departure(i, flit);
            if (flit != next_look)
                continue;
            next_look *= 2;
            if (const std::uint64_t period = find_period(flit)) {
                const std::uint64_t periods = (last - flit) / period;
                skipped_cycles += periods * (at(0, flit) - at(0, flit - period));
                last -= periods * period;
            }
        }
        std::vector<TailLag> result;
        for (std::size_t i = 0; i < links_.size(); ++i) {
            const std::uint64_t tail = at(i, last);
            std::uint64_t release = std::max(tail + links_[i].cycles_per_flit, credit(i, last + 1));
            result.push_back({tail + skipped_cycles - heads_[i], release + skipped_cycles - heads_[i]});
        }
        return result;
    }

private:
    std::uint64_t& at(std::size_t link, std::uint64_t flit)
    {
        return at_[link * places_ + (flit & (places_ - 1))];
    }

    /// When there is a credit for the flit. The end of the last link takes flits as they come.
    std::uint64_t credit(std::size_t i, std::uint64_t flit)
    {
        const LinkTiming& link = links_[i];
        if (flit < link.buffer_flits)
            return 0;
        const std::uint64_t before = flit - link.buffer_flits;
        const std::uint64_t leaves =
            i + 1 == links_.size() ? at(i, before) + link.flit_cycles : at(i + 1, before);
        return leaves + link.credit_cycles;
    }

    std::uint64_t departure(std::size_t i, std::uint64_t flit)
    {
        const std::uint64_t there = i == 0 ? 0 : at(i - 1, flit) + links_[i - 1].flit_cycles;
        return std::max({there, at(i, flit - 1) + links_[i].cycles_per_flit, credit(i, flit)});
    }

    /// A number of flits after which everything repeats itself, or 0: all that the next departures follow
    /// from is the last `window_` flits.
    std::uint64_t find_period(std::uint64_t flit)
    {
        std::vector<std::uint64_t> periods{1};
        for (const LinkTiming& link : links_)
            periods.push_back(link.buffer_flits);
        std::sort(periods.begin(), periods.end());
        periods.erase(std::unique(periods.begin(), periods.end()), periods.end());
        for (const std::uint64_t period : periods)
            if (period <= window_ && repeats(flit, period))
                return period;
        return 0;
    }

    bool repeats(std::uint64_t flit, std::uint64_t period)
    {
        const std::uint64_t cycles = at(0, flit) - at(0, flit - period);
        for (std::size_t i = 0; i < links_.size(); ++i)
            for (std::uint64_t f = flit; f + window_ > flit; --f)
                if (at(i, f) - at(i, f - period) != cycles)
                    return false;
        return true;
    }

    std::vector<LinkTiming> links_;
    std::uint64_t window_ = 1;
    std::uint64_t places_ = 1; ///< of a ring, a power of two
    std::vector<std::uint64_t> at_;
    std::vector<std::uint64_t> heads_;
};

} // namespace

std::vector<TailLag> compute_tail_lags(std::span<const LinkTiming> timings, unsigned head_cycles,
                                       std::span<const std::uint32_t> path, std::uint32_t flits)
{
    return Departures(timings, head_cycles, path, flits).lags(flits);
}

TailLags::TailLags(std::span<const LinkTiming> timings, unsigned head_cycles)
    : timings_(timings.begin(), timings.end()), head_cycles_(head_cycles), children_(timings.size(), none),
      known_of_(1, none)
{
}

std::uint32_t TailLags::find(std::span<const std::uint32_t> path, std::uint32_t flits)
{
    std::uint32_t node = 0;
    for (const std::uint32_t timing : path) {
        const std::size_t place = node * timings_.size() + timing;
        if (children_[place] == none) {
            children_[place] = static_cast<std::uint32_t>(known_of_.size());
            known_of_.push_back(none);
            children_.resize(children_.size() + timings_.size(), none);
        }
        node = children_[place];
    }
    for (std::uint32_t known = known_of_[node]; known != none; known = known_[known].next)
        if (known_[known].flits == flits)
            return known_[known].first;
    const auto first = static_cast<std::uint32_t>(lags_.size());
    const std::vector<TailLag> lags = compute_tail_lags(timings_, head_cycles_, path, flits);
    lags_.insert(lags_.end(), lags.begin(), lags.end());
    known_.push_back({flits, first, known_of_[node]});
    known_of_[node] = static_cast<std::uint32_t>(known_.size() - 1);
    return first;
}

} // namespace nocturne
