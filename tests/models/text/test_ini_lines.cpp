// Lines of INI files.
#include "models/text/ini_lines.hpp"
#include "tests/catch.hpp"

namespace nocturne::ini_lines_test {

using Lines = std::vector<IniLine>;

TEST_CASE("an INI file has names and values, in sections or not", "[text][ini]")
{
    CHECK(ini_lines("") == Lines{});
    CHECK(ini_lines("a=1") == Lines{{"", "a", "1"}});
    CHECK(ini_lines("\n  a =  1 2 \r\n[ part one ]\r\nb.c = x = y\nb.c =\n") ==
          Lines{{"", "a", "1 2"}, {"part one", "b.c", "x = y"}, {"part one", "b.c", ""}});
}

TEST_CASE("a comment of an INI file is none where it would be a number or a part of a word", "[text][ini]")
{
    CHECK(ini_lines("# a = 1\n  # b\na = 1 # c\nb = 2 #c\n#3 = 4\n") ==
          Lines{{"", "a", "1"}, {"", "b", "2"}});
    CHECK(ini_lines("a = #3 #4 # two\nb = node:#5\nc = x#y\nd = 1 #\n") ==
          Lines{{"", "a", "#3 #4"}, {"", "b", "node:#5"}, {"", "c", "x#y"}, {"", "d", "1"}});
}

TEST_CASE("what is no line of an INI file is refused", "[text][ini]")
{
    for (const char* const text : {"a", "a = 1\nb 2\n", "= 1", "[open"})
        CHECK_THROWS_WITH(ini_lines(text), Catch::StartsWith("invalid line '"));
    CHECK_THROWS_WITH(ini_lines("[a]\nx = 1\n[b]\n[ a ]\n"), "[a] appears twice");
}

} // namespace nocturne::ini_lines_test
