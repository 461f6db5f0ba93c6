#include "models/hardware/payload.hpp"

#include "models/routing/random.hpp"
#include "models/text/unknown_name.hpp"

#include <algorithm>

namespace nocturne {

std::string to_string(PayloadForm form)
{
    return form == PayloadForm::held ? "held" : "digest";
}

PayloadForm parse_payload_form(std::string_view text)
{
    return value_named("payload", text, {PayloadForm::held, PayloadForm::digest});
}

std::uint64_t digest_of_flit(std::uint64_t key, std::uint64_t begin, std::uint64_t bytes)
{
    // One after the other: of two that are mixed together others make the same.
    const std::uint64_t of_begin = SplitMix64(begin)();
    return key * SplitMix64(of_begin + bytes)();
}

void add_flit(PayloadDigest& digest, const PayloadFlit& flit)
{
    if (flit.begin == 0)
        digest.sum = 0;
    digest.sum += digest_of_flit(flit.key, flit.begin, flit.bytes);
    if (flit.begin + flit.bytes == flit.message_bytes)
        digest.key = flit.key;
}

void add_message(PayloadDigest& digest, const PayloadDigest& came)
{
    digest.key += came.key;
    digest.sum += came.sum;
}

PayloadDigest digest_of_message(std::uint64_t key, std::uint64_t bytes, unsigned flit_bytes)
{
    PayloadDigest digest{key, 0};
    for (std::uint64_t begin = 0; begin < bytes; begin += flit_bytes)
        digest.sum += digest_of_flit(key, begin, std::min<std::uint64_t>(flit_bytes, bytes - begin));
    return digest;
}

} // namespace nocturne
