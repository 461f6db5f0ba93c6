// Algorithms of msccl-tools as its JSON (github.com/Azure/msccl-tools, msccl/serialization.py).
#pragma once

#include "schedules/formats/foreign_schedule.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// Does the text look like it: has it the member "msccl_type"?
bool is_msccl_json(std::string_view text);

/// An algorithm: steps with rounds and sends [address, source, destination], its topology as a matrix of
/// links, its collective as one chunk a contribution, uncut: instance.chunks says into how many parts each is
/// cut, part i of address a having a C + i. Contributions to a sum share its address.
///
/// Throws std::invalid_argument for schedules that are not in steps, store elsewhere than in a chunk's own
/// place, and cross switches; for chunks of several sizes. Precondition: valid.
std::string to_msccl_json(const Schedule& schedule, const LinkNetwork& network);

/// Reads an algorithm for `network`, or for the links of its own topology. As its own checks have it, a send
/// of an address brings the union of what both have: this is a copy where the receiver has nothing that does
/// not come, and an addition otherwise, which the validator refuses if a contribution comes twice. The
/// topology's joint limits on links ("switches") are checked as Rule::link_overfull. The collective may
/// be cut already, if the addresses of input_map and output_map are those of its chunks.
///
/// Throws std::runtime_error, one line that begins with `origin` and has the place in the document, for what
/// is no algorithm, is pipelined, has chunks that several ranks begin with, or too many of them.
ReadSchedule read_msccl_json(std::string_view text, std::string_view origin,
                             const std::optional<LinkNetwork>& network);

} // namespace nocturne
