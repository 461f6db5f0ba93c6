#include "sim/page/packed.hpp"

#include "models/text/base64.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <vector>
#include <zlib.h>

namespace nocturne {

namespace {

nlohmann::ordered_json pack_bytes(const char* type, std::size_t count, std::span<const std::uint8_t> bytes)
{
    std::vector<std::uint8_t> compressed(compressBound(bytes.size()));
    uLongf size = compressed.size();
    if (compress2(compressed.data(), &size, bytes.data(), bytes.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
        throw std::runtime_error("cannot compress the data of the page");
    compressed.resize(size);
    return {{"type", type}, {"count", count}, {"data", to_base64(compressed)}};
}

template <std::size_t Bytes>
std::vector<std::uint8_t> little_endian(std::span<const std::uint32_t> numbers)
{
    std::vector<std::uint8_t> bytes;
    bytes.reserve(numbers.size() * Bytes);
    for (const std::uint32_t number : numbers)
        for (std::size_t k = 0; k < Bytes; ++k)
            bytes.push_back(static_cast<std::uint8_t>(number >> 8 * k));
    return bytes;
}

} // namespace

nlohmann::ordered_json packed(std::span<const std::uint32_t> numbers)
{
    const std::uint32_t most = numbers.empty() ? 0 : *std::ranges::max_element(numbers);
    if (most < 1U << 8U)
        return pack_bytes("u8", numbers.size(), little_endian<1>(numbers));
    if (most < 1U << 16U)
        return pack_bytes("u16", numbers.size(), little_endian<2>(numbers));
    return pack_bytes("u32", numbers.size(), little_endian<4>(numbers));
}

nlohmann::ordered_json packed(std::span<const float> numbers)
{
    std::vector<std::uint32_t> bits;
    bits.reserve(numbers.size());
    for (const float number : numbers)
        bits.push_back(std::bit_cast<std::uint32_t>(number));
    return pack_bytes("f32", numbers.size(), little_endian<4>(bits));
}

std::size_t packed_size(const nlohmann::ordered_json& packed)
{
    return packed.at("data").get_ref<const std::string&>().size();
}

} // namespace nocturne
