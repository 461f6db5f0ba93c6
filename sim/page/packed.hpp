// Long lists of numbers as text that a browser unpacks fast.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>

namespace nocturne {

/// `{"type": "u8", "count": 3, "data": "…"}`: the numbers in the least of 8, 16 and 32 bits that hold them
/// all, little-endian, compressed (zlib), in base64.
nlohmann::ordered_json packed(std::span<const std::uint32_t> numbers);

/// The same for real numbers, in 32 bits: type `f32`.
nlohmann::ordered_json packed(std::span<const float> numbers);

/// Characters that a packed list takes in the page, about.
std::size_t packed_size(const nlohmann::ordered_json& packed);

} // namespace nocturne
