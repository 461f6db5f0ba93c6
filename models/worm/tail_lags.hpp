// How far behind its head the tail of a message is, link by link, when nothing is in its way.
#pragma once

#include "models/network/link_plan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Cycles behind the departure of the head on the same link.
struct TailLag {
    std::uint64_t tail;    ///< departure of the last flit
    std::uint64_t release; ///< the first cycle in which a flit behind it could depart

    friend bool operator==(const TailLag&, const TailLag&) = default;
};

/// Links of a path, injection and ejection included, as indices into `timings`, in order. On an idle network,
/// with H the cycles by which a router delays a head more than other flits (Pipeline::head_cycles()), flit f
/// of a message departs on link i in cycle
///
///     d(i, 0) = d(i - 1, 0) + flit_cycles(i - 1) + H
///     d(i, f) = max of d(i - 1, f) + flit_cycles(i - 1), d(i, f - 1) + cycles_per_flit(i),
///               and d(i + 1, f - buffer(i)) + credit_cycles(i) for f of buffer(i) or more
///
/// where d(last + 1, f) is d(last, f) + flit_cycles(last): a processor takes flits as they come, and so does
/// a link that is down. It is what the flit-level model does. As every max-plus recurrence it becomes
/// periodic, here with the period of the buffer that limits the rate or of one flit, and then the rest of a
/// long message is skipped: the cost follows the buffers, not the length.
std::vector<TailLag> compute_tail_lags(std::span<const LinkTiming> timings, unsigned head_cycles,
                                       std::span<const std::uint32_t> path, std::uint32_t flits);

/// Keeps what compute_tail_lags() found: a path is looked up link by link in a tree of the paths seen so far.
class TailLags {
public:
    TailLags(std::span<const LinkTiming> timings, unsigned head_cycles);

    /// The first of as many lags as the path has links; get() reads them.
    std::uint32_t find(std::span<const std::uint32_t> path, std::uint32_t flits);
    const TailLag& get(std::uint32_t index) const { return lags_[index]; }

private:
    struct Known {
        std::uint32_t flits;
        std::uint32_t first; ///< in lags_
        std::uint32_t next;  ///< of the same path, or none
    };
    static constexpr std::uint32_t none = ~0u;

    const std::vector<LinkTiming> timings_;
    const unsigned head_cycles_;
    std::vector<std::uint32_t> children_; ///< by node and timing: a node, or none
    std::vector<std::uint32_t> known_of_; ///< by node: its first in known_, or none
    std::vector<Known> known_;
    std::vector<TailLag> lags_;
};

} // namespace nocturne
