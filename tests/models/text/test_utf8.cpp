#include "models/text/utf8.hpp"
#include "tests/catch.hpp"

namespace nocturne::utf8_test {

TEST_CASE("UTF-8 is told from what is not", "[text]")
{
    for (const char* text : {"", "plain", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "a\xc2\x80z",
                             "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"})
        CHECK(find_invalid_utf8(text) == std::nullopt);
    for (const char* text :
         {"\xff", "\x80", "\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xe2\x28\xa1", "\xfe"})
        CHECK(find_invalid_utf8(text) == 0U);
    CHECK(find_invalid_utf8("ab\xe4z") == 2U);
}

TEST_CASE("a file that is not UTF-8 is refused with the line", "[text]")
{
    CHECK_NOTHROW(require_utf8("a\nb\n", "net.dot"));
    CHECK_THROWS_WITH(require_utf8("a\nb\n\xe4", "net.dot"), "net.dot: line 3: not UTF-8");
}

} // namespace nocturne::utf8_test
