#include "models/topology/input_log.hpp"
#include "models/traffic/rank_programs.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace nocturne::goal_test {

using Catch::Contains;
using Kind = RankPrograms::Kind;

TEST_CASE("programs in GOAL are read", "[traffic][goal]")
{
    const test::TemporaryFolder folder;
    const InputLog log;
    const auto programs = read_programs(folder.file("a.goal", R"(/* a comment
that goes on */ // and another
num_ranks 3
rank 0 {
l1: calc 100 cpu 2
l2: send 16b to 2 tag 7 cpu 0 nic 1 // away
  l2 requires l1
}
rank 2 {
recv 16 b from 0 tag 7
first : calc 5
second: calc 6
second irequires first
}
)"));
    REQUIRE(programs);
    CHECK(programs->ranks == 3);
    const std::vector<RankPrograms::Operation>& operations = programs->operations;
    REQUIRE(operations.size() == 5);
    CHECK(operations[0].ns == 100);
    CHECK(operations[0].cpu == 2);
    CHECK(operations[1].kind == Kind::send);
    CHECK(operations[1].peer == 2);
    CHECK(operations[1].tag == 7);
    CHECK(operations[1].bytes == 16);
    CHECK(operations[1].after == std::vector<std::uint32_t>{0});
    CHECK(operations[2].kind == Kind::receive);
    CHECK(operations[2].rank == 2);
    CHECK(operations[2].line == 10);
    CHECK(operations[4].after_start == std::vector<std::uint32_t>{3});
    REQUIRE(log.remarks().size() == 1);
    CHECK_THAT(log.remarks()[0], Contains("numbers of NICs"));
    CHECK(!read_programs(folder.file("b.csv", "cycle,source,destination,bytes,after\n")));
    CHECK(!read_programs(folder.file("empty", "")));
    CHECK_NOTHROW(read_programs(folder.file("c.goal", "num_ranks 4\n")));
}

} // namespace nocturne::goal_test
