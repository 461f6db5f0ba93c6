// A scatter seen from one message of each orbit under a group of symmetries.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/scatter/path_resources.hpp"
#include "schedules/symmetry/symmetries.hpp"

#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// What a schedule must be whose steps the symmetries leave as they are: a transfer and all its images are
/// in one step, so that one message of each orbit stands for all of them, and one channel or port for its
/// orbit.
struct Quotient {
    std::vector<Symmetry> elements;     ///< of the group, the identity first
    Problem problem;                    ///< with the first message of each orbit only
    std::vector<std::uint32_t> classes; ///< by channel: see EvenPathsOptions
    PathResources resources;            ///< of the problem's messages; one for each orbit of resources
    std::vector<MessageId> message_of;  ///< by message of the problem: the same in the whole one
};

/// Nothing if the quotient is of no use: an element beside the identity keeps a message, or a channel or port
/// that may be scarce (no path could lead over it), or a message and its image meet at a port.
std::optional<Quotient> make_quotient(const Problem& problem, std::span<const Symmetry> elements);

} // namespace nocturne
