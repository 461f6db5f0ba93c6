#include "models/text/base64.hpp"
#include "tests/catch.hpp"

#include <string>
#include <utility>

namespace nocturne::base64_test {

namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text)
{
    return {text.begin(), text.end()};
}

} // namespace

TEST_CASE("bytes become the base64 of RFC 4648, and come back", "[text]")
{
    for (const auto& [plain, coded] :
         std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"},
                                                          {"\xff\xfe\xfb", "//77"}}) {
        CHECK(to_base64(bytes_of(plain)) == coded);
        CHECK(from_base64(coded) == bytes_of(plain));
    }
    CHECK(from_base64("Zg") == bytes_of("f"));
    CHECK_THROWS_WITH(from_base64("Zm9*"), "it is not base64");
}

} // namespace nocturne::base64_test
