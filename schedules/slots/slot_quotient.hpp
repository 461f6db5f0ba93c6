// Flows that symmetries of the network take to each other, seen from one of each kind.
#pragma once

#include "schedules/slots/slot_packing.hpp"
#include "schedules/slots/slot_problem.hpp"
#include "schedules/symmetry/symmetries.hpp"

#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// What a table must be that the symmetries map to itself: the images of a flow have the same starts on the
/// images of its path, so that a flow stands for its orbit, and a link for its own.
struct SlotQuotient {
    std::vector<Symmetry> elements;       ///< of the group, the identity first
    std::vector<std::uint32_t> resources; ///< by link: its orbit; none for those that a path must not use
    std::uint32_t resource_count = 0;
    struct Image {
        std::uint32_t orbit;
        std::uint32_t element; ///< that takes the orbit's first flow to this one
    };
    std::vector<Image> images;             ///< by flow
    std::vector<std::uint32_t> first_flow; ///< by orbit
};

/// Nothing if the symmetries are of no use: one takes a flow to none, beside the identity to itself or to one
/// that asks for something else, or links to others of another delay.
std::optional<SlotQuotient> make_slot_quotient(const SlotProblem& problem, std::vector<Symmetry> elements);

/// Groups of symmetries that keep the flows, the largest first, a few, and the identity alone at last. Flows
/// that do not all ask for the same, or are not all pairs of two sets, have only that one.
std::vector<SlotQuotient> find_slot_quotients(const SlotProblem& problem, const SearchEnd& end);

/// A table by pack() for one flow of each orbit.
std::optional<SlotTable> pack_slots(const SlotProblem& problem, const SlotQuotient& quotient,
                                    const SearchEnd& end);

} // namespace nocturne
