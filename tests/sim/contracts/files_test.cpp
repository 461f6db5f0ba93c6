#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "schedules/slots/slot_search.hpp"
#include "sim/contracts/flow_requests.hpp"
#include "sim/contracts/slot_file.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace nocturne::contract_files_test {

using Catch::Contains;
using Catch::EndsWith;
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

    const auto error = [&](const std::string& content) {
        const std::string file = folder.file("wrong.csv", content);
        return error_of([&] { flows_of(topology, hardware, read_flows(file)); });
    };
    const std::string header = "source,destination,mbytes_per_s\n";
    CHECK_THAT(error(""), EndsWith("wrong.csv: no flow"));
    CHECK_THAT(error(header), EndsWith("wrong.csv: no flow"));
    CHECK_THAT(error("source,destination\n"), EndsWith("wrong.csv:1: a flow needs mbytes_per_s"));
    CHECK_THAT(error("source,rate\n"), Contains("wrong.csv:1: expected a header of some of source,"));
    CHECK_THAT(error("source,source\n"), EndsWith("wrong.csv:1: a column twice"));
    CHECK_THAT(error(header + "00,11\n"), EndsWith("wrong.csv:2: 2 fields; the header has 3"));
    CHECK_THAT(error(header + "00,11,-3\n"), EndsWith("wrong.csv:2: mbytes_per_s '-3': a number above 0"));
    CHECK_THAT(error(header + "00,11,\n"), EndsWith("wrong.csv:2: mbytes_per_s '': a number above 0"));
    CHECK_THAT(error(header + "00,29,1\n"), EndsWith("wrong.csv:2: mesh:2x2 has no processor '29'"));
    CHECK_THAT(error(header + "00,11,1e-300\n"), Contains("wrong.csv:2: a message each"));
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

TEST_CASE("a file that is no slot table is refused with its place", "[sim][contracts]")
{
    const Topology topology = make_topology("mesh:2x2");
    const auto error = [&](std::string text, const std::string& from = {}, const std::string& to = {}) {
        if (!from.empty())
            text.replace(text.find(from), from.size(), to);
        return error_of([&] { slots_from_json(topology, text, "t.json"); });
    };
    const std::string good = R"({"format": "nocturne-slots", "version": 1, "topology": "mesh:2x2", "slots": 2,
        "slot_flits": 3, "slot_cycles": 5, "flows": [{"source": "00", "destination": "11", "message_flits": 3,
        "message_cycles": 10, "path": ["00", "01", "11"], "starts": [0]}]})";
    CHECK(error(good).empty());
    CHECK_THAT(error("[]"), Contains("t.json: "));
    CHECK_THAT(error(good, "nocturne-slots", "slots"), Contains("expected the format nocturne-slots"));
    CHECK_THAT(error(good, "\"slots\": 2", "\"slots\": 0"), Contains("t.json: /slots: expected a whole"));
    CHECK_THAT(error(good, "\"slots\": 2", "\"slots\": 4000000000"), Contains("/slots: expected a whole"));
    CHECK_THAT(error(good, "\"01\", \"11\"", "\"11\""), Contains("/flows/0/path/1: no channel 00->11"));
    CHECK_THAT(error(good, "mesh:2x2", "mesh:2x3"),
               EndsWith("t.json: /topology: this table is for mesh:2x3, not for mesh:2x2"));
    CHECK_THAT(error(good, "\"mesh:2x2\"", "2"), Contains("t.json: /topology: "));
    CHECK_THAT(error(good, "[0]", "[-1]"), Contains("/flows/0/starts/0: expected a whole number"));
    CHECK_THAT(error(good, "10,", "0,"), Contains("/flows/0/message_cycles: expected cycles"));
    CHECK_THAT(error(good, "\"00\", \"dest", "\"77\", \"dest"), Contains("no processor"));
    CHECK_THAT(error(good, "starts", "start"), Contains("'start'"));
    CHECK_THAT(error(good, "\"path\": [\"00\", \"01\", \"11\"]", "\"channels\": [99]"),
               Contains("/flows/0/channels/0: mesh:2x2 has 8 channels"));
}

} // namespace nocturne::contract_files_test
