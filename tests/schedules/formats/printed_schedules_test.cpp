// Schedules as TE-CCL and ForestColl print them.
#include "models/topology/make_topology.hpp"
#include "schedules/chunks/chunk_validator.hpp"
#include "schedules/formats/forestcoll_xml.hpp"
#include "schedules/formats/teccl_json.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace nocturne::printed_schedules_test {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Three processors on a switch.
LinkNetwork star()
{
    LinkNetwork network("star", 3);
    const NodeId hub = network.add_switch(NodeKind::plain_switch, "hub");
    for (const NodeId processor : {0u, 1u, 2u})
        network.add_links(processor, hub, 4, 1);
    return network;
}

/// Three GPUs around a switch that has the number 1.
std::string teccl_text(const std::string& flows)
{
    std::string demands;
    for (const int from : {0, 2, 3}) {
        demands += fmt::format("{}\"GPU {}\": {{", demands.empty() ? "" : ", ", from);
        bool is_first = true;
        for (const int to : {0, 2, 3})
            if (to != from) {
                demands += fmt::format("{}\"GPU {}\": {{\"Chunk 0\": 1}}", is_first ? "" : ", ", to);
                is_first = false;
            }
        demands += "}";
    }
    return fmt::format("{{\"1-Epoch_Duration\": 1, \"6-Demand_Met\": {{{}}}, \"7-Flows\": [{}]}}", demands,
                       flows);
}

const std::string all_flows = R"("Chunk 0 from 0 traveled over 2->3 in epoch 1 via switches 1",
    "Chunk 0 from 0 traveled over 0->2 in epoch 0 via switches 1",
    "Chunk 0 from 2 traveled over 2->0 in epoch 0 via switches 1",
    "Chunk 0 from 2 traveled over 2->3 in epoch 2 via switches 1",
    "Chunk 0 from 3 traveled over 3->0 in epoch 1 via switches 1",
    "Chunk 0 from 3 traveled over 3->2 in epoch 1 via switches 1")";

const std::string forest = R"xml(<Algo nchunkspernode="1">
  <tree root="(0, 'GPU', 2)" index="0" nchunks="1" height="2">
    <send src="(0, 'GPU', 2)" dst="(0, 'GPU', 10)" path="(0, 'GPU', 2),(-1, 'S', 0),(0, 'GPU', 10)"/>
    <send src="(0, 'GPU', 10)" dst="(0, 'GPU', 11)" path="(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 11)"/>
  </tree>
  <tree root="(0, 'GPU', 10)" index="0" nchunks="1" height="1">
    <send src="(0, 'GPU', 10)" dst="(0, 'GPU', 2)" path="(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 2)"/>
    <send src="(0, 'GPU', 10)" dst="(0, 'GPU', 11)" path="(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 11)"/>
  </tree>
  <tree root="(0, 'GPU', 11)" index="0" nchunks="1" height="2">
    <send src="(0, 'GPU', 11)" dst="(0, 'GPU', 2)" path="(0, 'GPU', 11),(-1, 'S', 0),(0, 'GPU', 2)"/>
    <send src="(0, 'GPU', 2)" dst="(0, 'GPU', 10)" path="(0, 'GPU', 2),(-1, 'S', 0),(0, 'GPU', 10)"/>
  </tree>
</Algo>
)xml";

std::string with(std::string text, const std::string& what, const std::string& other)
{
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), other);
}

} // namespace

TEST_CASE("flows of TE-CCL are read, judged, and found wanting", "[chunks][formats]")
{
    const std::string text = teccl_text(all_flows);
    REQUIRE(is_teccl_json(text));
    const ForeignSchedule read = read_teccl_json(text, "t.json", star());
    CHECK(validate(read.schedule, star()).empty());
    CHECK(read.schedule.collective == chunked_allgather({.processors = 3}));
    CHECK(read.schedule.transfers.size() == 6);
    CHECK(read.places.front() == "flow 2"); // of epoch 0
    CHECK(std::count_if(read.schedule.transfers.begin(), read.schedule.transfers.end(),
                        [](const ChunkTransfer& transfer) { return !transfer.after.empty(); }) == 1);

    // What has not come yet is not there.
    const ForeignSchedule early =
        read_teccl_json(teccl_text(with(all_flows, "2->3 in epoch 1", "2->3 in epoch 0")), "t.json", star());
    const auto violations = validate(early.schedule, star());
    REQUIRE_FALSE(violations.empty());
    CHECK(violations.front().rule == ChunkRule::nothing_there);
}

TEST_CASE("a GPU that a file treats as a switch is called one", "[chunks][formats]")
{
    LinkNetwork ring("ring", 4);
    for (const NodeId node : {0u, 1u, 2u, 3u})
        ring.add_links(node, (node + 1) % 4, 4, 1);
    // Processor 1 is crossed, and has nothing of its own.
    const ForeignSchedule read = read_teccl_json(teccl_text(all_flows), "t.json", ring);
    CHECK(read.schedule.name == "3 of 4 processors");
    const auto violations = validate(read.schedule, ring);
    REQUIRE_FALSE(violations.empty());
    CHECK(violations.front().rule == ChunkRule::crossed_node);
    CHECK(violations.front().node == 1U);
}

TEST_CASE("what is no schedule of TE-CCL gets one line with the place", "[chunks][formats]")
{
    const auto [text, message] = GENERATE(table<std::string, std::string>(
        {{R"({"1-Epoch_Duration": 1})", "t: /: member '6-Demand_Met' is missing"},
         {R"({"6-Demand_Met": [], "7-Flows": []})", "t: /6-Demand_Met: expected an object"},
         {R"({"6-Demand_Met": {}, "7-Flows": []})", "t: /6-Demand_Met: it has no demands"},
         {R"({"6-Demand_Met": {"CPU 1": {}}, "7-Flows": []})", "t: /6-Demand_Met: 'CPU 1'"},
         {R"({"6-Demand_Met": {"GPU -1": {}}, "7-Flows": []})", "t: /6-Demand_Met: '-1' is no number"},
         {R"({"6-Demand_Met": {"GPU 1": {"GPU 2": 3}}, "7-Flows": []})", "t: /6-Demand_Met/GPU 1/GPU 2: "},
         {R"({"6-Demand_Met": {"GPU 1": {"GPU 2": {"Chunk 0": 1}}}, "7-Flows": []})",
          "t: its demands are no allgather"},
         {teccl_text(R"("Chunk 0 from 0 went over 0->2")"), "t: /7-Flows/0: expected \"Chunk 0"},
         {teccl_text(R"("Chunk 0 from 0 traveled over 0->2 with volume 0.4 in epoch 0")"),
          "t: /7-Flows/0: volumes"},
         {teccl_text(R"("Chunk 0 from 0 traveled over 0->99999999999 in epoch 0")"), "t: /7-Flows/0: '999"},
         {teccl_text(R"("Chunk 3 from 0 traveled over 0->2 in epoch 0")"), "t: flow 1: chunk 3"},
         {teccl_text(R"("Chunk 0 from 0 traveled over 0->7 in epoch 0 via switches 5, 6")"),
          "t: it has 3 GPUs"},
         {"{", "t: "}}));
    CHECK_THROWS_WITH(read_teccl_json(text, "t", star()), StartsWith(message));
}

TEST_CASE("trees of ForestColl are read, judged, and found wanting", "[chunks][formats]")
{
    REQUIRE(is_forestcoll_xml(forest));
    const ForeignSchedule read = read_forestcoll_xml(forest, "f.xml", star());
    CHECK(validate(read.schedule, star()).empty());
    CHECK(read.schedule.collective == chunked_allgather({.processors = 3}));
    // GPU 2 comes before GPU 10; the switch behind all.
    CHECK(read.schedule.transfers.front().source == 0);
    CHECK(read.schedule.transfers.front().destination == 1);
    CHECK(read.schedule.transfers.front().path == std::vector<LinkId>{0, 3});
    CHECK(read.places.front() == "line 3");
    CHECK(read.places.back() == "line 12");

    LinkNetwork triangle("triangle", 3); // by names, and without a switch
    for (const NodeId node : {0u, 1u, 2u})
        triangle.add_links(node, (node + 1) % 3, 4, 1);
    const std::string plain = R"xml(<Algo nchunkspernode="1">
<tree root="0" index="0" nchunks="1" height="1">
<send src="0" dst="1" path="0,1"/><send src="0" dst="2" path="0,2"/></tree>
<tree root="1" index="0" nchunks="1" height="1">
<send src="1" dst="0" path="1,0"/><send src="1" dst="2" path="1,2"/></tree>
<tree root="2" index="0" nchunks="1" height="1">
<send src="2" dst="0" path="2,0"/></tree></Algo>)xml";
    const ForeignSchedule lacking = read_forestcoll_xml(plain, "f.xml", triangle);
    const auto violations = validate(lacking.schedule, triangle);
    REQUIRE(violations.size() == 1);
    CHECK(violations.front().rule == ChunkRule::undelivered);
    CHECK(violations.front().node == 1U);
}

TEST_CASE("what is no forest gets one line with the place", "[chunks][formats]")
{
    const auto [what, other, message] = GENERATE(table<std::string, std::string, std::string>(
        {{"</Algo>", "", "f: line 1"},
         {"Algo nchunks", "Algorithm nchunks", "f: "},
         {"nchunkspernode=\"1\"", "nchunkspernode=\"0\"", "f: line 1: "},
         {"nchunkspernode=\"1\"", "nchunkspernode=\"2\"", "f: line 1: "},
         {"nchunks=\"1\" height=\"2\"", "nchunks=\"2\" height=\"2\"", "f: line 2: more than 1 chunks"},
         {"path=\"(0, 'GPU', 2),", "path=\"(0, 'GPU', 3),", "f: line 3: its path does not lead"},
         {"src=\"(0, 'GPU', 2)\" dst=\"(0, 'GPU', 10)\" path=\"(0, 'GPU', 2),",
          "src=\"(0, 'GPU', 11)\" dst=\"(0, 'GPU', 10)\" path=\"(0, 'GPU', 11),",
          "f: line 3: nothing has come to"},
         {"dst=\"(0, 'GPU', 11)\" path=\"(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 11)\"",
          "dst=\"(0, 'GPU', 2)\" path=\"(0, 'GPU', 10),(-1, 'S', 0),(0, 'GPU', 2)\"",
          "f: line 4: (0, 'GPU', 2) is in the tree already"},
         {"root=\"(0, 'GPU', 2)\"", "root=\"(0, 'GPU', 10)\"", "f: line 1: it has 2 roots"}}));
    CHECK_THROWS_WITH(read_forestcoll_xml(with(forest, what, other), "f", star()), StartsWith(message));
}

} // namespace nocturne::printed_schedules_test
