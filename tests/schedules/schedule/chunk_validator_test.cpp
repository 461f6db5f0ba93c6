#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/edit_transfers.hpp"
#include "tests/schedules/schedule/ring_schedules.hpp"

#include <algorithm>

using namespace nocturne;

namespace {

std::vector<Rule> rules_broken(const Schedule& schedule, const LinkNetwork& network)
{
    std::vector<Rule> rules;
    for (const Violation& violation : validate(schedule, network)) {
        INFO(violation.text);
        rules.push_back(violation.rule);
    }
    return rules;
}

} // namespace

TEST_CASE("each defect of a chunked schedule is called by its rule", "[chunks][validator]")
{
    struct Defect {
        const char* what;
        Rule expected;
        void (*make)(Schedule& schedule);
    };
    const Defect defects[] = {
        {"a contribution that comes twice: the last copy adds to what has contributions that come again",
         Rule::added_twice,
         [](Schedule& schedule) { schedule.steps.back().back().operation = Operation::add; }},
        {"a contribution that is left out", Rule::missing_contribution,
         [](Schedule& schedule) { test::transfer_at(schedule, 7).operation = Operation::copy; }},
        {"more than a link carries", Rule::link_overfull,
         [](Schedule& schedule) {
             schedule.steps.back().push_back(schedule.steps.back().back());
             schedule.steps.back().back().to = 7;
         }},
        {"a link that does not exist", Rule::unknown_channel,
         [](Schedule& schedule) { test::transfer_at(schedule, 3).path = {10}; }},
        {"a path to elsewhere", Rule::broken_path,
         [](Schedule& schedule) { test::transfer_at(schedule, 3).path = {7}; }},
        {"chunks that are mixed up", Rule::different_chunks,
         [](Schedule& schedule) { test::transfer_at(schedule, 3).to = 4; }},
    };
    for (const Defect& defect : defects) {
        INFO(defect.what);
        Schedule schedule = test::ring_allreduce(5);
        defect.make(schedule);
        const auto rules = rules_broken(schedule, test::ring(5));
        CHECK(std::count(rules.begin(), rules.end(), defect.expected) >= 1);
    }
}

TEST_CASE("without barriers a dependency left out is a race, and a circle is seen", "[chunks][validator]")
{
    const LinkNetwork network = test::ring(5);
    Schedule schedule = test::ring_allreduce_without_barriers(5);
    SECTION("left out")
    {
        const std::size_t which = GENERATE(range(5, 40));
        test::set_after(schedule, which, {});
        const auto violations = validate(schedule, network);
        REQUIRE(!violations.empty());
        CHECK(violations.front().rule == Rule::race);
        CHECK(violations.front().transfer == which);
    }
    SECTION("a circle")
    {
        test::set_after(schedule, 0, {39});
        CHECK(validate(schedule, network).front().rule == Rule::circular_wait);
    }
}

TEST_CASE("a path crosses switches, and no processor", "[chunks][validator]")
{
    Schedule schedule;
    schedule.collective = broadcast({.processors = 3, .group = {0, 1}}, 0);
    schedule.rounds = {1};
    set_transfers(schedule, {{{0, 0, 1, Path{0, 1}}}});
    const auto through = [](LinkNetwork network, NodeId between) {
        network.add_link({0, between, 1, 0});
        network.add_link({between, 1, 1, 0});
        return network;
    };
    for (const NodeKind kind : {NodeKind::plain_switch, NodeKind::copying_switch}) {
        LinkNetwork network{"switched", 3};
        network.add_switch(kind, "s");
        CHECK(rules_broken(schedule, through(network, 3)).empty());
    }
    const auto rules = rules_broken(schedule, through(LinkNetwork{"processor", 3}, 2));
    CHECK(std::count(rules.begin(), rules.end(), Rule::crossed_node) == 1);
}

namespace {

/// Every two of four processors have a link, of 4 bytes a cycle.
LinkNetwork four_joined()
{
    LinkNetwork network{"four", 4};
    for (NodeId a = 0; a < 4; ++a)
        for (NodeId b = a + 1; b < 4; ++b)
            network.add_links(a, b, 4, 1);
    return network;
}

Transfer over(const LinkNetwork& network, NodeId from, NodeId to, PlaceId place)
{
    return {place, from, to, Path{only_link(network, from, to).value()}};
}

} // namespace

TEST_CASE("each addition is held against what has read the place before all additions", "[chunks][validator]")
{
    const LinkNetwork network = four_joined();
    Schedule schedule;
    schedule.synchronization = ScheduleSynchronization::dependencies;
    schedule.collective.processors = 4;
    schedule.collective.chunks = {{1, {0, 1, 2}}};
    schedule.collective.demands = Demands({{0, 0, {0, 1, 2}}, {0, 3, {0}}});
    set_transfers(schedule, {{over(network, 0, 3, 0)},
                             {over(network, 1, 0, 0)},
                             {over(network, 2, 0, 0)},
                             {over(network, 2, 1, 0)},
                             {over(network, 2, 3, 0)}});
    for (const std::uint32_t adds : {1u, 2u})
        test::transfer_at(schedule, adds).operation = Operation::add;
    test::set_after(schedule, 1, {0});
    // Others into scratch keep the second addition until the first is over, and order it against nothing.
    test::transfer_at(schedule, 3).to = test::transfer_at(schedule, 4).to = 7;
    test::set_after(schedule, 4, {3});
    test::set_after(schedule, 2, {4});
    const auto violations = validate(schedule, network);
    REQUIRE(violations.size() == 1);
    CHECK(violations.front().rule == Rule::race);
    CHECK(violations.front().transfer == 2);
    test::set_after(schedule, 2, {0, 4});
    CHECK(rules_broken(schedule, network).empty());
}

TEST_CASE("the order in which a link takes transfers does not order what they write", "[chunks][validator]")
{
    // The first goes a long way to the last link, the second a short one.
    LinkNetwork network{"long and short", 3};
    const NodeId between = network.add_switch(NodeKind::plain_switch, "s");
    const LinkId far = network.add_link({0, between, 1, 1000});
    const LinkId near = network.add_link({1, between, 1, 1});
    const LinkId last = network.add_link({between, 2, 1, 1});
    Schedule schedule;
    schedule.synchronization = ScheduleSynchronization::dependencies;
    schedule.collective.processors = 3;
    schedule.collective.chunks = {{1, {0}}, {1, {1}}};
    schedule.collective.demands = Demands({{1, 2, {1}}});
    set_transfers(schedule, {{{{0, 1}, 0, 2, Path{far, last}}}, {{1, 1, 2, Path{near, last}}}});
    CHECK(rules_broken(schedule, network) == std::vector{Rule::race});
    test::set_after(schedule, 1, {0});
    CHECK(rules_broken(schedule, network).empty());
}

TEST_CASE("what is no place, path or step is called so", "[chunks][validator]")
{
    const LinkNetwork network = four_joined();
    Schedule schedule;
    schedule.collective.processors = 4;
    schedule.collective.chunks = {{1, {0}}, {1, {0}}};
    schedule.collective.demands = Demands({{0, 1, {0}}});
    schedule.rounds = {1};
    set_transfers(schedule, {{over(network, 0, 1, 0)}});
    REQUIRE(rules_broken(schedule, network).empty());
    std::vector<Rule> expected;
    SECTION("an input where another is")
    {
        schedule.inputs = {{0, 0, 1}};
        expected = {Rule::unknown_place};
    }
    SECTION("an input in two places")
    {
        schedule.inputs = {{0, 1, 2}, {0, 1, 3}};
        expected = {Rule::unknown_place};
    }
    SECTION("there and back")
    {
        LinkNetwork through = network;
        through.add_switch(NodeKind::plain_switch, "s");
        const LinkId there = through.add_links(0, 4, 1, 1);
        test::add_transfer(schedule, {{{0, 2}, 0, 0, Path{there, there + 1}}});
        CHECK(rules_broken(schedule, through) == std::vector{Rule::broken_path});
        return;
    }
    SECTION("a step without rounds")
    {
        schedule.rounds = {1, 0};
        expected = {Rule::wrong_step};
    }
    SECTION("rounds without steps")
    {
        schedule.synchronization = ScheduleSynchronization::dependencies;
        expected = {Rule::wrong_step};
    }
    CHECK(rules_broken(schedule, network) == expected);
}
