// What the reference network consists of.
#pragma once

#include "models/hardware/network_plan.hpp"
#include "tests/models/hardware/reference_allocator.hpp"
#include "tests/models/hardware/reference_network.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace nocturne::test {

inline constexpr std::uint32_t nobody = ~0u;

struct RefFlit {
    std::uint32_t piece;
    bool is_head;
    bool is_tail;
};

/// A message, or what several are on the part of their ways that they have in common.
struct RefPiece {
    std::uint32_t message = 0;              ///< the first of them
    std::vector<std::uint32_t> groups = {}; ///< by router: output group
    std::size_t done = 0;                   ///< routers
    std::vector<std::uint32_t> branches = {};
};

/// One for each message.
inline std::vector<RefPiece> reference_pieces(const NetworkPlan& plan,
                                              const std::vector<SentMessage>& messages, unsigned classes)
{
    std::vector<RefPiece> pieces;
    for (const SentMessage& message : messages) {
        RefPiece& piece = pieces.emplace_back();
        piece.message = static_cast<std::uint32_t>(pieces.size() - 1);
        for (const Hop& hop : message.route)
            piece.groups.push_back(plan.links[hop.channel].from.port * classes + hop.vc_class);
        piece.groups.push_back(plan.ejection_group[message.message.destination]);
    }
    return pieces;
}

/// The piece that these messages are together from a router of their ways on.
inline std::uint32_t piece_of(std::vector<RefPiece>& pieces, const std::vector<std::uint32_t>& messages,
                              std::size_t routed)
{
    std::size_t common = routed;
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_group;
    for (; by_group.size() < 2 && messages.size() > 1; ++common) {
        by_group.clear();
        for (const std::uint32_t message : messages)
            by_group[pieces[message].groups[common]].push_back(message);
    }
    if (messages.size() == 1) {
        pieces[messages.front()].done = routed;
        return messages.front();
    }
    RefPiece piece = pieces[messages.front()];
    piece.groups.resize(common - 1);
    piece.done = routed;
    for (const auto& [group, of_branch] : by_group)
        piece.branches.push_back(piece_of(pieces, of_branch, common - 1));
    pieces.push_back(piece);
    return static_cast<std::uint32_t>(pieces.size() - 1);
}

/// The end of a virtual channel of a link at a router that copies packets.
struct RefFork {
    std::deque<RefFlit> held;
    std::vector<std::uint32_t> branches;
    std::uint64_t handed = 0; ///< flits, to each branch
    std::vector<std::uint64_t> left;

    /// Flits that all branches have sent.
    std::uint64_t gone() const
    {
        return left.empty() ? 0
                            : *std::min_element(left.begin(),
                                                left.begin() + static_cast<std::ptrdiff_t>(branches.size()));
    }
    std::uint64_t present() const { return handed - gone(); }
    /// The branch sends a flit; is it the last one to do so?
    bool sends(std::size_t branch)
    {
        const std::uint64_t before = gone();
        ++left[branch];
        return gone() > before;
    }
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
    std::deque<Under<RefFlit>> flits = {};
    std::deque<Under<char>> credits = {};
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
    std::vector<RefFork> forks = {}; ///< by link in and virtual channel, if it copies packets
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
    if (router.copies > 1)
        made.forks.resize(router.links_in() * router.vcs);
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

/// The next one in turn of a group, or of that of its links of which most are free.
inline std::uint32_t free_vc(const RefRouter& router, std::uint32_t group)
{
    const OutputGroup& range = router.config.groups[group];
    const unsigned vcs = router.config.vcs;
    const std::uint32_t last = router.last_won[group] - range.first;
    if (range.count <= vcs) {
        for (std::uint32_t i = 1; i <= range.count; ++i)
            if (router.owner[range.first + (last + i) % range.count] == nobody)
                return range.first + (last + i) % range.count;
        return nobody;
    }
    std::uint32_t best = nobody;
    std::ptrdiff_t most = 0;
    for (std::uint32_t i = 1; i <= range.count / vcs; ++i) {
        const auto begin = router.owner.begin() + range.first + (last / vcs + i) % (range.count / vcs) * vcs;
        const auto free = std::count(begin, begin + vcs, nobody);
        if (free > most) {
            most = free;
            best = static_cast<std::uint32_t>(std::find(begin, begin + vcs, nobody) - router.owner.begin());
        }
    }
    return best;
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
    std::optional<std::uint32_t> message; ///< piece
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

inline RefInterface reference_interface(const NetworkInterfaceConfig& interface)
{
    RefInjection port;
    port.credits.assign(interface.vcs, interface.buffer_flits);
    port.vc = interface.inject_vcs - 1;
    port.pace = {interface.rate};
    return {{}, std::vector<RefInjection>(interface.inject_ports, port), interface.inject_vcs};
}

} // namespace nocturne::test
