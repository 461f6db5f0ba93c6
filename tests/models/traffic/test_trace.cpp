#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/trace.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

namespace nocturne::trace_test {

using Catch::Contains;

TEST_CASE("traces are read, and what is wrong is named with its line", "[traffic]")
{
    const Topology topology = make_topology("mesh:2x2");
    const std::string first = topology.processor(0).name;
    const std::string last = topology.processor(3).name;
    const test::TemporaryFolder folder;
    const std::string path = folder / "trace.csv";
    const auto read = [&](const std::string& lines) {
        write_file_atomically(path, "# from an application\ncycle,source,destination,bytes,after\n" + lines);
        return read_trace(topology, path);
    };
    const auto line = [&](int cycle, int bytes, const std::string& after) {
        return fmt::format("{},{},{},{},{}\n", cycle, first, last, bytes, after);
    };
    CHECK(read("").empty());
    CHECK(read(line(5, 64, "") + "\n# pause\n" + line(3, 8, "0") + line(5, 16, "") + line(0, 1, "0 2")) ==
          std::vector<TraceMessage>{
              {5, 0, 3, 64, {}}, {3, 0, 3, 8, {0}}, {5, 0, 3, 16, {}}, {0, 0, 3, 1, {0, 2}}});
    CHECK(read(line(5, 64, "") + line(4, 64, "")).back().cycle == 4); // whoever replays it sorts
}

TEST_CASE("a processor in a trace is one of that name, or behind # of that number; names with commas stand "
          "in double quotes",
          "[traffic]")
{
    const test::TemporaryFolder folder;
    const std::string header = "cycle,source,destination,bytes,after\n";
    CHECK(read_trace(make_topology("mesh:8x8"), folder.file("a.csv", header + "0,10,#10,1,\n0,#0,77,1,\n")) ==
          std::vector<TraceMessage>{{0, 8, 10, 1, {}}, {0, 0, 63, 1, {}}});
    CHECK(read_trace(make_topology("mesh:2x12"),
                     folder.file("b.csv", header + "0,\"1,10\",\"0,3\",1,\n5,#22,#3,1,\"0\"\n")) ==
          std::vector<TraceMessage>{{0, 22, 3, 1, {}}, {5, 22, 3, 1, {0}}});
}

TEST_CASE("several destinations of a message are a multicast", "[traffic]")
{
    const Topology mesh = make_topology("mesh:4x4");
    const test::TemporaryFolder folder;
    const std::string path = folder / "trace.csv";
    const auto read = [&](const std::string& lines) {
        write_file_atomically(path, "cycle,source,destination,bytes,after\n" + lines);
        return read_trace(mesh, path);
    };
    CHECK(read("3,#0,#3 #12  #15,64,\n5,#0,#3,128,0\n") ==
          std::vector<TraceMessage>{{3, 0, 3, 64, {}, 0, {12, 15}}, {5, 0, 3, 128, {0}}});
    CHECK(summary_of(*open_trace(mesh, path)).multicast_bytes == 64);
    CHECK_THROWS_WITH(read("3,#0,#3 #16,64,\n"), Contains(":2: mesh:4x4 has no processor '#16'"));
    CHECK_THROWS_WITH(read("3,#0,#3 33 #15,64,\n"), Contains(":2: ") && Contains("twice"));
    CHECK_THROWS_WITH(read("3,#0 #1,#3,64,\n"), Contains("no processor '#0 #1'"));
    Topology spaced("spaced"); // names may have spaces
    const RouterId router = spaced.add_router("a");
    spaced.add_processor(router, router, "core 1");
    CHECK(
        read_trace(spaced, folder.file("s.csv", "cycle,source,destination,bytes,after\n0,core 1,core 1,8,\n"))
            .front()
            .others.empty());
}

TEST_CASE("a sixth column of a trace is the class of a message", "[traffic]")
{
    const Topology mesh = make_topology("mesh:2x2");
    const test::TemporaryFolder folder;
    const std::string path = folder / "trace.csv";
    const auto read = [&](const std::string& lines) {
        write_file_atomically(path, "cycle,source,destination,bytes,after,class\n" + lines);
        return read_trace(mesh, path);
    };
    CHECK(read("3,#0,#3,64,,2\n5,#0,#1 #2,128,0,0\n") ==
          std::vector<TraceMessage>{{3, 0, 3, 64, {}, 0, {}, 2}, {5, 0, 1, 128, {0}, 0, {2}, 0}});
    CHECK(summary_of(*open_trace(mesh, path)).classes == 3);
    CHECK_THROWS_WITH(read("3,#0,#3,64,,8\n"), Contains(":2: class 8; they are from 0 to 7"));
    CHECK_THROWS_WITH(read("3,#0,#3,64,,reply\n"), Contains(":2: class 'reply' is no whole number"));
    CHECK_THROWS_WITH(read("3,#0,#3,64,\n"), Contains("after,class"));
}

TEST_CASE("plain numbers of a trace are all names or all indices", "[traffic]")
{
    const Topology mesh = make_topology("mesh:8x8");
    const test::TemporaryFolder folder;
    const std::string path = folder / "trace.csv";
    const auto read = [&](const std::string& pairs) {
        write_file_atomically(path, "cycle,source,destination,bytes,after\n" + pairs);
        return read_trace(mesh, path);
    };
    CHECK_THROWS_WITH(
        read("0,63,00,4,\n0,01,18,4,\n"),
        Contains(":3: processors: mesh:8x8 has '01', but nothing named '18': plain numbers here "
                 "are all names or all indices; write the index as #18"));
    CHECK_THROWS_WITH(read("0,18,8,4,\n0,63,8,4,\n"), Contains("'63'"));
    CHECK(read("0,18,8,4,\n").front().source == 18);
    CHECK(read("0,63,#18,4,\n").front() == TraceMessage{0, 51, 18, 4, {}});
    // Where names are the indices there is nothing to confuse.
    const Topology ring = make_topology("ring:64");
    write_file_atomically(path, "cycle,source,destination,bytes,after\n0,63,18,4,\n");
    CHECK(read_trace(ring, path).front() == TraceMessage{0, 63, 18, 4, {}});
}

} // namespace nocturne::trace_test
