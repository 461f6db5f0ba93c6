// Digests of messages: a sum over flits that notices each that is missing, doubled, elsewhere or another's.
#include "models/hardware/payload.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace nocturne::payload_test {

TEST_CASE("the digest of a message is the sum over its flits, in any order", "[hardware][payload]")
{
    const std::uint64_t bytes = GENERATE(1u, 3u, 4u, 5u, 64u, 67u);
    const PayloadDigest whole = digest_of_message(7, bytes, 4);
    CHECK(whole.key == 7);
    std::uint64_t sum = 0;
    for (std::uint64_t flit = (bytes + 3) / 4; flit-- > 0;)
        sum += digest_of_flit(7, 4 * flit, std::min<std::uint64_t>(4, bytes - 4 * flit));
    CHECK(sum == whole.sum);
}

TEST_CASE("digests differ by message, position and length", "[hardware][payload]")
{
    std::set<std::uint64_t> sums;
    std::size_t count = 0;
    for (std::uint64_t key = 1; key <= 50; ++key)
        for (std::uint64_t begin = 0; begin < 200; begin += 4)
            for (std::uint64_t bytes = 1; bytes <= 4; ++bytes, ++count)
                sums.insert(digest_of_flit(key, begin, bytes));
    CHECK(sums.size() == count);
    for (std::uint64_t bytes = 1; bytes < 100; ++bytes)
        CHECK(digest_of_message(1, bytes, 8).sum != digest_of_message(1, bytes + 1, 8).sum);
}

TEST_CASE("the digest of a sum of keys is the sum of the digests", "[hardware][payload]")
{
    const std::uint64_t bytes = GENERATE(1u, 4u, 67u);
    const std::uint64_t keys[] = {3, ~std::uint64_t{0}, 0x123456789abcdef0, 1};
    PayloadDigest sum;
    std::uint64_t key = 0;
    for (const std::uint64_t each : keys) {
        add_message(sum, digest_of_message(each, bytes, 4));
        key += each;
        CHECK(sum == digest_of_message(key, bytes, 4));
    }
    add_message(sum, digest_of_message(keys[0], bytes, 4));
    CHECK_FALSE(sum == digest_of_message(key, bytes, 4)); // twice the same
}

TEST_CASE("forms of payload have names", "[hardware][payload]")
{
    for (const PayloadForm form : {PayloadForm::held, PayloadForm::digest})
        CHECK(parse_payload_form(to_string(form)) == form);
    CHECK_THROWS_WITH(parse_payload_form("bytes"), "unknown payload 'bytes': known are held, digest");
}

} // namespace nocturne::payload_test
