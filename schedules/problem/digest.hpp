// Short marks that tell problems and files apart.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace nocturne {

/// FNV-1a (Fowler, Noll, Vo), 64 bits: against mix-ups and damage, not against malice.
std::uint64_t fnv1a(std::string_view text);

/// The whole problem, channel by channel and message by message, in 16 hexadecimal digits.
std::string digest(const Problem& problem);

} // namespace nocturne
