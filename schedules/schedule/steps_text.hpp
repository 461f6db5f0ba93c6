// The steps of a schedule's JSON as they are usually written, read straight into transfers: a document of
// values takes ten times the memory of the schedule that it becomes.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A JSON text cut where the value of its member "steps" begins.
struct SplitText {
    std::string head;       ///< the text with an empty list for the steps
    std::string_view steps; ///< from the list's `[` to the end of the text
};

/// Nothing if the text has no member "steps" at its top level. What follows the steps is for
/// parse_plain_steps() to look at.
std::optional<SplitText> split_steps(std::string_view text);

/// Gives the schedule the steps in `text`, which begins with their list and ends with the brace of the
/// document that they are the last member of. `network` is there for transfers from memory to memory. They
/// are what the general reader makes of the same text. False, and a schedule of no use, if they are not
/// plain: names that are written with escapes or beyond ASCII, numbers with a fraction or an exponent, a
/// member behind the steps, and everything that is wrong. Then the general reader reads them, or says why it
/// cannot.
bool read_plain_steps(std::string_view text, const Topology& topology, const LinkNetwork* network,
                      Schedule& schedule);

} // namespace nocturne
