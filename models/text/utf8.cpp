#include "models/text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

unsigned byte_at(std::string_view text, std::size_t at)
{
    return static_cast<unsigned char>(text[at]);
}

/// Bytes of the character at the beginning of `text`; 0 if there is none (table 3-7 of the Unicode standard).
std::size_t character_length(std::string_view text)
{
    const unsigned first = byte_at(text, 0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length <= 1)
        return length;
    if (text.size() < length)
        return 0;
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte_at(text, 1) < least || byte_at(text, 1) > most)
        return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte_at(text, i) & 0xc0u) != 0x80u)
            return 0;
    return length;
}

} // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_length(text.substr(at));
        if (length == 0)
            return at;
        at += length;
    }
    return std::nullopt;
}

void require_utf8(std::string_view text, std::string_view origin)
{
    if (const auto at = find_invalid_utf8(text))
        throw std::runtime_error(
            fmt::format("{}: line {}: not UTF-8", origin, 1 + std::ranges::count(text.substr(0, *at), '\n')));
}

std::string_view without_byte_order_mark(std::string_view text)
{
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

} // namespace nocturne
