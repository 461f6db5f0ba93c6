#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/formats/printed_schedules.hpp"
#include "tests/schedules/formats/random_schedules.hpp"

#include <algorithm>
#include <map>
#include <regex>

namespace nocturne::msccl_xml_test {

using Catch::Contains;
using namespace test;

TEST_CASE("a program in MSCCL's XML does what the schedule does, on random networks", "[formats][msccl]")
{
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SplitMix64 random(seed);
        const LinkNetwork network = random_network(random);
        const Schedule schedule = random_schedule(random, network);
        const bool is_in_place = seed % 3 > 0 || schedule.collective.kind != CollectiveKind::allgather;
        const std::string text = to_msccl_xml(schedule, network, is_in_place);
        INFO("seed " << seed << ", " << to_string(schedule.collective.kind));
        CHECK((text.find("inplace=\"1\"") != std::string::npos) ==
              (is_in_place && schedule.collective.kind != CollectiveKind::alltoall));
        CHECK(is_msccl_xml(text));
        const ForeignSchedule read = read_msccl_xml(text, "a.xml", network);
        CHECK(read.schedule.collective == schedule.collective);
        REQUIRE(read.places.size() == count_transfers(read.schedule));
        const auto over_links = [](const ListedTransfer& one) { return !one.transfer.is_local(); };
        CHECK(std::ranges::count_if(list_transfers(read.schedule), over_links) ==
              std::ranges::count_if(list_transfers(schedule), over_links));
        for (const Violation& violation : validate(read.schedule, network))
            FAIL(violation.text);
    }
}

TEST_CASE("a program takes the links of the schedule, in their order, and as long", "[formats][msccl]")
{
    const std::string name = GENERATE("star:4", "btree:4", "fattree:4", "clos:2,2,2", "ring:4", "parallel");
    LinkNetwork network = name == "parallel" ? LinkNetwork(name, 3) : link_network_of(make_topology(name));
    for (unsigned twice = 0; name == "parallel" && twice < 2; ++twice)
        for (const NodeId node : {0u, 1u, 2u})
            network.add_links(node, (node + 1) % 3, 4, 1 + twice);
    const CollectiveKind kind =
        GENERATE(CollectiveKind::allreduce, CollectiveKind::allgather, CollectiveKind::alltoall);
    TimedConfig config;
    config.runs = 1;
    config.cost.bytes_per_weight = 64;
    const Schedule schedule =
        search_by_time(network, make_collective(kind, {.processors = network.processor_count(), .parts = 2}),
                       config)
            .value()
            .schedule;
    INFO(name << ", " << to_string(kind));
    const std::string text = to_msccl_xml(schedule, network);
    const ForeignSchedule read = read_msccl_xml(text, "a.xml", network);
    CHECK(validate(read.schedule, network).empty());
    CHECK(time_of(read.schedule, network, config.cost) == time_of(schedule, network, config.cost));
    CHECK(read.chosen_paths == 0);
    CHECK(read.order_is_open == (name == "ring:4"));
    // Without what executors do not look at, links and order are found, and it is said which.
    const std::string plain = std::regex_replace(text, std::regex(" (links|turn)=\"[0-9 ]*\""), "");
    CHECK((plain == text) == (name == "ring:4"));
    ForeignSchedule found = read_msccl_xml(plain, "a.xml", network);
    CHECK(found.order_is_open);
    CHECK((found.chosen_paths > 0) == (name == "clos:2,2,2" || name == "parallel" || name == "fattree:4"));
    const double as_read = time_of(found.schedule, network, config.cost);
    order_links(found.schedule, network, config.cost);
    CHECK(validate(found.schedule, network).empty());
    CHECK(time_of(found.schedule, network, config.cost) <= as_read);
    CHECK(time_of(found.schedule, network, config.cost) <= 3 * time_of(schedule, network, config.cost));
    // Turns that contradict each other are none.
    const std::string turned = std::regex_replace(text, std::regex(" turn=\"[0-9]*\""), " turn=\"0\"");
    CHECK(validate(read_msccl_xml(turned, "a.xml", network).schedule, network).empty());
}

TEST_CASE("links that a file leaves open are evenly loaded", "[formats]")
{
    // Two switches in between: as many pairs over one as over the other.
    LinkNetwork network("two ways", 4);
    for (const char* name : {"a", "b"}) {
        const NodeId hub = network.add_switch(NodeKind::plain_switch, name);
        for (const NodeId processor : {0u, 1u, 2u, 3u})
            network.add_links(processor, hub, 4, 1);
    }
    ProcessorPaths paths(network);
    std::map<LinkId, unsigned> load;
    for (const NodeId from : {0u, 1u})
        for (const NodeId to : {2u, 3u})
            for (const LinkId link : paths.between(from, to))
                ++load[link];
    CHECK(load.size() == 8);
    CHECK(paths.chosen() == 4);
    CHECK(paths.between(0, 2) == paths.between(0, 2));
}

TEST_CASE("a schedule in steps, with exchanges, does the same as a program", "[formats][msccl]")
{
    const LinkNetwork network = link_network_of(make_topology("hypercube:3"));
    FrontConfig config;
    config.most_parts = 2;
    config.extra_steps = 0;
    const auto front = find_front(network, allreduce({.processors = 8}), config);
    REQUIRE_FALSE(front.empty());
    const ForeignSchedule read =
        read_msccl_xml(to_msccl_xml(front.front().schedule, network), "a.xml", network);
    CHECK(validate(read.schedule, network).empty());
}

TEST_CASE("the referee finds what is wrong with a program, and says in which line", "[formats][msccl]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:3"));
    std::string text = example_program();
    Rule expected{};
    SECTION("a contribution that is lost")
    {
        text = with(text, "type=\"rrc\"", "type=\"r\"");
        expected = Rule::missing_contribution;
    }
    SECTION("a contribution that is counted twice")
    {
        // The last chunk that comes whole is added to what is there.
        const std::size_t at = text.rfind("type=\"r\"");
        text.replace(at, 8, "type=\"rrc\"");
        expected = Rule::added_twice;
    }
    const ForeignSchedule read = read_msccl_xml(text, "a.xml", network);
    const auto violations = validate(read.schedule, network);
    CHECK(std::ranges::any_of(violations, [&](const auto& violation) { return violation.rule == expected; }));
    for (const std::string& place : read.places)
        CHECK_THAT(place, Catch::StartsWith("line "));
    // Links that do not exist: the same program where 2 and 0 are not joined.
    LinkNetwork line("line", 3);
    line.add_links(0, 1, 4, 1);
    line.add_links(1, 2, 4, 1);
    const auto missing = validate(read_msccl_xml(example_program(), "a.xml", line).schedule, line);
    CHECK(std::ranges::any_of(missing,
                              [](const auto& violation) { return violation.rule == Rule::broken_path; }));
}

TEST_CASE("what MSCCL's XML cannot say is refused in words", "[formats][msccl]")
{
    const LinkNetwork two = link_network_of(make_topology("ring:3"));
    const auto sums = search_by_time(two, allreduce({.processors = 3}), {});
    REQUIRE(sums);
    CHECK_THROWS_WITH(to_msccl_xml(sums->schedule, two, false), Catch::Contains("out of place"));
    const LinkNetwork network = link_network_of(make_topology("ring:3"));
    TimedConfig config;
    config.runs = 1;
    const auto schedule_of = [&](const Collective& collective) {
        return search_by_time(network, collective, config).value().schedule;
    };
    CHECK_THROWS_WITH(to_msccl_xml(schedule_of(broadcast({.processors = 3}, 0)), network),
                      Catch::Contains("no collective 'broadcast'"));
    CHECK_THROWS_WITH(to_msccl_xml(schedule_of(allreduce({.processors = 3, .group = {0, 2}})), network),
                      Catch::Contains("all processors"));
}

} // namespace nocturne::msccl_xml_test
