#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/sums/sum_schedules.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/sums/plain_sums.hpp"

#include <random>

namespace nocturne::sum_rules_test {

using namespace nocturne::test;

namespace {

/// Of two processors, 0 and 1, joined both ways, and a third one beyond 1.
Schedule sum_of_three(CollectiveKind kind)
{
    Schedule schedule;
    schedule.topology = "mesh:1x3";
    schedule.collective = make_collective(kind, CollectiveShape{3},
                                          has_root(kind) ? std::optional<std::uint32_t>{0} : std::nullopt);
    schedule.ports = one_port;
    return schedule;
}

Transfer over(const Topology& topology, MessageId message, ProcessorId from, ProcessorId to,
              Operation operation)
{
    Path path;
    for (ProcessorId at = from; at != to; at += from < to ? 1 : -1)
        for (const ChannelId channel : topology.channels_from(at))
            if (topology.channel(channel).target == (from < to ? at + 1 : at - 1))
                path.push_back(channel);
    return {message, from, to, std::move(path), operation};
}

std::vector<Rule> broken(const Schedule& schedule, const Topology& topology)
{
    std::vector<Rule> rules;
    for (const Violation& violation : validate(schedule, topology))
        rules.push_back(violation.rule);
    return rules;
}

} // namespace

TEST_CASE("the rules of sums are told apart", "[validator][sums]")
{
    using enum Operation;
    const Topology line = make_topology("mesh:1x3");
    Schedule schedule = sum_of_three(CollectiveKind::reduce);
    const auto moves = [&](std::vector<std::vector<Transfer>> steps) {
        schedule.steps = std::move(steps);
        return broken(schedule, line);
    };
    const Transfer two_to_one = over(line, 0, 2, 1, add);
    const Transfer one_to_none = over(line, 0, 1, 0, add);
    CHECK(moves({{two_to_one}, {one_to_none}}).empty());
    CHECK(sums_are_right(schedule));

    // At the same time the sum goes on without what is just coming.
    CHECK(moves({{two_to_one, one_to_none}}) == std::vector{Rule::missing_contribution});
    CHECK(moves({{two_to_one}}) == std::vector{Rule::undelivered});
    CHECK(moves({{two_to_one}, {one_to_none}, {one_to_none}}) == std::vector{Rule::added_twice});
    CHECK(moves({{two_to_one}, {over(line, 0, 1, 0, copy)}}) == std::vector{Rule::missing_contribution});
    CHECK(moves({{two_to_one}, {over(line, 0, 1, 2, copy)}, {one_to_none}}).empty());
    CHECK(moves({{two_to_one}, {over(line, 0, 1, 2, copy)}, {over(line, 0, 1, 2, copy)}, {one_to_none}}) ==
          std::vector{Rule::redundant_delivery});
}

TEST_CASE("what copies has no use for an addition", "[validator][sums]")
{
    using enum Operation;
    const Topology line = make_topology("mesh:1x3");
    Schedule schedule = sum_of_three(CollectiveKind::broadcast);
    schedule.steps = {{over(line, 0, 0, 1, add)}, {over(line, 0, 1, 2, copy)}};
    CHECK(broken(schedule, line) == std::vector{Rule::nothing_there});
    schedule.steps = {{over(line, 0, 0, 1, copy)}, {over(line, 0, 1, 2, copy)}, {over(line, 0, 0, 1, add)}};
    CHECK(broken(schedule, line) == std::vector{Rule::added_twice});
    schedule.steps = {{over(line, 0, 2, 1, copy)}};
    CHECK(broken(schedule, line).front() == Rule::sender_lacks_message);
}

TEST_CASE("in a step one place is copied to once, or added to", "[validator][sums]")
{
    using enum Operation;
    const Topology line = make_topology("mesh:1x3");
    Schedule schedule = sum_of_three(CollectiveKind::allreduce);
    schedule.ports = all_port;
    schedule.steps = {{over(line, 0, 0, 1, add), over(line, 0, 2, 1, add)},
                      {over(line, 0, 1, 0, copy), over(line, 0, 1, 2, copy)}};
    CHECK(broken(schedule, line).empty());
    schedule.steps[0][1].operation = copy;
    const std::vector<Rule> rules = broken(schedule, line);
    CHECK(std::ranges::find(rules, Rule::write_conflict) != rules.end());
}

TEST_CASE("a scan owes each processor no more than the sum up to itself", "[validator][sums]")
{
    using enum Operation;
    const Topology line = make_topology("mesh:1x3");
    Schedule schedule = sum_of_three(CollectiveKind::scan);
    schedule.steps = {{over(line, 0, 0, 1, add)}, {over(line, 0, 1, 2, add)}};
    CHECK(broken(schedule, line).empty());
    schedule.steps.push_back({over(line, 0, 2, 1, copy)});
    CHECK(broken(schedule, line) == std::vector{Rule::extra_contribution});
}

TEST_CASE("a schedule with a wrong sum is never called valid", "[validator][sums][property]")
{
    std::mt19937 random{20'261'125};
    const auto below = [&](std::size_t count) { return static_cast<std::uint32_t>(random() % count); };
    const Topology cube = make_topology("hypercube:3");
    std::size_t wrong = 0;
    for (unsigned round = 0; round < 600; ++round) {
        const Problem problem{cube, round % 2 == 0 ? allreduce({8, 2}) : scan({8, 2}), all_port};
        Schedule schedule = *doubling(problem);
        REQUIRE(sums_are_right(schedule));
        for (unsigned change = below(3); change + 1 > 0; --change) {
            Step& step = schedule.steps[below(schedule.steps.size())];
            if (step.empty())
                continue;
            Transfer& transfer = step[below(step.size())];
            switch (below(5)) {
            case 0:
                transfer.operation = transfer.operation == Operation::add ? Operation::copy : Operation::add;
                break;
            case 1:
                transfer.set_message(1 - transfer.message);
                break;
            case 2:
                step.pop_back();
                break;
            case 3:
                schedule.steps[below(schedule.steps.size())].push_back(Transfer(transfer));
                break;
            default:
                std::swap(step, schedule.steps[below(schedule.steps.size())]);
            }
        }
        const bool is_right = sums_are_right(schedule);
        const auto violations = validate(schedule, cube);
        const bool is_about_sums = std::ranges::any_of(violations, [](const Violation& violation) {
            return violation.rule >= Rule::sender_lacks_message;
        });
        CAPTURE(round, is_right, violations.empty() ? "" : violations.front().text);
        wrong += is_right ? 0 : 1;
        // What is right may be called wasteful: a sum that is overwritten, a copy of what is there.
        REQUIRE((is_right || is_about_sums));
        // Files bring back what was written, right or wrong.
        CHECK(parse_schedule(to_json_text(schedule, cube), cube, "test") == schedule);
    }
    CHECK(wrong > 300);
}

} // namespace nocturne::sum_rules_test
