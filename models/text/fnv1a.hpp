// A short mark that tells texts apart.
#pragma once

#include <cstdint>
#include <string_view>

namespace nocturne {

/// FNV-1a (Fowler, Noll, Vo), 64 bits: against mix-ups and damage, not against malice. `hash`: of what comes
/// before `text`, to begin with that of nothing.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325ULL)
{
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

} // namespace nocturne
