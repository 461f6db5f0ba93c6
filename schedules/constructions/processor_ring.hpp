// Processors in a ring of channel-disjoint paths, and the broadcast that goes round it.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <string_view>
#include <vector>

namespace nocturne {

/// A ring of processors; no two of all its paths share a channel.
struct ProcessorRing {
    std::vector<ProcessorId> order; ///< two or more, each once
    std::vector<Path> onward;       ///< from each to the next one, the last one's to the first
    std::vector<Path> back;         ///< to each from the next one; empty if the ring goes one way only
};

/// Who has to be in the ring: the senders and receivers of an AAB or MNB, in ascending order; empty for other
/// collectives.
std::vector<ProcessorId> ring_members(const Collective& collective);

/// The AAB or MNB in which everybody passes on, in every step, what arrived in the last one: n members take
/// n-1 steps through one port, or ceil((n-1)/2) through two if the ring goes both ways. In an MNB messages
/// stop behind their last receiver, which may save steps. Blocks that are cut go round part by part. The
/// ring consists of the members of the problem's collective. `engine` as in empty_schedule().
Schedule circulate(const Problem& problem, const ProcessorRing& ring, std::string_view engine);

} // namespace nocturne
