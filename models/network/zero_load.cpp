#include "models/network/zero_load.hpp"

#include "models/network/clock_crossing.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace nocturne {

namespace {

RouterId first_router(const Topology& topology, const Route& route, RouterId router)
{
    return route.empty() ? router : topology.channel(route.front().channel).source;
}

RouterId last_router(const Topology& topology, const Route& route, RouterId router)
{
    return route.empty() ? router : topology.channel(route.back().channel).target;
}

/// All those of a route, one more than it has hops.
template <typename Visit>
void for_each_router(const Topology& topology, const Route& route, RouterId router, Visit visit)
{
    visit(first_router(topology, route, router));
    for (const Hop& hop : route)
        visit(topology.channel(hop.channel).target);
}

std::uint64_t one_clock_cycles(const Topology& topology, const HardwareConfig& config, const Route& route,
                               std::uint64_t flits, RouterId router)
{
    std::uint64_t head = config.interface_cycles + 2 * config.link_cycles;
    if (topology.has_router_parts())
        for_each_router(topology, route, router,
                        [&](RouterId id) { head += config.pipeline_of(topology, id).cycles(); });
    else
        head += (route.size() + 1) * config.pipeline_of(topology).cycles();
    for (const Hop& hop : route) {
        const Channel& channel = topology.channel(hop.channel);
        head +=
            std::uint64_t{channel.latency_cycles} * config.link_cycles + config.cycles_per_flit(channel) - 1;
    }
    if (flits < 2)
        return head;

    // From the ejection link back to the injection link.
    std::uint64_t behind_head = flits - 1;
    std::uint64_t slowest = 1;
    std::uint64_t regained = 0;
    const auto pass_link = [&](unsigned occupied, RouterId behind) {
        slowest = std::max<std::uint64_t>(slowest, occupied);
        regained += config.pipeline_of(topology, behind).head_cycles();
        const std::uint64_t lag = occupied + (flits - 2) * slowest;
        behind_head = std::max(behind_head, lag - std::min(lag, regained));
    };
    for (auto hop = route.rbegin(); hop != route.rend(); ++hop) {
        const Channel& channel = topology.channel(hop->channel);
        pass_link(config.cycles_per_flit(channel), channel.target);
    }
    pass_link(1, first_router(topology, route, router));
    return head + behind_head;
}

/// A link on the way, from its sender to its receiver.
struct TimedLink {
    ClockCrossing crossing;
    bool crosses;
    std::uint64_t flit_cycles; ///< departure, latency and what a narrow link adds
    std::uint64_t cycles_per_flit;
    std::uint64_t head_cycles; ///< of the router behind it
    FlitRate rate;             ///< of an interface
};

std::vector<TimedLink> timed_links(const Topology& topology, const HardwareConfig& config, const Route& route,
                                   RouterId router)
{
    std::vector<TimedLink> links;
    const ClockedPipeline interface{{0, 1, 0, 0}, {}};
    ClockedPipeline at = interface;
    std::uint64_t departure = 0;
    const auto add = [&](const ClockedPipeline& to, unsigned latency, unsigned occupied,
                         const FlitRate& rate = {}) {
        links.push_back({ClockCrossing(at.clock, to.clock, config.synchronizer_cycles), at.clock != to.clock,
                         departure + latency + occupied - 1, occupied, to.stages.head_cycles(), rate});
        at = to;
        departure = 1 + std::uint64_t{to.stages.switch_traversal};
    };
    const RouterId first = first_router(topology, route, router);
    add(config.clocked_pipeline_of(topology, first), config.link_cycles, 1,
        config.injection_rate_of(topology, first));
    for (const Hop& hop : route) {
        const Channel& channel = topology.channel(hop.channel);
        add(config.clocked_pipeline_of(topology, channel.target), channel.latency_cycles * config.link_cycles,
            config.cycles_per_flit(channel));
    }
    add(interface, config.link_cycles, 1,
        config.ejection_rate_of(topology, last_router(topology, route, router)));
    return links;
}

std::uint64_t clocked_cycles(const std::vector<TimedLink>& links, const HardwareConfig& config,
                             std::uint64_t flits, std::uint64_t created)
{
    std::vector<std::uint64_t> free_at(links.size()), arrived(links.size());
    std::vector<Pace> paces;
    for (const TimedLink& link : links)
        paces.emplace_back(link.rate);
    for (std::uint64_t flit = 0; flit < flits; ++flit) {
        std::uint64_t ready = created + config.interface_cycles;
        for (std::size_t i = 0; i < links.size(); ++i) {
            const TimedLink& link = links[i];
            const std::uint64_t departed = std::max(ready, free_at[i]);
            free_at[i] = paces[i].is_full() ? departed + link.cycles_per_flit : paces[i].next(departed);
            const std::uint64_t there = departed + link.flit_cycles;
            if (!link.crosses)
                arrived[i] = there;
            else
                arrived[i] = flit == 0 ? link.crossing.arrival(there)
                                       : std::max(link.crossing.arrival(there), arrived[i] + 1);
            ready = arrived[i] + (flit == 0 ? link.head_cycles : 0);
        }
    }
    return arrived.back() - created;
}

/// All routers with one clock. What is long comes, but for its beginning, at the rate of the slowest link.
std::uint64_t paced_cycles(const std::vector<TimedLink>& links, const HardwareConfig& config,
                           std::uint64_t flits)
{
    constexpr std::uint64_t flit_by_flit = 1u << 16;
    FlitRate slowest;
    for (const TimedLink& link : links) {
        const FlitRate rate =
            link.rate.is_full() ? FlitRate{1, static_cast<std::uint32_t>(link.cycles_per_flit)} : link.rate;
        if (std::uint64_t{rate.cycles} * slowest.flits > std::uint64_t{slowest.cycles} * rate.flits)
            slowest = rate;
    }
    const std::uint64_t rest = flits > flit_by_flit ? (flits - flit_by_flit) / slowest.flits : 0;
    return clocked_cycles(links, config, flits - rest * slowest.flits, 0) + rest * slowest.cycles;
}

} // namespace

bool has_one_clock(const Topology& topology, const Route& route, RouterId router)
{
    bool has_one = true;
    if (topology.has_router_parts())
        for_each_router(topology, route, router,
                        [&](RouterId id) { has_one = has_one && topology.part(id).clock.is_base(); });
    return has_one;
}

std::uint64_t zero_load_cycles(const Topology& topology, const HardwareConfig& config, const Route& route,
                               std::uint64_t flits, std::uint64_t created, RouterId router)
{
    if (!has_one_clock(topology, route, router))
        return clocked_cycles(timed_links(topology, config, route, router), config, flits, created);
    const bool is_paced =
        !config.injection_rate_of(topology, first_router(topology, route, router)).is_full() ||
        !config.ejection_rate_of(topology, last_router(topology, route, router)).is_full();
    return is_paced ? paced_cycles(timed_links(topology, config, route, router), config, flits)
                    : one_clock_cycles(topology, config, route, flits, router);
}

ZeroLoadBounds zero_load_bounds(const Topology& topology, const HardwareConfig& config, const Route& route,
                                std::uint64_t flits, RouterId router)
{
    const std::uint64_t first = zero_load_cycles(topology, config, route, flits, 0, router);
    ZeroLoadBounds bounds{first, first, true};
    if (has_one_clock(topology, route, router))
        return bounds;
    std::uint64_t phases = 1; // a clock of N/M has its edges at the same places in every M cycles
    std::uint64_t waits = 0;  // less than a cycle of the receiving clock in each crossing
    ClockRatio at;
    const auto enter = [&](const ClockRatio& clock) {
        if (clock != at)
            waits += (clock.base + clock.ticks - 1) / clock.ticks;
        at = clock;
    };
    for_each_router(topology, route, router, [&](RouterId id) {
        const ClockRatio& clock = topology.part(id).clock;
        if (phases <= ZeroLoadBounds::most_phases)
            phases = std::lcm(phases, std::uint64_t{clock.base});
        enter(clock);
    });
    enter({});
    bounds.are_exact = phases <= ZeroLoadBounds::most_phases;
    if (!bounds.are_exact)
        return {first - std::min(first, waits), first + waits, false};
    const std::vector<TimedLink> links = timed_links(topology, config, route, router);
    for (std::uint64_t created = 1; created < phases; ++created) {
        const std::uint64_t cycles = clocked_cycles(links, config, flits, created);
        bounds = {std::min(bounds.least, cycles), std::max(bounds.most, cycles), true};
    }
    return bounds;
}

} // namespace nocturne
