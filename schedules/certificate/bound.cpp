#include "schedules/certificate/bound.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <stdexcept>

namespace nocturne {
namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 7> kinds{"port",       "growth", "dominator",    "distance",
                                                "vertex-set", "flow",   "infeasibility"};

} // namespace

std::string to_string(BoundKind kind)
{
    return std::string(kinds[static_cast<std::size_t>(kind)]);
}

BoundKind parse_bound_kind(std::string_view text)
{
    if (text == "exhausted") // its name in older files
        return BoundKind::infeasibility;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        if (text == kinds[kind])
            return static_cast<BoundKind>(kind);
    throw std::invalid_argument(
        fmt::format("no kind of bound '{}'; there are {}", text, fmt::join(kinds, ", ")));
}

} // namespace nocturne
