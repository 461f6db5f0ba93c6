#include "models/text/terminal_text.hpp"
#include "tests/catch.hpp"

namespace nocturne::terminal_text_test {

TEST_CASE("codes of a terminal are left out, with and without their escape character", "[text]")
{
    CHECK(without_terminal_codes("") == "");
    CHECK(without_terminal_codes("\t\x1b[4mGPU0\tGPU1\x1b[0m") == "\tGPU0\tGPU1");
    CHECK(without_terminal_codes("\t[4mGPU0[0m") == "\tGPU0");
    CHECK(without_terminal_codes("\x1b[1;31mred\x1b[K\x1b[m") == "red");
}

TEST_CASE("other brackets stay", "[text]")
{
    for (const char* text : {"GPU[0] : 1", "[", "[4", "[4;", "\x1b", "\x1b[", "[K", "[mesh", "a[1]m", "[x4m"})
        CHECK(without_terminal_codes(text) == text);
}

TEST_CASE("words stand between spaces, tabs and carriage returns", "[text]")
{
    CHECK(words_of_line("").empty());
    CHECK(words_of_line(" \t\r").empty());
    CHECK(words_of_line(" GPU0\t X \tNV1\r") == std::vector<std::string_view>{"GPU0", "X", "NV1"});
}

} // namespace nocturne::terminal_text_test
