#include "sim/cli/search_history.hpp"
#include "tests/catch.hpp"

namespace nocturne::search_history_test {

using cli::SearchHistory;

TEST_CASE("a long search says for how little most of it was", "[cli][search]")
{
    SearchHistory history;
    CHECK(history.remark(1000, 60).empty()); // nothing is known of it
    history.note(1, std::nullopt);
    history.note(2, 2000);
    history.note(4, 1010);
    history.note(20, 1000);
    history.note(30, 1000);
    CHECK(history.remark(1000, 60) ==
          "60 s of search, the last 56 s for less than 1 %: --budget ends it earlier");
    CHECK(history.remark(999, 60) ==
          "60 s of search, the last 40 s for less than 1 %: --budget ends it earlier");
    CHECK(history.remark(1000, 8).empty()); // 4 s are half of it, but it is short
    CHECK(history.remark(999, 39).empty()); // 20 s are more than half
    CHECK(history.remark(900, 60).empty()); // what it found came at its end
}

} // namespace nocturne::search_history_test
