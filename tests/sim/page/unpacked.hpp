// What a browser makes of packed lists.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace nocturne::test {

/// The numbers of a list of type u8, u16 or u32.
inline std::vector<std::uint32_t> unpacked(const nlohmann::ordered_json& packed)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::uint8_t> compressed;
    std::uint32_t bits = 0, count = 0;
    for (const char c : packed.at("data").get<std::string>()) {
        if (c == '=')
            break;
        bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
        count += 6;
        if (count >= 8) {
            count -= 8;
            compressed.push_back(static_cast<std::uint8_t>(bits >> count));
        }
    }
    const std::size_t width = packed.at("type") == "u8" ? 1 : packed.at("type") == "u16" ? 2 : 4;
    std::vector<std::uint8_t> bytes(packed.at("count").get<std::size_t>() * width + 1);
    uLongf size = bytes.size();
    if (uncompress(bytes.data(), &size, compressed.data(), compressed.size()) != Z_OK ||
        size + 1 != bytes.size())
        throw std::runtime_error("not what was packed");
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < size; i += width) {
        numbers.push_back(0);
        for (std::size_t k = 0; k < width; ++k)
            numbers.back() |= static_cast<std::uint32_t>(bytes[i + k]) << 8 * k;
    }
    return numbers;
}

} // namespace nocturne::test
