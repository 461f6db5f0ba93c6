#include "models/topology/make_topology.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"

#include <fmt/format.h>

namespace nocturne::validator_test {

using namespace nocturne::test;

namespace {

/// ring:4 with the channels between its neighbours by name: clockwise 01 12 23 30, the other way 10 21 32 03.
struct Ring {
    Topology topology = make_topology("ring:4");

    ChannelId operator()(RouterId source, RouterId target) const
    {
        return channel_between(topology, source, target);
    }
};

const Ring ring;

/// Messages 0, 1, 2 from 0 to 1, 2, 3, one after the other.
Schedule scatter()
{
    return {"scatter",
            "",
            "ring:4",
            nocturne::scatter({4}, 0),
            all_port,
            Switching::wormhole,
            {{{0, 0, 1, Path{ring(0, 1)}}},
             {{1, 0, 2, Path{ring(0, 1), ring(1, 2)}}},
             {{2, 0, 3, Path{ring(0, 3)}}}}};
}

/// Message 0 from 0 to 1, then on to 2 and at once from 0 to 3.
Schedule broadcast()
{
    return {"broadcast",
            "",
            "ring:4",
            nocturne::broadcast({4}, 0),
            one_port,
            Switching::store_and_forward,
            {{{0, 0, 1, Path{ring(0, 1)}}}, {{0, 1, 2, Path{ring(1, 2)}}, {0, 0, 3, Path{ring(0, 3)}}}}};
}

/// The one violation of a schedule on ring:4.
Violation only_violation(const Schedule& schedule)
{
    const auto violations = validate(schedule, ring.topology);
    for (const Violation& violation : violations)
        UNSCOPED_INFO(violation.text);
    REQUIRE(violations.size() == 1);
    return violations.front();
}

} // namespace

TEST_CASE("valid schedules have no violations", "[schedule][validator]")
{
    CHECK(validate(scatter(), ring.topology).empty());
    CHECK(validate(broadcast(), ring.topology).empty());
    for (const auto& [schedule, topology] : valid_examples()) {
        const auto violations = validate(schedule, topology);
        INFO(schedule.topology << ": " << (violations.empty() ? "valid" : violations.front().text));
        CHECK(violations.empty());
    }
}

TEST_CASE("wrong-topology: a collective on other processors, and nothing else is said",
          "[schedule][validator]")
{
    const auto violations = validate(scatter(), make_topology("ring:5"));
    REQUIRE(violations.size() == 1);
    CHECK(violations[0].rule == Rule::wrong_topology);
    CHECK(violations[0].text == "wrong-topology: the collective is on 4 processors, ring:5 has 5");

    Schedule inconsistent = scatter();
    inconsistent.collective.demands = Demands({{0, 1, {0}}, {1, 2, {0}}, {2, 7, {0}}});
    CHECK(only_violation(inconsistent).rule == Rule::wrong_topology);
}

TEST_CASE("violations are told in words, with step, transfer and ends", "[schedule][validator]")
{
    Schedule schedule = scatter();
    schedule.steps[0][0].path = Path{ring(0, 3), ring(3, 2), ring(2, 1)};
    schedule.slack = 1;
    CHECK(only_violation(schedule).text ==
          "too-many-hops: step 1, transfer 1 (0>1): it takes 3 hops, slack 1 allows 2");
    schedule.slack = ~0u;
    CHECK(validate(schedule, ring.topology).empty());

    schedule = scatter();
    schedule.steps[1].push_back({0, 0, 99, Path{}});
    const Violation nobody = only_violation(schedule);
    CHECK(nobody.text == "unknown-node: step 2, transfer 2 (0>#99): there is no processor 99");
    CHECK(nobody.transfer == 1u);
    CHECK(nobody.processor == 99u);

    schedule = scatter();
    schedule.steps[0].push_back(schedule.steps[1][0]);
    schedule.steps[1].clear();
    CHECK(only_violation(schedule).text ==
          "channel-conflict: step 1, transfer 2 (0>2): " + describe_channel(ring.topology, ring(0, 1)) +
              " is held by transfer 1");

    schedule = scatter();
    schedule.steps[0][0].path = Path{ring(0, 3), ring(3, 0), ring(0, 1)};
    CHECK(only_violation(schedule).rule == Rule::repeated_channel);
    CHECK(only_violation(schedule).channel == ring(3, 0)); // that comes back

    schedule = scatter();
    schedule.steps.pop_back();
    CHECK(only_violation(schedule).text == "undelivered: 3 never receives message 0>3");
    schedule = broadcast();
    schedule.steps[1].erase(schedule.steps[1].begin());
    const Violation lost = only_violation(schedule);
    CHECK(lost.text == "undelivered: 2 never receives message 0");
    CHECK(lost.processor == 2u);
    CHECK_FALSE(lost.step);
}

TEST_CASE("undelivered: sums of which nothing comes", "[schedule][validator]")
{
    const Topology topology = make_topology("ring:4");
    for (const Collective& collective : {allreduce({4}), reduce({4}, 0), reduce_scatter({4}), scan({4})}) {
        const Schedule schedule{"", "", "ring:4", collective, all_port, Switching::wormhole, {}};
        const auto violations = validate(schedule, topology);
        const auto there = std::ranges::count_if(collective.demands, is_own); // the first of a scan
        CHECK(violations.size() + static_cast<std::size_t>(there) == collective.demands.size());
        for (const Violation& violation : violations)
            CHECK(violation.rule == Rule::undelivered);
    }
}

TEST_CASE("wrong-problem: a schedule that says something else than the problem, and nothing else is said",
          "[schedule][validator]")
{
    const Problem right = make_problem(ring.topology, nocturne::scatter({4}, 0));
    const Schedule schedule = scatter();
    CHECK(validate(schedule, right).empty());
    CHECK_FALSE(objection_to(schedule, right));
    const std::pair<const char*, void (*)(Problem&)> changes[] = {
        {"collective", [](Problem& problem) { problem.collective = nocturne::scatter({4}, 1); }},
        {"ports", [](Problem& problem) { problem.ports = one_port; }},
        {"switching", [](Problem& problem) { problem.switching = Switching::store_and_forward; }},
        {"slack", [](Problem& problem) { problem.slack = 0; }},
    };
    for (const auto& [what, change] : changes) {
        INFO(what);
        Problem problem = right;
        change(problem);
        const auto violations = validate(schedule, problem);
        REQUIRE(violations.size() == 1);
        CHECK(violations[0].rule == Rule::wrong_problem);
        CHECK(objection_to(schedule, problem) == violations[0].text);
    }
}

TEST_CASE("all violations are reported, in order of step and transfer", "[schedule][validator]")
{
    Schedule schedule = scatter();
    schedule.ports = one_port;
    schedule.steps[2].push_back(schedule.steps[1][0]);                    // redundant, and 0 sends twice
    schedule.steps[0][0].path.reset();                                    // missing
    schedule.steps[2].push_back({0, 3, 1, Path{ring(3, 0), ring(0, 1)}}); // 3 lacks it, 1 has it, 0-1 is held
    std::vector<std::string> rules;
    for (const Violation& violation : validate(schedule, ring.topology))
        rules.push_back(
            fmt::format("{} {} {}", *violation.step, *violation.transfer, to_string(violation.rule)));
    CHECK(rules == std::vector<std::string>{"0 0 missing-path", "2 1 send-ports", "2 1 redundant-delivery",
                                            "2 2 channel-conflict", "2 2 sender-lacks-message",
                                            "2 2 redundant-delivery"});
}

TEST_CASE("the table of rules names every rule once", "[schedule][validator]")
{
    for (std::size_t i = 0; i < rule_table.size(); ++i) {
        CHECK(rule_table[i].rule == static_cast<Rule>(i));
        CHECK(to_string(rule_table[i].rule) == rule_table[i].name);
    }
    CHECK(rule_table.back().rule == Rule::undelivered);
}

} // namespace nocturne::validator_test
