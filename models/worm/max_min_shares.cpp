#include "models/worm/max_min_shares.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace nocturne {

namespace {

constexpr double least_rate = 1e-9;

/// Of a message that has not passed yet.
struct Share {
    Flow* flow;
    double most; ///< rate that it could use
    double rate;
    bool is_held; ///< by the others
};

/// Rate that a message could use from `now` on.
double most_rate(const Flow& flow, double capacity, double now)
{
    return flow.least > now ? flow.flits / (flow.least - now) : capacity;
}

/// Rates of the messages that have not passed, by filling: who needs less than an equal share gets that, the
/// others share the rest. Returns how many are held up.
std::size_t set_rates(std::span<Share> shares, double capacity)
{
    double rest = capacity, fair = 0;
    std::size_t count = shares.size();
    for (bool again = true; again && count > 0;) {
        again = false;
        fair = rest / static_cast<double>(count);
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
            share.rate = std::max(fair, least_rate);
    return count;
}

/// Cycles until the first of them has passed.
double first_to_pass(std::span<const Share> shares)
{
    double step = std::numeric_limits<double>::max();
    double held_rate = 0, fewest_held = std::numeric_limits<double>::max();
    for (const Share& share : shares) {
        if (share.is_held) { // all at one rate: a division for all of them
            held_rate = share.rate;
            fewest_held = std::min(fewest_held, share.flow->flits);
        } else {
            step = std::min(step, share.flow->flits / share.rate);
        }
    }
    return held_rate > 0 ? std::min(step, fewest_held / held_rate) : step;
}

} // namespace

void share_max_min(std::span<Flow> flows, double capacity)
{
    constexpr double nothing = 1e-6;        // flits
    std::array<Share, most_flows> of_flows; // NOLINT(*-member-init): the first ones are set
    double wanted = 0;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        of_flows[i] = {&flows[i], most_rate(flows[i], capacity, 0), 0, true};
        wanted += of_flows[i].most;
    }
    if (wanted <= capacity) { // nobody holds up another: each is as fast as it can be
        for (const Share& share : std::span(of_flows.data(), flows.size())) {
            share.flow->first_rate = std::max(share.most, least_rate);
            share.flow->cycles = share.flow->flits / share.flow->first_rate;
        }
        return;
    }
    double now = 0;
    for (std::size_t count = flows.size(); count > 0;) {
        const std::span<Share> shares(of_flows.data(), count);
        std::size_t behind = set_rates(shares, capacity);
        if (now == 0)
            for (const Share& share : shares)
                share.flow->first_rate = share.rate;
        const double step = first_to_pass(shares);
        now += step;
        count = 0;
        for (const Share& share : shares) {
            Flow& flow = *share.flow;
            behind -= share.is_held ? 1 : 0;
            flow.flits -= share.rate * step;
            if (flow.flits < nothing)
                flow.cycles = share.is_held ? std::max(now - static_cast<double>(behind), flow.least) : now;
            else // who has had all that it could use goes on so
                of_flows[count++] = {&flow, share.is_held ? most_rate(flow, capacity, now) : share.most, 0,
                                     true};
        }
    }
}

} // namespace nocturne
