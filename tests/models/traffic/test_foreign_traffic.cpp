// Workloads of tt-npe, and tables of Noxim.
#include "models/routing/random.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "models/traffic/noxim_table.hpp"
#include "models/traffic/trace.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::foreign_traffic_test {

using Catch::Contains;

TEST_CASE("transfers of tt-npe are messages, a multicast one to all its destinations", "[traffic][npe]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:3x4"); // rows and columns
    const std::string file = folder.file("workload.json", R"({"golden_result": {"cycles": 100}, "phases": [
        {"transfers": [
          {"packet_size": 64, "num_packets": 2, "src_x": 1, "src_y": 2, "dst_x": 3, "dst_y": 0,
           "injection_rate": 28.1, "phase_cycle_offset": 7, "noc_type": "NOC_0", "noc_event_type": "WRITE"},
          {"packet_size": 32, "num_packets": 1, "src_x": 0, "src_y": 0,
           "mcast_start_x": 2, "mcast_start_y": 2, "mcast_end_x": 1, "mcast_end_y": 1, "injection_rate": 0,
           "phase_cycle_offset": 3, "noc_type": "NOC_1"},
          {"packet_size": 32, "num_packets": 0, "src_x": 0, "src_y": 0, "dst_x": 0, "dst_y": 0,
           "noc_type": "NOC_1"}]},
        {"transfers": [{"packet_size": 8, "num_packets": 1, "src_x": 0, "src_y": 1, "dst_x": 0, "dst_y": 1,
           "noc_type": "NOC_0"}]}]})");
    const InputLog log;
    CHECK(read_trace(mesh, file) ==
          std::vector<TraceMessage>{
              {7, 9, 3, 64}, {7, 9, 3, 64}, {3, 0, 5, 32, {}, 0, {6, 9, 10}}, {0, 4, 4, 8}});
    REQUIRE(log.remarks().size() == 1);
    CHECK_THAT(log.remarks().front(), Contains("injection rates"));
    CHECK_FALSE(summary_of(*open_trace(mesh, file)).is_sorted);
    CHECK(summary_of(*open_trace(mesh, file)).multicast_bytes == 32);
}

TEST_CASE("on planes a transfer of tt-npe takes the network that it names", "[traffic][npe]")
{
    const test::TemporaryFolder folder;
    const auto chip = [&](const std::string& interfaces) {
        return load_topology(folder.file(
            "chip.json", fmt::format(R"({{"format": "nocturne-composition", "version": 1, "name": "chip",
                "parts": [{{"name": "noc0", "network": "oneway_torus:2x3"}},
                          {{"name": "noc1", "network": "oneway_torus:2x3", "reversed": true}}],
                "planes": {{"tiles": "tile", "interfaces": "{}"}}}})",
                                     interfaces)));
    };
    const auto workload = [&](const std::string& type) {
        const std::string transfer = R"("packet_size": 64, "num_packets": 1, "src_x": 2, "src_y": 0,)";
        return folder.file("w.json", fmt::format(R"({{"phases": [{{"transfers": [
            {{{0} "dst_x": 1, "dst_y": 1}}, {{{0} "dst_x": 1, "dst_y": 1, "noc_type": {1}}},
            {{{0} "mcast_start_x": 1, "mcast_start_y": 1, "mcast_end_x": 0, "mcast_end_y": 1,
              "noc_type": {1}}}]}}]}})",
                                                 transfer, type));
    };
    const Topology separate = chip("separate");
    const InputLog log;
    const std::string second = workload(R"("NOC_1")");
    CHECK(read_trace(separate, second) ==
          std::vector<TraceMessage>{{0, 2, 4, 64}, {0, 8, 10, 64}, {0, 8, 9, 64, {}, 0, {10}}});
    REQUIRE(log.remarks().size() == 1);
    CHECK_THAT(log.remarks().front(), Contains("injection rates and events") && !Contains("two networks"));
    CHECK(read_trace(make_topology("mesh:2x3"), second).front().source == 2);
    CHECK_THROWS_WITH(read_trace(chip("shared"), second), Contains("is none"));
    CHECK_THROWS_WITH(read_trace(make_topology("mesh:2x2x3"), second), Contains("is none"));
    for (const char* const wrong : {R"("NOC_2")", R"("NOC_")", R"("noc")", "1", "[]"})
        CHECK_THROWS_WITH(read_trace(separate, workload(wrong)),
                          Contains("w.json: transfer 1: 'noc_type'") && Contains("NOC_0 to NOC_1"));
}

TEST_CASE("a table of Noxim is a pattern and a rate", "[traffic][noxim]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:2x2");
    const InputLog log;
    const NoximTable table = read_noxim_table(
        mesh, folder.file("table.txt", "% comment\n0 3 0.02 0.02 0 100 200\n\n0 1 0.01\n2 1 0.01\n"));
    CHECK(table.packets_per_cycle == Approx(0.03 / 4)); // half of the time 0.02
    CHECK(table.pattern.share(0) == Approx(8.0 / 3));
    CHECK(table.pattern.share(1) == 0);
    CHECK(table.pattern.destinations(0)[3] == Approx(0.5));
    REQUIRE(log.remarks().size() == 1);
    CHECK_THAT(log.remarks().front(), Contains("times of a table of Noxim only the mean rates"));
    CHECK(make_pattern(mesh, "noxim:" + (folder / "table.txt")).share(0) == Approx(8.0 / 3));
}

TEST_CASE("rates of a table of Noxim are those of its processors, cycle by cycle", "[traffic][noxim]")
{
    struct Line {
        ProcessorId source, destination;
        double pir, por;
        unsigned on, off, period;
    };
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:2x3");
    for (const std::vector<Line>& table : {
             std::vector<Line>{{0, 5, 0.02, 0.02, 0, 100, 1000},
                               {0, 1, 0.05, 0.05, 500, 1000, 1000},
                               {0, 5, 0.3, 0.3, 200, 250, 500},
                               {4, 2, 0.1, 0.1, 0, 1, 1}},
             std::vector<Line>{
                 {1, 3, 0.05, 0.6, 0, 1, 1}, {1, 2, 0.1, 0.2, 0, 1, 1}, {3, 3, 0.2, 0, 0, 1, 1}},
         }) {
        std::string text;
        for (const Line& line : table)
            text += fmt::format("{} {} {} {} {} {} {}\n", line.source, line.destination, line.pir, line.por,
                                line.on, line.off, line.period);
        const NoximTable read = read_noxim_table(mesh, folder.file("table.txt", text));
        constexpr unsigned cycles = 400'000;
        std::map<std::pair<ProcessorId, ProcessorId>, double> sent;
        SplitMix64 random(1);
        for (ProcessorId source = 0; source < 6; ++source) {
            bool has_sent = false;
            for (unsigned cycle = 0; cycle < cycles; ++cycle) {
                const double drawn = random.uniform();
                double reached = 0;
                const bool had_sent = std::exchange(has_sent, false);
                for (const Line& line : table) {
                    const unsigned at = cycle % line.period;
                    if (line.source != source || at < line.on || at >= line.off || has_sent)
                        continue;
                    reached += had_sent ? line.por : line.pir;
                    if (drawn < reached) {
                        has_sent = true;
                        ++sent[{source, line.destination}];
                    }
                }
            }
        }
        for (ProcessorId source = 0; source < 6; ++source)
            for (ProcessorId destination = 0; destination < 6; ++destination) {
                const double share = read.pattern.share(source);
                const double rate = share == 0 ? 0
                                               : read.packets_per_cycle * share *
                                                     read.pattern.destinations(source)[destination];
                CAPTURE(text, source, destination);
                CHECK(sent[{source, destination}] / cycles == Approx(rate).epsilon(0.04).margin(1e-12));
            }
    }
}

} // namespace nocturne::foreign_traffic_test
