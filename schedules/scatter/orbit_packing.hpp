// Schedules as symmetric as their network: packing orbits of messages instead of messages.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/problem/resources.hpp"
#include "schedules/scatter/packing.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/path_choice.hpp"
#include "schedules/symmetry/symmetries.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// How a group G of symmetries acts on the steps of a schedule: a subgroup leaves each step unchanged (it
/// folds the network to a quotient), the rest permutes the steps in blocks with one step for each coset. Such
/// a schedule is known by one base step of each block: (quotient element, then shift) takes what the base
/// step holds into the step of that shift.
struct StepGroup {
    std::vector<Symmetry> quotient; ///< all elements of the subgroup, the identity first
    std::vector<Symmetry> shifts;   ///< one of each of its left cosets in G, the identity first

    std::size_t order() const { return quotient.size() * shifts.size(); }
};

/// The choice for each orbit of messages: paths for one of them.
using TransferChoice = std::vector<Transfer>;

/// The first message of each orbit under the group that has these elements.
std::vector<MessageId> representatives(const Collective& collective, std::span<const Symmetry> elements);

/// Where the symmetry takes a resource.
ResourceId image(const Symmetry& symmetry, const Resources& resources, ResourceId id);

/// A choice for each of the messages, which have exactly one receiver.
std::vector<TransferChoice> choose_transfers(const Problem& problem, std::span<const MessageId> messages,
                                             const PathChoice& paths);

/// A scatter or a permutation under a StepGroup as a Packing into base steps. An item is an orbit of
/// messages; an option says which of them the base step holds, up to the quotient, and on which path. It uses
/// the channels and ports of all its images under the quotient, which must not be in each other's way. An
/// element that keeps a message must keep its step and its path as well: otherwise there is no such option.
/// Resources are the orbits of channels and ports under the quotient.
struct OrbitPacking {
    struct Base {
        const Transfer* transfer; ///< in the choice that the packing was made from
        std::uint32_t
            shift; ///< the base step holds the image of the transfer under the inverse of this shift
    };

    packing::Packing packing;
    std::vector<Base> options; ///< by option
};

/// `choices` for one message of each orbit under the whole group; they must outlive the packing. Every
/// element of the group must be a symmetry of the problem. Stops after the first orbit without an option,
/// which is then the last item.
OrbitPacking make_orbit_packing(const Problem& problem, const StepGroup& group,
                                std::span<const TransferChoice> choices);

/// Does every orbit have an option?
bool is_possible(const OrbitPacking& orbits);

/// The steps that `placements` (one for each item) stand for: as many as there are shifts for each of
/// `base_steps`.
std::vector<Step> unfold(const Problem& problem, const StepGroup& group, const OrbitPacking& orbits,
                         std::span<const packing::Placement> placements, std::uint32_t base_steps);

} // namespace nocturne
