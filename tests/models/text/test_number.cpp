#include "models/text/number.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <string>

namespace nocturne::number_test {

TEST_CASE("a number is the whole text, and fits its type", "[text]")
{
    CHECK(number_of<unsigned>("0") == 0U);
    CHECK(number_of<unsigned>("4294967295") == 4294967295U);
    CHECK(number_of<int>("-7") == -7);
    CHECK(number_of<double>("2.5e-3") == 0.0025);
    for (const char* const text : {"", " 1", "1 ", "+1", "1x", "x", "0x10", "-1", "4294967296", "1.0"}) {
        CAPTURE(text);
        CHECK_FALSE(number_of<std::uint32_t>(text));
    }
    CHECK_FALSE(number_of<double>("1e999"));
    // What ends with the view counts, not what stands behind it.
    CHECK(number_of<unsigned>(std::string_view("123").substr(0, 2)) == 12U);
}

} // namespace nocturne::number_test
