#include "models/network/allocation.hpp"

#include "models/text/unknown_name.hpp"

#include <array>

namespace nocturne {

namespace {

constexpr std::array<const char*, 5> allocators{"islip", "input_first", "output_first", "wavefront",
                                                "rotating"};
constexpr std::array<const char*, 5> selections{"in_turn", "credits", "random", "neighbours", "dyad"};

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
    return static_cast<AllocatorKind>(index_of_name("switch allocator", name, switch_allocator_names()));
}

AllocatorKind parse_vc_allocator(std::string_view name)
{
    return static_cast<AllocatorKind>(index_of_name("VC allocator", name, vc_allocator_names()));
}

Selection parse_selection(std::string_view name)
{
    return static_cast<Selection>(index_of_name("selection", name, selection_names()));
}

} // namespace nocturne
