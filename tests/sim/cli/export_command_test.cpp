// `nocturne export` as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

namespace nocturne::export_command_test {

using namespace nocturne::test;
using nlohmann::json;

namespace {

const std::string schedule_file = library("octagon8_aas.json");

} // namespace

TEST_CASE("export writes a design of a schedule, in the cycles of its replay", "[cli][export]")
{
    const TemporaryFolder folder;
    const json replay = replay_json({"replay", schedule_file, "--bytes", "100", "--cycle-ns", "1", "--json"});
    const std::string cycles = std::to_string(replay["time_ns"].get<unsigned>());
    CHECK(text_of({"export", schedule_file, "--bytes", "100", "--cycle-ns", "1", "--rtl", folder / "aas"}) ==
          (folder / "aas") + ": scheduled_network, 49 files; the bench runs 4 steps in " + cycles +
              " cycles\n");
    CHECK_THAT(content_of(folder / "aas/scheduled_bench.sv"), Catch::Contains("PASS: 4 steps"));
    CHECK_THAT(content_of(folder / "aas/README.md"), Catch::Contains("take " + cycles + " cycles"));
}

TEST_CASE("export writes a design of a network, and says what it is made of", "[cli][export]")
{
    const TemporaryFolder folder;
    const Arguments arguments{"export", "ring:3", "--packets", "7", "--load", "0.5", "--json", "--rtl"};
    const auto to = [&](const std::string& name) {
        Arguments all = arguments;
        all.push_back(folder / name);
        return nocturne_json(all);
    };
    const json first = to("first");
    CHECK(first["top"] == "wormhole_network");
    CHECK(first["bench"] == "wormhole_bench");
    for (const json& name : first["design_sources"])
        CHECK_THAT(content_of(folder / ("first/" + name.get<std::string>())), Catch::Contains("endmodule"));
    to("second"); // the same seed: the same design
    for (const std::string file :
         {"wormhole_network.sv", "wormhole_bench.sv", "packets_0.hex", "expected.hex"})
        CHECK(content_of(folder / ("first/" + file)) == content_of(folder / ("second/" + file)));
}

} // namespace nocturne::export_command_test
