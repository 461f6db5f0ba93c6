#include "models/worm/max_min_shares.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace nocturne {

namespace {

constexpr double least_rate = 1e-9;
constexpr double nothing = 1e-6; // flits

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

/// The same as below of two messages that together want more than there is: most links have no more.
void share_between_two(Flow& a, Flow& b, double most_a, double most_b, double capacity)
{
    const double fair = capacity / 2;
    const bool is_a_held = most_a > fair, is_b_held = most_b > fair;
    a.first_rate = std::max(!is_a_held ? most_a : is_b_held ? fair : capacity - most_b, least_rate);
    b.first_rate = std::max(!is_b_held ? most_b : is_a_held ? fair : capacity - most_a, least_rate);
    const double step = std::min(a.flits / a.first_rate, b.flits / b.first_rate);
    a.flits -= a.first_rate * step;
    b.flits -= b.first_rate * step;
    const auto pass = [&](Flow& flow, bool is_held, double most, std::size_t held_behind) {
        flow.cycles = is_held ? std::max(step - static_cast<double>(held_behind), flow.least) : step;
        if (flow.flits < nothing)
            return;
        const double rest = is_held ? most_rate(flow, capacity, step) : most;
        const double end = step + flow.flits / std::max(std::min(rest, capacity), least_rate);
        flow.cycles = rest > capacity ? std::max(end, flow.least) : end;
    };
    pass(a, is_a_held, most_a, is_b_held ? 1 : 0);
    pass(b, is_b_held, most_b, 0);
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
    if (flows.size() == 2) {
        share_between_two(flows[0], flows[1], of_flows[0].most, of_flows[1].most, capacity);
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
