#include "models/hardware/chunk_element.hpp"

#include "models/text/unknown_name.hpp"

#include <bit>

namespace nocturne {

std::string_view to_string(ChunkElement element)
{
    return element == ChunkElement::int32 ? "int32" : "float32";
}

ChunkElement parse_chunk_element(std::string_view text)
{
    return value_named("element", text, {ChunkElement::int32, ChunkElement::float32});
}

void add_words(ChunkElement element, std::span<std::uint32_t> there, std::span<const std::uint32_t> came)
{
    for (std::size_t i = 0; i < there.size() && i < came.size(); ++i)
        there[i] = element == ChunkElement::int32
                       ? there[i] + came[i]
                       : std::bit_cast<std::uint32_t>(std::bit_cast<float>(there[i]) +
                                                      std::bit_cast<float>(came[i]));
}

} // namespace nocturne
