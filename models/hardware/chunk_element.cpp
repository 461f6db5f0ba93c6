#include "models/hardware/chunk_element.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace nocturne {

std::string_view to_string(ChunkElement element)
{
    return element == ChunkElement::int32 ? "int32" : "float32";
}

ChunkElement parse_chunk_element(std::string_view text)
{
    if (text == "int32")
        return ChunkElement::int32;
    if (text != "float32")
        throw std::invalid_argument(fmt::format("unknown element '{}': it is int32 or float32", text));
    return ChunkElement::float32;
}

void add_words(ChunkElement element, std::vector<std::uint32_t>& there,
               const std::vector<std::uint32_t>& came)
{
    for (std::size_t i = 0; i < there.size() && i < came.size(); ++i)
        there[i] = element == ChunkElement::int32
                       ? there[i] + came[i]
                       : std::bit_cast<std::uint32_t>(std::bit_cast<float>(there[i]) +
                                                      std::bit_cast<float>(came[i]));
}

} // namespace nocturne
