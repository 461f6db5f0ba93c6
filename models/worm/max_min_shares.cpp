#include "models/worm/max_min_shares.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <limits>

namespace nocturne {

namespace {

/// Of a message that has not passed yet.
struct Share {
    Flow* flow;
    double most = 0; ///< rate that it could use
    double rate = 0;
    bool is_held = false; ///< by the others
};

/// Rates of the messages that have not passed by `now`, by filling: who needs less than an equal share gets
/// that, the others share the rest. Returns how many are held up.
std::size_t set_rates(std::span<Share> shares, double capacity, double now)
{
    constexpr double least_rate = 1e-9;
    for (Share& share : shares) {
        const Flow& flow = *share.flow;
        share.is_held = true;
        share.most = flow.least > now ? flow.flits / (flow.least - now) : capacity;
    }
    double rest = capacity;
    std::size_t count = shares.size();
    for (bool again = true; again && count > 0;) {
        again = false;
        const double fair = rest / static_cast<double>(count);
        for (Share& share : shares) {
            if (!share.is_held || share.most > fair)
                continue;
            share.is_held = false;
            share.rate = std::max(share.most, least_rate);
            rest -= share.rate;
            --count;
            again = true;
        }
    }
    for (Share& share : shares)
        if (share.is_held)
            share.rate = std::max(rest / static_cast<double>(count), least_rate);
    return count;
}

} // namespace

void share_max_min(std::span<Flow> flows, double capacity)
{
    constexpr double nothing = 1e-6; // flits
    boost::container::small_vector<Share, 32> shares;
    for (Flow& flow : flows)
        shares.push_back({&flow});
    double now = 0;
    while (!shares.empty()) {
        std::size_t behind = set_rates({shares.data(), shares.size()}, capacity, now);
        double step = std::numeric_limits<double>::max();
        for (const Share& share : shares) {
            if (now == 0)
                share.flow->first_rate = share.rate;
            step = std::min(step, share.flow->flits / share.rate);
        }
        now += step;
        auto kept = shares.begin();
        for (const Share& share : shares) {
            Flow& flow = *share.flow;
            behind -= share.is_held ? 1 : 0;
            flow.flits -= share.rate * step;
            if (flow.flits < nothing)
                flow.cycles = share.is_held ? std::max(now - static_cast<double>(behind), flow.least) : now;
            else
                *kept++ = share;
        }
        shares.erase(kept, shares.end());
    }
}

} // namespace nocturne
