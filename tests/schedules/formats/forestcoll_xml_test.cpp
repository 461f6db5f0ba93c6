// Schedules as ForestColl prints them.
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/formats/printed_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace nocturne::forestcoll_xml_test {

using test::forest;
using test::star;

TEST_CASE("links take first of ForestColl's trees what can go first", "[chunks][formats]")
{
    // Tree by tree, each link would wait for what the tree before has still under way.
    LinkNetwork line("line", 4);
    for (const NodeId node : {0u, 1u, 2u})
        line.add_links(node, node + 1, 4, 1);
    std::string trees;
    for (unsigned root = 0; root < 4; ++root) {
        trees += fmt::format("<tree root=\"{}\" index=\"0\" nchunks=\"8\" height=\"3\">", root);
        for (unsigned to = root; to < 3; ++to)
            trees += fmt::format("<send src=\"{0}\" dst=\"{1}\" path=\"{0},{1}\"/>", to, to + 1);
        for (unsigned to = root; to > 0; --to)
            trees += fmt::format("<send src=\"{0}\" dst=\"{1}\" path=\"{0},{1}\"/>", to, to - 1);
        trees += "</tree>";
    }
    ForeignSchedule read =
        read_forestcoll_xml("\xEF\xBB\xBF<Algo nchunkspernode=\"8\">" + trees + "</Algo>", "f.xml", line);
    REQUIRE(validate(read.schedule, line).empty());
    CHECK(read.order_is_open);
    const AlphaBeta cost{.bytes_per_weight = 400};
    order_links(read.schedule, line, cost);
    CHECK(validate(read.schedule, line).empty());
    // 24 chunks of 100 cycles over the links in the middle and at the ends, without a pause.
    CHECK(time_of(read.schedule, line, cost) == Approx(2400).margin(10));
}

namespace {

/// Boxes of processors on a switch each, and a switch between the boxes, every link of 4 bytes a cycle.
LinkNetwork boxes_of(unsigned boxes, unsigned each)
{
    LinkNetwork network("boxes", boxes * each);
    const NodeId core = network.add_switch(NodeKind::plain_switch, "core");
    for (unsigned box = 0; box < boxes; ++box) {
        const NodeId inside = network.add_switch(NodeKind::plain_switch, fmt::format("S{}", box));
        for (unsigned i = 0; i < each; ++i)
            network.add_links(box * each + i, inside, 4, 1);
        network.add_links(inside, core, 4, 1);
    }
    return network;
}

/// For each processor a tree: to the processors of the same place in the other boxes, and in every box on to
/// the next place, round to the last.
std::string trees_of(unsigned boxes, unsigned each, unsigned chunks)
{
    std::string text = fmt::format("<Algo nchunkspernode=\"{}\">", chunks);
    for (unsigned root = 0; root < boxes * each; ++root) {
        const auto send = [&](unsigned from, unsigned to, const std::string& between) {
            text += fmt::format("<send src=\"{0}\" dst=\"{1}\" path=\"{0},{2},{1}\"/>", from, to, between);
        };
        const unsigned home = root / each;
        text += fmt::format("<tree root=\"{}\" index=\"0\" nchunks=\"{}\">", root, chunks);
        for (unsigned box = 0; box < boxes; ++box)
            if (box != home)
                send(root, box * each + root % each, fmt::format("S{},core,S{}", home, box));
        for (unsigned box = 0; box < boxes; ++box)
            for (unsigned i = 0; i + 1 < each; ++i)
                send(box * each + (root + i) % each, box * each + (root + i + 1) % each,
                     fmt::format("S{}", box));
        text += "</tree>";
    }
    return text + "</Algo>";
}

} // namespace

TEST_CASE("trees through the switches of several boxes keep the links of processors busy",
          "[chunks][formats]")
{
    const unsigned boxes = GENERATE(1u, 2u, 3u), each = GENERATE(2u, 3u, 4u);
    CAPTURE(boxes, each);
    constexpr unsigned chunks = 16;
    const LinkNetwork network = boxes_of(boxes, each);
    ForeignSchedule read = read_forestcoll_xml(trees_of(boxes, each, chunks), "f.xml", network);
    REQUIRE(validate(read.schedule, network).empty());
    REQUIRE(read.order_is_open);
    const AlphaBeta cost{.bytes_per_weight = 400};
    // One tree behind the other, chunk by chunk.
    std::vector<std::uint32_t> by_tree(count_transfers(read.schedule));
    std::iota(by_tree.begin(), by_tree.end(), 0u);
    std::ranges::stable_sort(by_tree, {},
                             [&](std::uint32_t id) { return read.schedule.steps[0][id].message; });
    const Schedule listed = in_order(read.schedule, by_tree);
    order_links(read.schedule, network, cost);
    CHECK(validate(read.schedule, network).empty());
    // Each processor takes in what all others have, 100 cycles a chunk.
    const double least = 100.0 * chunks * (boxes * each - 1);
    const double time = time_of(read.schedule, network, cost);
    CHECK(time >= least);
    CHECK(time <= 1.2 * least);
    CHECK(time <= time_of(listed, network, cost));
}

TEST_CASE("trees of ForestColl are read, judged, and found wanting", "[chunks][formats]")
{
    REQUIRE(is_forestcoll_xml(forest));
    const ForeignSchedule read = read_forestcoll_xml(forest, "f.xml", star());
    CHECK(validate(read.schedule, star()).empty());
    CHECK(read.schedule.collective == allgather({.processors = 3}));
    // GPU 2 comes before GPU 10; the switch behind all.
    CHECK(read.schedule.steps[0].front().source == 0);
    CHECK(read.schedule.steps[0].front().destination == 1);
    CHECK(read.schedule.steps[0].front().path == Path{0, 3});
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
    CHECK(violations.front().rule == Rule::undelivered);
    CHECK(violations.front().processor == 1U);
}

} // namespace nocturne::forestcoll_xml_test
