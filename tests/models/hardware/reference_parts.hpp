// What the reference network consists of.
#pragma once

#include "models/hardware/network_plan.hpp"
#include "tests/models/hardware/reference_allocator.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace nocturne::test {

inline constexpr std::uint32_t nobody = ~0u;

struct RefFlit {
    std::uint32_t message;
    bool is_tail;
};

/// Something on its way over a link, and when it is there.
template <typename T>
struct Under {
    Cycle at;
    unsigned vc;
    T what;
};

struct RefLink {
    LinkConfig config;
    NetworkPlan::End from;
    NetworkPlan::End to;
    std::deque<Under<RefFlit>> flits;
    std::deque<Under<char>> credits;
    Cycle free_at = 0;         ///< of a receiver with another clock
    Cycle sender_period = 1;   ///< in units of time
    Cycle receiver_period = 1; ///< likewise
};

/// What is there in that cycle of one clock, in cycles of another, by their periods: as it is on the same
/// clock, and otherwise from the first edge on that does not come earlier, through the synchronizer.
inline Cycle seen_at(Cycle there, Cycle period, Cycle other, Cycle synchronizer)
{
    return period == other ? there : (there * period + other - 1) / other + synchronizer;
}

/// Cycles between flits of an interface: one is due so many cycles after the last was, or after a cycle
/// before the last left if that was later.
struct RefPace {
    FlitRate rate;
    std::uint64_t due = 0; ///< in cycles times flits of the rate

    Cycle next(Cycle left)
    {
        due = std::max(due, (left - 1) * rate.flits + 1) + rate.cycles;
        return (due + rate.flits - 1) / rate.flits;
    }
};

struct RefInputVc {
    std::deque<RefFlit> buffer;
    bool has_packet = false; ///< that has an output
    std::uint32_t output_vc = nobody;
    Cycle eligible = 0;
    Cycle waits_since = 0;            ///< when the first flit could have moved on, by speculation too
    std::optional<Cycle> requests_at; ///< of the head that is first
};

struct RefRouter {
    RouterConfig config;
    std::vector<RefInputVc> inputs; ///< by port and virtual channel
    std::vector<std::uint32_t> owner;
    std::vector<unsigned> credits;
    std::vector<Cycle> free_at;              ///< by output
    std::vector<RefPace> paces;              ///< likewise
    std::vector<std::uint32_t> last_request; ///< by group
    std::vector<std::uint32_t> last_won;
    ReferenceAllocator vcs;
    ReferenceAllocator crossbar;
    ReferenceAllocator speculative;
};

inline RefRouter reference_router(const RouterConfig& router)
{
    const auto inputs = static_cast<std::uint32_t>(router.buffer_flits.size());
    const auto outputs = static_cast<std::uint32_t>(router.outputs.size());
    const Allocation& kinds = router.allocation;
    const ReferenceAllocator crossbar(kinds.switch_allocator, kinds.arbiter, kinds.iterations,
                                      {inputs * kinds.input_speedup, outputs, router.vcs});
    const ReferenceAllocator vcs(kinds.vc_allocator, kinds.arbiter, 1,
                                 {inputs * router.vcs, outputs * router.vcs, outputs * router.vcs});
    RefRouter made{router, {}, {}, {}, {}, {}, {}, {}, vcs, crossbar, crossbar};
    made.inputs.resize(router.buffer_flits.size() * router.vcs);
    made.owner.assign(router.outputs.size() * router.vcs, nobody);
    for (const RouterConfig::Output& output : router.outputs)
        made.credits.insert(made.credits.end(), router.vcs, output.credits);
    for (const RouterConfig::Output& output : router.outputs)
        made.paces.push_back({output.rate});
    made.free_at.resize(router.outputs.size());
    for (const OutputGroup& group : router.groups) {
        made.last_request.push_back(static_cast<std::uint32_t>(made.inputs.size() - 1));
        made.last_won.push_back(group.first + group.count - 1);
    }
    return made;
}

/// Flits of a virtual channel behind its first one share the pool of its link.
inline bool has_credit(const RefRouter& router, std::uint32_t output_vc)
{
    const std::uint32_t port = output_vc / router.config.vcs;
    const RouterConfig::Output& output = router.config.outputs[port];
    unsigned shared = 0;
    for (std::uint32_t vc = port * router.config.vcs; vc < (port + 1) * router.config.vcs; ++vc)
        if (const unsigned flits = output.credits - router.credits[vc]; flits > 1)
            shared += flits - 1;
    const bool is_first = router.credits[output_vc] == output.credits;
    return router.credits[output_vc] > 0 && (output.pool == 0 || is_first || shared < output.pool);
}

inline bool is_ready(const RefRouter& router, std::uint32_t input, Cycle now)
{
    const RefInputVc& one = router.inputs[input];
    return one.has_packet && !one.buffer.empty() && one.eligible <= now && has_credit(router, one.output_vc);
}

/// Where arbiters serve in turn, of an input's virtual channels for the same narrow link the one that waits
/// longest requests it.
inline bool waits_behind_another(const RefRouter& router, std::uint32_t input, Cycle now)
{
    const unsigned vcs = router.config.vcs;
    const std::uint32_t output = router.inputs[input].output_vc / vcs;
    const RouterConfig::Output& link = router.config.outputs[output];
    if ((link.cycles_per_flit == 1 && link.rate == FlitRate{}) ||
        router.config.allocation.arbiter != ArbiterKind::round_robin)
        return false;
    for (std::uint32_t other = input / vcs * vcs; other < (input / vcs + 1) * vcs; ++other)
        if (is_ready(router, other, now) && router.inputs[other].output_vc / vcs == output &&
            std::pair(router.inputs[other].waits_since, other) <
                std::pair(router.inputs[input].waits_since, input))
            return true;
    return false;
}

struct RefInjection {
    std::vector<unsigned> credits;
    std::optional<std::uint32_t> message;
    std::uint32_t sent = 0;
    unsigned vc = 0;
    RefPace pace = {};
    Cycle free_at = 0;
};

struct RefInterface {
    std::deque<std::uint32_t> queue;
    std::vector<RefInjection> ports;
    unsigned vcs; ///< of injection
};

} // namespace nocturne::test
