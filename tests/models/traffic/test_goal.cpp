#include "models/topology/input_log.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/rank_programs.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace nocturne::goal_test {

using Catch::Contains;
using Catch::EndsWith;
using Kind = RankPrograms::Kind;

TEST_CASE("programs in GOAL are read", "[traffic][goal]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:2x2");
    const InputLog log;
    const auto programs = read_goal(mesh, folder.file("a.goal", R"(/* a comment
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
    CHECK(!read_goal(mesh, folder.file("b.csv", "cycle,source,destination,bytes,after\n")));
    CHECK(!read_goal(mesh, folder.file("empty", "")));
}

TEST_CASE("what is no GOAL is refused with its line", "[traffic][goal]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:2x2");
    const auto error = [&](const std::string& text) {
        const std::string path = folder.file("x.goal", text);
        try {
            read_goal(mesh, path);
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string two = "num_ranks 2\nrank 0 {\n";
    CHECK(error("num_ranks 4\n").empty());
    CHECK_THAT(error("num_ranks 5\n"), EndsWith("x.goal:1: 5 ranks for the 4 processors of mesh:2x2"));
    CHECK_THAT(error("num_ranks 0\n"), Contains("0 ranks"));
    CHECK_THAT(error("num_ranks\n"), Contains(":1: the line ends"));
    CHECK_THAT(error("num_ranks 2\nnum_ranks 2\n"), Contains(":2: num_ranks twice"));
    CHECK_THAT(error("num_ranks 2\ncalc 3\n"), Contains(":2: 'calc': expected rank NUMBER {"));
    CHECK_THAT(error("num_ranks 2\nrank 2 {\n"), Contains(":2: rank 2 of 2"));
    CHECK_THAT(error(two + "}\nrank 0 {\n}\n"), Contains(":4: rank 0 twice"));
    CHECK_THAT(error(two), Contains("ends in the middle"));
    CHECK_THAT(error(two + "}\n/* no end\n"), Contains("ends in the middle"));
    CHECK_THAT(error(two + "l1: jump 3\n}\n"), Contains(":3: 'jump': expected calc, send or recv"));
    CHECK_THAT(error(two + "l1: calc -3\n}\n"), Contains(":3: '-3': expected calc, a whole number"));
    CHECK_THAT(error(two + "l1: calc 3\nl1: calc 4\n}\n"), Contains(":4: label l1 twice"));
    CHECK_THAT(error(two + "l1: calc 3 now\n}\n"), Contains("the line ends; expected now"));
    CHECK_THAT(error(two + "l1: calc 3 cpu 300\n}\n"), Contains("'cpu 300'"));
    CHECK_THAT(error(two + "l1: calc 3 cpu 1 cpu 2\n}\n"), Contains(":3: cpu twice"));
    CHECK_THAT(error(two + "l1: calc 3\nl1 requires l2\n}\n"), Contains(":4: no operation l2 before"));
    CHECK_THAT(error(two + "l1: send 3b to 4\n}\n"), Contains(":3: rank 4 of 2"));
    CHECK_THAT(error(two + "l1: send 3b from 1\n}\n"), Contains(":3: 'from': expected to"));
    CHECK_THAT(error(two + "recv 3b from -1\n}\n"), Contains("a receive from any source"));
    CHECK_THAT(error(two + "recv 3b from 1 tag -1\n}\n"), Contains("a receive with any tag"));
    CHECK_THAT(error(two + "} }\n"), Contains(":3: '}' is too much here"));
    CHECK_THAT(error(two + "send 3b to 1 tag 5\n}\n"),
               Contains(":3: rank 0 sends to rank 1 tag 5 more often than that receives"));
    CHECK_THAT(error(two + "recv 3b from 1 tag 5\n}\n"),
               Contains(":3: rank 0 receives from rank 1 tag 5 more often than that sends"));
    CHECK_THAT(error(two + "a: calc 1\nb: calc 1\na requires b\nb requires a\n}\n"),
               Contains(":3: an operation of rank 0 never ends"));
    CHECK_THAT(error(two +
                     "r: recv 1b from 1\ns: send 1b to 1\ns requires r\n}\nrank 1 {\nr: recv 1b from 0\n"
                     "s: send 1b to 0\ns requires r\n}\n"),
               Contains("never ends"));
}

} // namespace nocturne::goal_test
