#include "schedules/certificate/packed_text.hpp"

#include "models/text/base64.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <zlib.h>

namespace nocturne {

std::string pack(std::string_view text)
{
    if (text.empty())
        return {};
    uLongf size = compressBound(text.size());
    std::vector<std::uint8_t> compressed(size);
    if (compress(compressed.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size()) != Z_OK)
        throw std::runtime_error("there is no memory to compress a text");
    compressed.resize(size);
    return to_base64(compressed);
}

std::string unpack(std::string_view packed, std::size_t most_bytes)
{
    if (packed.empty())
        return {};
    std::vector<std::uint8_t> compressed = from_base64(packed);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        throw std::runtime_error("there is no memory to decompress a text");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, inflateEnd);
    stream.next_in = compressed.data();
    stream.avail_in = static_cast<uInt>(compressed.size());
    std::string text;
    std::array<char, 1U << 16> part{};
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(part.data(), part.size() - stream.avail_out);
        if (text.size() > most_bytes)
            throw std::runtime_error("it is larger than " + std::to_string(most_bytes) + " bytes");
    }
    if (status != Z_STREAM_END)
        throw std::runtime_error("it cannot be decompressed");
    return text;
}

std::string unpacked_in(const JsonPlace& place)
{
    const std::string packed = place.text();
    try {
        return unpack(packed);
    } catch (const std::runtime_error& error) {
        place.fail(fmt::format("the proof is damaged: {}", error.what()));
    }
}

} // namespace nocturne
