#include "models/text/shell_word.hpp"
#include "tests/catch.hpp"

namespace nocturne::shell_word_test {

TEST_CASE("a word is quoted where a shell would read it otherwise", "[text]")
{
    for (const char* plain : {"mesh:4x4", "--load=0.1,0.2", "/tmp/a_b.json", "50%"})
        CHECK(shell_word(plain) == plain);
    CHECK(shell_word("") == "''");
    CHECK(shell_word("my gpus.json") == "'my gpus.json'");
    CHECK(shell_word("$HOME;*") == "'$HOME;*'");
    CHECK(shell_word("it's") == "'it'\\''s'");
}

} // namespace nocturne::shell_word_test
