// The kinds of collectives for people: spelled out, with the names that message-passing libraries use.
#pragma once

#include "schedules/collective/collective.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// `AAB (all-to-all broadcast, all-gather)`, `MNS (many-to-many scatter)`, `multicast`. Each name in it is
/// one that parse_collective_kind() takes.
std::string in_words(CollectiveKind kind);
/// in_words() of each kind.
std::vector<std::string> collective_kinds_in_words();

/// `text`, which begins with to_string(kind), beginning with in_words(kind) instead: for headings.
std::string with_kind_in_words(CollectiveKind kind, std::string_view text);

} // namespace nocturne
