#include "models/topology/input_log.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "models/traffic/npe_events.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nocturne::npe_events_test {

using Catch::Contains;
using Kind = RankPrograms::Kind;

namespace {

RankPrograms programs_of(const Topology& topology, const std::vector<std::string>& events)
{
    const test::TemporaryFolder folder;
    const std::string file = folder.file("e.json", fmt::format("[{{{}}}]", fmt::join(events, "},\n {")));
    REQUIRE(is_npe_events(file));
    return read_npe_events(topology, file);
}

std::string event(std::uint64_t cycle, const std::string& type, const std::string& more)
{
    return fmt::format(
        R"("sx": 1, "sy": 0, "proc": "BRISC", "noc": "NOC_1", "timestamp": {}, "type": "{}", {})", cycle,
        type, more);
}

/// Sends and receives in short: `4>1 32 256`, of the second rank `4>1`; computations are left out.
std::vector<std::string> messages_of(const RankPrograms& programs)
{
    std::vector<std::string> messages;
    for (const RankPrograms::Operation& operation : programs.operations)
        if (operation.kind == Kind::send)
            messages.push_back(fmt::format("{}>{} {} {}", operation.rank, operation.peer, operation.bytes,
                                           operation.data_flits_of_a_header));
        else if (operation.kind == Kind::receive)
            messages.push_back(fmt::format("{}>{}", operation.peer, operation.rank));
    return messages;
}

} // namespace

TEST_CASE("events of tt-npe are requests and their answers on the network that they name", "[traffic][npe]")
{
    const test::TemporaryFolder folder;
    const Topology chip = load_topology(
        folder.file("chip.json", R"({"format": "nocturne-composition", "version": 1, "name": "chip",
            "parts": [{"name": "noc0", "network": "oneway_torus:2x3"},
                      {"name": "noc1", "network": "oneway_torus:2x3", "reversed": true}],
            "planes": {"tiles": "tile", "interfaces": "separate"}})"));
    const InputLog log;
    // Place (1, 0) of the second network is processor 7, place (2, 1) is 11, whose server is 23.
    const RankPrograms programs = programs_of(
        chip, {R"("sx": 1, "sy": 0, "proc": "BRISC", "zone": "K", "zone_phase": "begin", "timestamp": 100)",
               event(130, "READ", R"("dx": 2, "dy": 1, "num_bytes": 4096)"),
               event(150, "WRITE", R"("dx": 2, "dy": 1, "num_bytes": 64)"),
               event(160, "SEMAPHORE_INC", R"("dx": 2, "dy": 1, "num_bytes": 0)"),
               event(170, "SEMAPHORE_WAIT", R"("dx": -1, "dy": -1)"),
               event(180, "READ_BARRIER_START", R"("dx": -1, "dy": -1)"),
               event(900, "READ_BARRIER_END", R"("dx": -1, "dy": -1)")});
    CHECK(programs.ranks == 24);
    CHECK(programs.servers);
    CHECK(programs.captured_cycles == 800);
    CHECK(messages_of(programs) == std::vector<std::string>{"7>23 0 0", "7>23", "23>7 4096 256", "23>7",
                                                            "7>23 64 256", "7>23", "23>7 0 0", "23>7",
                                                            "7>23 0 0", "7>23", "23>7 0 0", "23>7"});
    std::vector<std::uint64_t> computed;
    for (const RankPrograms::Operation& operation : programs.operations)
        if (operation.kind == Kind::compute)
            computed.push_back(operation.cycles);
    CHECK(computed == std::vector<std::uint64_t>{0, 30, 20, 10, 10, 10, 0});
    // The barrier is after what the core has done, and after the data of the read, operation 5.
    CHECK(std::ranges::find(programs.operations.back().after, 5u) != programs.operations.back().after.end());
    CHECK(programs.operations.back().after.size() == 2);
    REQUIRE(log.remarks().size() == 1);
    CHECK_THAT(log.remarks().front(), Contains("as time only: SEMAPHORE_WAIT (1)") && !Contains("multicast"));
    CHECK_THROWS_WITH(programs_of(make_topology("mesh:2x2x3"), {event(1, "READ", R"("dx": 0)")}),
                      Contains("is none"));
    CHECK_THROWS_WITH(
        programs_of(chip, {R"("sx": 1, "sy": 0, "timestamp": 1, "noc": "NOC_2", "type": "READ", "dx": 0,
                               "dy": 0, "num_bytes": 4)"}),
        Contains("event 1: 'noc' 'NOC_2': chip has NOC_0 to NOC_1"));
}

TEST_CASE("a transfer of tt-npe has from what prepared it what it does not say", "[traffic][npe]")
{
    const Topology mesh = make_topology("mesh:2x3");
    const auto with = [&](const std::string& set, const std::string& use, const std::string& place) {
        return messages_of(programs_of(mesh, {event(1, set, R"("dx": 2, "dy": 1, "num_bytes": 64)"),
                                              event(2, use, place + R"("num_bytes": 0)")}));
    };
    const std::string unknown = R"("dx": -1, "dy": -1, )", other = R"("dx": 0, "dy": 0, )";
    const std::vector<std::string> read{"1>11 0 0", "1>11", "11>1 64 256", "11>1"},
        write{"1>11 64 256", "1>11", "11>1 0 0", "11>1"};
    CHECK(with("READ_SET_STATE", "READ_WITH_STATE", unknown) == read);
    CHECK(with("READ_DRAM_SHARDED_SET_STATE", "READ_DRAM_SHARDED_WITH_STATE", unknown) == read);
    CHECK(with("WRITE_SET_STATE", "WRITE_WITH_STATE", unknown) == write);
    CHECK(with("WRITE_WITH_TRID_SET_STATE", "WRITE_WITH_TRID_WITH_STATE", unknown) == write);
    CHECK(with("WRITE_SET_STATE", "WRITE_WITH_STATE", other).front() == "1>6 64 256");
    CHECK_THROWS_WITH(with("WRITE_SET_STATE", "READ_WITH_STATE", unknown), Contains("event 2: 'dx'"));
    CHECK_THROWS_WITH(with("READ_SET_STATE", "READ", other), Contains("event 2: 'num_bytes'"));
}

TEST_CASE("a multicast of tt-npe goes to each place of its rectangle, or to those of its receivers",
          "[traffic][npe]")
{
    const Topology mesh = make_topology("mesh:2x3");
    const std::string rectangle =
        R"("num_bytes": 32, "mcast_start_x": 2, "mcast_start_y": 1, "mcast_end_x": 1, "mcast_end_y": 0)";
    const InputLog log;
    const auto copies_of = [](const RankPrograms& programs) {
        std::vector<std::uint32_t> copies;
        for (const RankPrograms::Operation& operation : programs.operations)
            if (operation.kind == Kind::send)
                copies.push_back(operation.copies);
        return copies;
    };
    const RankPrograms all = programs_of(mesh, {event(1, "WRITE_MULTICAST", rectangle)});
    CHECK(messages_of(all) == std::vector<std::string>{"1>7 32 256", "1>7", "1>8 32 256", "1>8",
                                                       "1>10 32 256", "1>10", "1>11 32 256", "1>11",
                                                       "7>1 0 0", "7>1", "8>1 0 0", "8>1", "10>1 0 0", "10>1",
                                                       "11>1 0 0", "11>1"});
    CHECK(copies_of(all) == std::vector<std::uint32_t>{4, 0, 0, 0, 1, 1, 1, 1});
    const RankPrograms some = programs_of(
        mesh, {event(1, "WRITE_MULTICAST", rectangle + R"(, "linked": true, "receivers": [[2, 1], [1, 0]])"),
               event(9, "WRITE_MULTICAST", rectangle + R"(, "receivers": [[2, 1]])")});
    CHECK(copies_of(some) == std::vector<std::uint32_t>{2, 0, 1, 1, 1, 1});
    CHECK(messages_of(some).front() == "1>11 32 256");
    CHECK(some.operations[1].keeps_reservation);
    CHECK(std::ranges::count(some.operations, true, &RankPrograms::Operation::keeps_reservation) == 1);
    for (const char* const wrong : {"[]", "5", "[[1]]", "[[1, -1]]", "[[1, 1, 1]]", "[1, 1]"})
        CHECK_THROWS_WITH(
            programs_of(mesh, {event(1, "WRITE_MULTICAST", rectangle + R"(, "receivers": )" + wrong)}),
            Contains("event 1: 'receivers' is no list of places [x, y]"));
    CHECK_THROWS_WITH(
        programs_of(mesh, {event(1, "WRITE_MULTICAST", rectangle + R"(, "receivers": [[0, 0], [0, 0]])")}),
        Contains("'receivers' has a place twice"));
    CHECK_THROWS_WITH(
        programs_of(mesh, {event(1, "WRITE_MULTICAST", rectangle + R"(, "receivers": [[3, 0]])")}),
        Contains("outside"));
}

} // namespace nocturne::npe_events_test
