#include "models/network/allocation.hpp"

#include "models/text/unknown_name.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::array<const char*, 5> allocators{"islip", "input_first", "output_first", "wavefront",
                                                "rotating"};
constexpr std::array<const char*, 5> selections{"in_turn", "credits", "random", "neighbours", "dyad"};

std::size_t index_of(std::string_view kind, std::string_view name, const std::vector<std::string>& known)
{
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
        throw std::invalid_argument(unknown_name(kind, name, known));
    return static_cast<std::size_t>(found - known.begin());
}

} // namespace

std::string to_string(AllocatorKind kind)
{
    return allocators[static_cast<std::size_t>(kind)];
}

std::string to_string(Selection selection)
{
    return selections[static_cast<std::size_t>(selection)];
}

std::vector<std::string> switch_allocator_names()
{
    return {allocators.begin(), allocators.end() - 1}; // all but `rotating`
}

std::vector<std::string> vc_allocator_names()
{
    return {allocators.begin(), allocators.end()};
}

std::vector<std::string> selection_names()
{
    return {selections.begin(), selections.end()};
}

AllocatorKind parse_switch_allocator(std::string_view name)
{
    return static_cast<AllocatorKind>(index_of("switch allocator", name, switch_allocator_names()));
}

AllocatorKind parse_vc_allocator(std::string_view name)
{
    return static_cast<AllocatorKind>(index_of("VC allocator", name, vc_allocator_names()));
}

Selection parse_selection(std::string_view name)
{
    return static_cast<Selection>(index_of("selection", name, selection_names()));
}

} // namespace nocturne
