// Events of tt-npe on a network: they take what the same messages take by themselves.
#include "models/endpoints/closed_loop.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/npe_events.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/sim/traffic/measured.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace nocturne::npe_events_test {

namespace {

const char* const network = "mesh:3x4";

struct Reads {
    std::vector<std::string> events;

    void add(unsigned x, unsigned y, std::uint64_t cycle, const std::string& type,
             const std::string& more = "")
    {
        events.push_back(fmt::format(R"("sx": {}, "sy": {}, "proc": "P", "noc": "NOC_0", "timestamp": {}, )"
                                     R"("type": "{}"{})",
                                     x, y, cycle, type, more));
    }
    void transfer(unsigned x, unsigned y, std::uint64_t cycle, const std::string& type, unsigned to_x,
                  unsigned to_y, std::uint64_t bytes)
    {
        add(x, y, cycle, type, fmt::format(R"(, "dx": {}, "dy": {}, "num_bytes": {})", to_x, to_y, bytes));
    }
};

MeasuredNetwork network_of(NetworkModel model)
{
    MeasuredNetwork measured{.model = model};
    measured.hardware.buffer_flits = 0;
    measured.hardware.vcs = 2; // of requests and of answers
    return measured;
}

TraceResult replayed(const Reads& reads, NetworkModel model, const RequestServers& servers = {})
{
    const test::TemporaryFolder folder;
    const Topology topology = make_topology(network);
    RankPrograms programs = read_npe_events(
        topology, folder.file("e.json", fmt::format("[{{{}}}]", fmt::join(reads.events, "},\n{"))));
    programs.servers = servers;
    const Routing routing = make_routing(topology, "dor");
    return test::in_worker([&] { return measure_programs(topology, routing, network_of(model), programs); });
}

} // namespace

TEST_CASE("random events take what their messages take as a trace", "[sim][traffic][npe]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology mesh = make_topology(network);
    const Topology topology = with_server_interfaces(mesh);
    const Routing dor = make_routing(mesh, "dor");
    const Routing routing = between_interfaces(mesh, dor, MessageClasses::separate);
    for (unsigned seed = 1; seed <= test::tries(60, 6); ++seed) {
        SplitMix64 random(seed);
        const auto below = [&](std::size_t end) { return random.below(static_cast<std::uint32_t>(end)); };
        // No two events at once: their order would decide who is first.
        std::vector<std::uint64_t> cycles(40);
        std::iota(cycles.begin(), cycles.end(), std::uint64_t{1000});
        for (std::size_t i = cycles.size() - 1; i > 0; --i)
            std::swap(cycles[i], cycles[below(i + 1)]);
        Reads reads;
        reads.add(0, 0, 1000, "ZONE_OF_A_PROFILER");
        const RequestServers servers{1 + random.below(50), 1'000'000};
        std::vector<TraceMessage> trace;
        std::uint64_t last_issue = 0;
        for (std::size_t core = 0; core < 4; ++core) {
            const std::size_t tile = 3 * core + below(3); // each has one of its own
            const unsigned x = static_cast<unsigned>(tile % 4), y = static_cast<unsigned>(tile / 4);
            std::vector<std::uint64_t> own(cycles.begin() + static_cast<std::ptrdiff_t>(10 * core),
                                           cycles.begin() + static_cast<std::ptrdiff_t>(10 * core + 10));
            std::ranges::sort(own);
            for (std::size_t i = 0; i < 8; ++i) {
                const unsigned to_x = below(4), to_y = below(3);
                const std::uint64_t bytes = 1 + below(3000), data = (bytes + 3) / 4;
                const std::uint64_t with_headers = 4 * (data + (data + 255) / 256);
                const bool is_read = below(2) == 0;
                reads.transfer(x, y, own[i], is_read ? "READ" : "WRITE", to_x, to_y, bytes);
                const ProcessorId from = 4 * y + x, to = 12 + 4 * to_y + to_x;
                const auto number = static_cast<std::uint32_t>(trace.size());
                trace.push_back({own[i] - 1000, from, to, is_read ? std::uint64_t{1} : with_headers});
                trace.push_back(
                    {servers.service_cycles, to, from, is_read ? with_headers : std::uint64_t{1}, {number}});
            }
            for (const char* const kind : {"READ", "WRITE"}) {
                reads.add(x, y, own[8], fmt::format("{}_BARRIER_START", kind));
                reads.add(x, y, own[8], fmt::format("{}_BARRIER_END", kind));
            }
            last_issue = std::max(last_issue, own[8] - 1000);
        }
        const TraceResult alone =
            test::in_worker([&] { return measure_trace(topology, routing, network_of(model), trace); });
        const TraceResult events = replayed(reads, model, servers);
        CAPTURE(seed, to_string(model));
        CHECK(events.messages == trace.size());
        CHECK(events.flit_hops == alone.flit_hops);
        if (model == NetworkModel::worm) { // of what is sent in one cycle, the order decides a tie
            CHECK(100 * events.time_cycles <= 102 * alone.time_cycles);
            CHECK(100 * events.time_cycles >= 98 * alone.time_cycles);
            continue;
        }
        CHECK(events.time_cycles == std::max(alone.time_cycles, last_issue));
        CHECK(events.latency.average_packet_latency_cycles == alone.latency.average_packet_latency_cycles);
    }
}

TEST_CASE("a server works on so many requests at a time", "[sim][traffic][npe]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    Reads reads; // of four cores, from one place
    for (unsigned x = 0; x < 4; ++x)
        reads.transfer(x, 1, x, "READ", 2, 2, 40);
    const auto time = [&](std::uint32_t requests) {
        return replayed(reads, model, {1000, requests}).time_cycles;
    };
    CHECK(time(1) > 4000);
    CHECK(time(1) < 4200);
    CHECK(time(2) > 2000);
    CHECK(time(2) < 2200);
    CHECK(time(4) < 1200);
    CHECK(time(4) == time(5));
    // Writes as well, whose data wait in the network.
    Reads writes;
    for (unsigned x = 0; x < 4; ++x)
        writes.transfer(x, 1, x, "WRITE", 2, 2, 400);
    CHECK(replayed(writes, model, {1000, 1}).time_cycles > 4000);
    CHECK(replayed(writes, model, {1000, 4}).time_cycles < 1900);
}

TEST_CASE("a multicast of a core is sent once where routers copy it, and each place acknowledges it",
          "[sim][traffic][npe]")
{
    Reads one;
    one.add(
        0, 0, 0, "WRITE_MULTICAST",
        R"(, "num_bytes": 400, "mcast_start_x": 1, "mcast_start_y": 0, "mcast_end_x": 3, "mcast_end_y": 2)");
    one.add(0, 0, 5, "WRITE_BARRIER_START");
    one.add(0, 0, 6, "WRITE_BARRIER_END");
    const auto run = [&](Multicast how) {
        const test::TemporaryFolder folder;
        const Topology topology = make_topology(network);
        const RankPrograms programs = read_npe_events(
            topology, folder.file("e.json", fmt::format("[{{{}}}]", fmt::join(one.events, "},\n{"))));
        MeasuredNetwork measured = network_of(NetworkModel::flit);
        measured.hardware.multicast = how;
        return test::in_worker(
            [&] { return measure_programs(topology, make_routing(topology, "dor"), measured, programs); });
    };
    const TraceResult unicasts = run(Multicast::unicasts), tree = run(Multicast::tree),
                      reserved = run(Multicast::reserved);
    Reads farthest;
    farthest.transfer(0, 0, 0, "WRITE", 3, 2, 400);
    const std::uint64_t round_trip = replayed(farthest, NetworkModel::flit).time_cycles;
    CHECK(unicasts.messages == 18);
    CHECK(tree.messages == 18);
    CHECK(unicasts.time_cycles > round_trip + 8 * 101); // 101 flits each, one behind the other
    CHECK(tree.time_cycles >= round_trip);
    CHECK(tree.time_cycles < round_trip + 9 * 3);                // nine acknowledgements at one interface
    CHECK(reserved.time_cycles == tree.time_cycles + 2 * 5 * 5); // five hops, there and back
}

TEST_CASE("what follows a barrier is as late as the answers make it", "[sim][traffic][npe]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    Reads one;
    one.transfer(0, 0, 0, "READ", 3, 2, 400);
    const std::uint64_t round_trip = replayed(one, model).time_cycles;
    REQUIRE(round_trip > 100);
    Reads two;
    two.transfer(0, 0, 0, "READ", 3, 2, 400);
    two.add(0, 0, 20, "READ_BARRIER_START");
    two.add(0, 0, 5000, "READ_BARRIER_END"); // however long it took there
    two.transfer(0, 0, 5030, "READ", 3, 2, 400);
    two.add(0, 0, 5040, "READ_BARRIER_START");
    two.add(0, 0, 9000, "READ_BARRIER_END");
    two.add(0, 0, 9007, "END_OF_A_KERNEL");
    const TraceResult result = replayed(two, model);
    CHECK(result.time_cycles == 2 * round_trip + 30 + 7);
    CHECK(result.captured_cycles == 9007);
    Reads nothing_open;
    nothing_open.add(0, 0, 0, "READ_BARRIER_START");
    nothing_open.add(0, 0, 44, "READ_BARRIER_END");
    CHECK(replayed(nothing_open, model).time_cycles == 44);
    Reads slow;
    slow.transfer(0, 0, 0, "READ", 3, 2, 400);
    slow.add(0, 0, 4000, "READ_BARRIER_START"); // the answer has come before
    slow.add(0, 0, 4001, "READ_BARRIER_END");
    CHECK(replayed(slow, model).time_cycles == 4000);
}

} // namespace nocturne::npe_events_test
