#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "schedules/slots/slot_search.hpp"
#include "sim/contracts/flow_requests.hpp"
#include "sim/contracts/slot_file.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace nocturne::contract_files_test {

using Catch::Contains;
using test::TemporaryFolder;

namespace {

template <class Action>
std::string error_of(Action action)
{
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("flows as text", "[sim][contracts]")
{
    const FlowRequest flow = parse_flow("source=a,destination=b, mbytes_per_s=2.5,burst_messages=3");
    CHECK(flow.source == "a");
    CHECK(flow.mbytes_per_s == 2.5);
    CHECK(flow.message_bytes == 64);
    CHECK(flow.burst_messages == 3);
    CHECK(!flow.latency_ns);
    for (const char* const text : {"source=0,10,destination=11,3,mbytes_per_s=50",
                                   "mbytes_per_s=50,source=\"0,10\",destination=\"11,3\"",
                                   "destination=11,3,mbytes_per_s=50,source=0,10"}) {
        CHECK(parse_flow(text).source == "0,10");
        CHECK(parse_flow(text).destination == "11,3");
        CHECK(parse_flow(text).mbytes_per_s == 50);
    }
    const auto error = [](const char* text) { return error_of([&] { parse_flow(text); }); };
    CHECK_THAT(error("source=a,destination=b"), Contains("a flow needs mbytes_per_s"));
    CHECK_THAT(error("source=a,source=b,mbytes_per_s=1"), Contains("source twice"));
    CHECK_THAT(error("a->b"), Contains("expected NAME=VALUE"));
    CHECK_THAT(error("rate=1"), Contains("'rate' is no key of a flow"));
    CHECK_THAT(error("mbytes_per_s=nan"), Contains("a number above 0"));
    CHECK_THAT(error("mbytes_per_s=0"), Contains("a number above 0"));
    CHECK_THAT(error("message_bytes=0"), Contains("a whole number from 1 to"));
    CHECK_THAT(error("burst_messages=1e3"), Contains("a whole number from 1 to"));
}

TEST_CASE("flows from a file", "[sim][contracts]")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("flows.csv", "# of an application\n"
                                                      "source,destination,latency_ns,mbytes_per_s\n"
                                                      "#0,#3,,100\n"
                                                      "#1,#2,1000,50\n");
    const std::vector<FlowRequest> requests = read_flows(path);
    const std::string quoted =
        folder.file("quoted.csv", "source,destination,mbytes_per_s\n\"1,10\",\"0,3\",5\n");
    CHECK(read_flows(quoted).front().source == "1,10");
    REQUIRE(requests.size() == 2);
    const Topology topology = make_topology("mesh:2x2");
    HardwareConfig hardware;
    hardware.cycle_ns = 0.7;
    const std::vector<GuaranteedFlow> flows = flows_of(topology, hardware, requests);
    CHECK(flows[0] == GuaranteedFlow{0, 3, 16, 914}); // 640 ns
    CHECK(flows[1] == GuaranteedFlow{1, 2, 16, 1828, 1, 1428});
}

TEST_CASE("slot tables come back from files as they were", "[sim][contracts]")
{
    for (const char* const name : {"mesh:3x3", "torus:2x2", "torus:2x3"}) { // the last have parallel channels
        const Topology topology = make_topology(name);
        SlotTiming timing;
        timing.channel_cycles.assign(topology.channel_count(), 5);
        const std::vector<GuaranteedFlow> flows{{0, 1, 3, 40}, {1, 0, 6, 80, 2, 300}};
        const SlotFile file{name, 3, 5, flows, find_slots(topology, timing, flows, {}).table.value()};
        const SlotFile read = slots_from_json(topology, to_json(topology, file), "slots.json");
        CHECK(read.topology == name);
        CHECK(read.flows == flows);
        CHECK(read.table == file.table);
        CHECK(read.slot_cycles == 5);
    }
}

TEST_CASE("a slot table is for the network with all that its parts have", "[sim][contracts]")
{
    const Topology plain = make_topology("mesh:2x2");
    const Topology slow = with_parts(plain, std::vector<std::string>{"link *->*: latency=3"});
    const std::string text = to_json(slow, SlotFile{"mesh:2x2", 3, 5, {{0, 1, 3, 40}}, {2, {{{0}, {0}}}}});
    CHECK(slots_from_json(slow, text, "t.json").table.flows[0].path == Path{0});
    CHECK_THAT(error_of([&] { slots_from_json(plain, text, "t.json"); }),
               Contains("t.json: /topology: this table is for " + slow.name() + ", not for mesh:2x2"));
}

} // namespace nocturne::contract_files_test
