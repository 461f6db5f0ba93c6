#include "schedules/certificate/packed_text.hpp"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <zlib.h>

namespace nocturne {
namespace {

namespace bits = boost::archive::iterators;
using Iterator = std::string_view::const_iterator;
using ToBase64 = bits::base64_from_binary<bits::transform_width<Iterator, 6, 8>>;
using FromBase64 = bits::transform_width<bits::binary_from_base64<Iterator>, 8, 6>;

std::string to_base64(std::string_view bytes)
{
    std::string text(ToBase64(bytes.begin()), ToBase64(bytes.end()));
    text.append((3 - bytes.size() % 3) % 3, '=');
    return text;
}

std::string from_base64(std::string_view text)
{
    while (text.ends_with('='))
        text.remove_suffix(1);
    std::string bytes;
    try {
        std::copy_n(FromBase64(text.begin()), text.size() * 6 / 8, std::back_inserter(bytes));
    } catch (const bits::dataflow_exception&) {
        throw std::runtime_error("it is not base64");
    }
    return bytes;
}

const Bytef* bytes_of(std::string_view text)
{
    return reinterpret_cast<const Bytef*>(text.data());
}

} // namespace

std::string pack(std::string_view text)
{
    if (text.empty())
        return {};
    uLongf size = compressBound(text.size());
    std::string compressed(size, '\0');
    if (compress(reinterpret_cast<Bytef*>(compressed.data()), &size, bytes_of(text), text.size()) != Z_OK)
        throw std::runtime_error("there is no memory to compress a text");
    compressed.resize(size);
    return to_base64(compressed);
}

std::string unpack(std::string_view packed, std::size_t most_bytes)
{
    if (packed.empty())
        return {};
    const std::string compressed = from_base64(packed);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        throw std::runtime_error("there is no memory to decompress a text");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, inflateEnd);
    stream.next_in = const_cast<Bytef*>(bytes_of(compressed)); // zlib only reads it
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

} // namespace nocturne
