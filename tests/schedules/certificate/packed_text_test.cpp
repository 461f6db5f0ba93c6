#include "models/routing/random.hpp"
#include "schedules/certificate/packed_text.hpp"
#include "tests/catch.hpp"

#include <stdexcept>
#include <string>

namespace nocturne::packed_text_test {

TEST_CASE("a text comes back from its packed form, which fits into JSON", "[certificate][pack]")
{
    SplitMix64 random(1);
    for (const std::size_t size : {0, 1, 2, 3, 4, 100, 1000, 200'000}) {
        std::string text;
        while (text.size() < size)
            text += static_cast<char>(random.below(size % 2 == 0 ? 3 : 256));
        const std::string packed = pack(text);
        CHECK(packed.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") ==
              std::string::npos);
        CHECK(unpack(packed) == text);
        if (size == 200'000)
            CHECK(packed.size() < size / 2);
    }
}

TEST_CASE("what was not packed, or is damaged, is refused", "[certificate][pack]")
{
    const std::string packed = pack(std::string(1000, 'a') + "the end");
    for (const std::string& wrong : {packed.substr(0, packed.size() / 2), "%" + packed, packed.substr(4),
                                     std::string("1 -2 0\n0\n"), std::string("=="), std::string("AAAA")}) {
        INFO(wrong);
        CHECK_THROWS_AS(unpack(wrong), std::runtime_error);
    }
    for (std::size_t i = 0; i < packed.size() - 2; ++i) {
        std::string changed = packed;
        changed[i] = changed[i] == 'x' ? 'y' : 'x';
        INFO(i);
        CHECK_THROWS_AS(unpack(changed), std::runtime_error); // zlib has a sum of its own
    }
}

TEST_CASE("a packed text that is larger than it may be is not spelled out", "[certificate][pack]")
{
    const std::string packed = pack(std::string(10'000'000, 'a'));
    CHECK(packed.size() < 20'000);
    CHECK_THROWS_WITH(unpack(packed, 9'999'999), Catch::Contains("larger than 9999999 bytes"));
    CHECK(unpack(packed, 10'000'000).size() == 10'000'000);
}

} // namespace nocturne::packed_text_test
