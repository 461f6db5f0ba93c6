#include "models/worm/max_min_shares.hpp"

#include <algorithm>
#include <limits>

namespace nocturne {

namespace {

/// Rates of the messages that have not passed by `now`, by filling: who needs less than an equal share gets
/// that, the others share the rest. Returns how many are held up.
std::size_t set_rates(std::span<Flow> flows, double capacity, double now, std::size_t count)
{
    constexpr double least_rate = 1e-9;
    for (Flow& flow : flows)
        flow.is_held = !flow.is_done;
    double rest = capacity;
    for (bool again = true; again && count > 0;) {
        again = false;
        const double fair = rest / static_cast<double>(count);
        for (Flow& flow : flows) {
            const double most = flow.least > now ? flow.flits / (flow.least - now) : capacity;
            if (!flow.is_held || most > fair)
                continue;
            flow.is_held = false;
            flow.rate = std::max(most, least_rate);
            rest -= flow.rate;
            --count;
            again = true;
        }
    }
    for (Flow& flow : flows)
        if (flow.is_held)
            flow.rate = std::max(rest / static_cast<double>(count), least_rate);
    return count;
}

} // namespace

void share_max_min(std::span<Flow> flows, double capacity)
{
    constexpr double nothing = 1e-6; // flits
    double now = 0;
    for (std::size_t left = flows.size(); left > 0;) {
        const bool is_first = now == 0;
        std::size_t behind = set_rates(flows, capacity, now, left);
        if (is_first)
            for (Flow& flow : flows)
                flow.first_rate = flow.rate;
        double step = std::numeric_limits<double>::max();
        for (const Flow& flow : flows)
            if (!flow.is_done)
                step = std::min(step, flow.flits / flow.rate);
        now += step;
        for (Flow& flow : flows) {
            if (flow.is_done)
                continue;
            behind -= flow.is_held ? 1 : 0;
            flow.flits -= flow.rate * step;
            if (flow.flits < nothing) {
                flow.is_done = true;
                --left;
                flow.cycles = flow.is_held ? std::max(now - static_cast<double>(behind), flow.least) : now;
            }
        }
    }
}

} // namespace nocturne
