#include "schedules/schedule/link_shares.hpp"

#include <algorithm>

namespace nocturne {

std::uint64_t rate_of(std::span<const LinkId> path, const LinkNetwork& network)
{
    std::uint64_t narrowest = 0;
    for (const LinkId link : path)
        if (const std::uint64_t width = network.link(link).bytes_per_cycle;
            narrowest == 0 || width < narrowest)
            narrowest = width;
    return narrowest;
}

double LinkShares::earliest_on(LinkId link, std::uint64_t rate, double from) const
{
    const LinkState& state = links_[link];
    const std::uint64_t width = network_->link(link).bytes_per_cycle;
    if (state.empties <= from || rate == width)
        return std::max(from, state.empties);
    double start = std::max(from, state.opens);
    std::uint64_t taken = 0;
    auto next = state.shares.begin();
    while (next != state.shares.end() && next->until <= start)
        ++next;
    for (auto share = next; share != state.shares.end(); ++share)
        taken += share->rate;
    for (; taken + rate > width; ++next) {
        start = next->until;
        taken -= next->rate;
    }
    return start;
}

double LinkShares::earliest_start(std::span<const LinkId> path, double from) const
{
    const std::uint64_t rate = rate_of(path, *network_);
    for (const LinkId link : path)
        from = earliest_on(link, rate, from);
    return from;
}

void LinkShares::hold(std::span<const LinkId> path, double start, double until)
{
    const std::uint64_t rate = rate_of(path, *network_);
    for (const LinkId link : path) {
        LinkState& state = links_[link];
        state.empties = std::max(state.empties, until);
        if (rate == network_->link(link).bytes_per_cycle) {
            state.shares.clear();
            state.opens = until;
            state.most_at_once = std::max(state.most_at_once, 1U);
            continue;
        }
        state.opens = std::max(state.opens, start);
        std::erase_if(state.shares, [&](const Hold& share) { return share.until <= start; });
        const auto behind = std::upper_bound(state.shares.begin(), state.shares.end(), until,
                                             [](double end, const Hold& share) { return end < share.until; });
        state.shares.insert(behind, {until, rate});
        state.most_at_once = std::max(state.most_at_once, static_cast<std::uint32_t>(state.shares.size()));
    }
}

} // namespace nocturne
