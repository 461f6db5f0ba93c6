// Ranks that compute, send and receive, at both levels.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"
#include "tests/temporary_folder.hpp"

namespace nocturne::programs_test {

namespace {

TraceResult replayed(const std::string& network, const std::string& goal, NetworkModel model,
                     unsigned link_cycles = 1)
{
    const test::TemporaryFolder folder;
    const Topology topology = make_topology(network);
    const RankPrograms programs = read_programs(folder.file("a.goal", goal)).value();
    MeasuredNetwork measured{.model = model};
    measured.hardware.link_cycles = link_cycles;
    measured.hardware.buffer_flits = 0;
    const Routing routing = make_routing(topology, "dor");
    return test::in_worker([&] { return measure_programs(topology, routing, measured, programs); });
}

const std::string ping = "num_ranks 2\n"
                         "rank 0 {\n"
                         "c: calc 100\n"
                         "s: send 8b to 1\n"
                         "s requires c\n"
                         "}\n"
                         "rank 1 {\n"
                         "r: recv 8b from 0\n"
                         "c: calc 20\n"
                         "c requires r\n"
                         "}\n";

} // namespace

TEST_CASE("a program takes what it computes and what its messages take", "[sim][traffic][goal]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const unsigned link_cycles = GENERATE(1u, 5u);
    // Cycles of 2 ns: 50 and 10 of them, and between them two flits over a channel.
    const TraceResult result = replayed("mesh:1x2", ping, model, link_cycles);
    CHECK(result.messages == 1);
    CHECK(result.time_cycles == 50 + (5 * 2 + 2 + 1 + 3 * (link_cycles - 1)) + 10);
}

TEST_CASE("a cpu computes one thing at a time, several do at once", "[sim][traffic][goal]")
{
    const auto time = [](const std::string& rank) {
        return replayed("mesh:1x2", "num_ranks 1\nrank 0 {\n" + rank + "}\n", NetworkModel::worm).time_cycles;
    };
    CHECK(time("calc 20\ncalc 20\ncalc 0\n") == 20);
    CHECK(time("calc 20\ncalc 20 cpu 1\ncalc 0\n") == 10);
    CHECK(time("a: calc 20\nb: calc 20 cpu 1\nb requires a\n") == 20);
    CHECK(time("a: calc 20\nb: calc 20 cpu 1\nb irequires a\n") == 10);
    CHECK(time("a: calc 3\n") == 2); // whole cycles
    CHECK(time("") == 0);
}

TEST_CASE("receives take messages in the order in which they were sent", "[sim][traffic][goal]")
{
    // The second receive of the one tag ends with the second message, which is sent 100 cycles later; the
    // receive of the other tag is not in its way.
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const TraceResult result = replayed("mesh:1x2",
                                        "num_ranks 2\n"
                                        "rank 0 {\n"
                                        "a: send 4b to 1 tag 1\n"
                                        "c: calc 200\n"
                                        "b: send 4b to 1 tag 1\n"
                                        "d: send 4b to 1 tag 2\n"
                                        "b requires c\n"
                                        "}\n"
                                        "rank 1 {\n"
                                        "x: recv 4b from 0 tag 1\n"
                                        "y: recv 4b from 0 tag 1\n"
                                        "z: recv 4b from 0 tag 2\n"
                                        "y requires x\n"
                                        "c: calc 400\n"
                                        "c requires z\n"
                                        "}\n",
                                        model);
    CHECK(result.messages == 3);
    // The second message of rank 0 is a head's three stages behind its first one; then 200 cycles of rank 1.
    CHECK(result.time_cycles == 12 + 3 + 200);
}

TEST_CASE("programs become slower as the network does", "[sim][traffic][goal]")
{
    std::string goal = "num_ranks 16\n"; // each rank hands on what it gets to the next one
    for (unsigned rank = 0; rank < 16; ++rank) {
        goal += "rank " + std::to_string(rank) + " {\n";
        if (rank > 0)
            goal += "r: recv 64b from " + std::to_string(rank - 1) + "\n";
        goal += "c: calc 10\n";
        if (rank > 0)
            goal += "c requires r\n";
        if (rank < 15)
            goal += "s: send 64b to " + std::to_string(rank + 1) + "\ns requires c\n";
        goal += "}\n";
    }
    const TraceResult fast = replayed("mesh:1x16", goal, NetworkModel::worm);
    const TraceResult slow = replayed("mesh:1x16", goal, NetworkModel::worm, 4);
    CHECK(fast.time_cycles == 16 * 5 + 15 * (5 * 2 + 2 + 15));
    CHECK(slow.time_cycles == fast.time_cycles + 15 * 3 * 3);
}

} // namespace nocturne::programs_test
