// The names of collectives for people: those of the papers and of libraries, and spelled out.
#pragma once

#include "schedules/collective/collective.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// `allgather (AAB, all-to-all broadcast)`, `multicast`. Each name in it is one that
/// parse_collective_kind() takes.
std::string in_words(CollectiveKind kind);
/// Throws std::invalid_argument: in_words(), and the reason.
[[noreturn]] void refuse_kind(CollectiveKind kind, std::string_view reason);
/// in_words() of each kind but CollectiveKind::custom.
std::vector<std::string> collective_kinds_in_words();

/// `text`, which begins with paper_name(kind), beginning with in_words(kind) instead: for headings.
std::string with_kind_in_words(CollectiveKind kind, std::string_view text);

} // namespace nocturne
