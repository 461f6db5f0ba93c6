#include "models/text/base64.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

} // namespace

std::string to_base64(std::span<const std::uint8_t> bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (k < count ? bytes[i + k] : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text.push_back(k <= count ? base64_digits[word >> (18 - 6 * k) & 63] : '=');
    }
    return text;
}

std::vector<std::uint8_t> from_base64(std::string_view text)
{
    std::array<std::uint8_t, 256> value;
    value.fill(no_digit);
    for (std::size_t i = 0; i < base64_digits.size(); ++i)
        value[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint8_t>(i);
    while (text.ends_with('='))
        text.remove_suffix(1);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(text.size() * 6 / 8);
    std::uint32_t word = 0;
    unsigned bits = 0; // of the word that no byte has yet
    for (const char letter : text) {
        const std::uint8_t digit = value[static_cast<unsigned char>(letter)];
        if (digit == no_digit)
            throw std::runtime_error("it is not base64");
        word = word << 6 | digit;
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        bytes.push_back(static_cast<std::uint8_t>(word >> bits));
    }
    return bytes;
}

} // namespace nocturne
