// The validator held against one that is written from the definitions.
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/schedules/schedule/reference_validator.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace nocturne::random_schedules_test {

using namespace nocturne::test;

TEST_CASE("random schedules break the rules that a brute-force validator finds broken",
          "[schedule][validator]")
{
    std::set<Rule> seen;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        auto [schedule, topology] = random_schedule(seed);
        Random random(seed);
        if (Step* const step = schedule.steps.empty() ? nullptr : &schedule.steps.front();
            step && !step->empty()) {
            if (seed % 10 == 0)
                step->front().set_message(1000);
            if (seed % 10 == 1)
                step->front().destination = static_cast<ProcessorId>(4 + below(random, 2));
        }
        if (seed % 3 == 0 && schedule.switching == Switching::wormhole)
            schedule.slack = seed % 2;
        const BrokenRules expected = broken_rules(schedule, topology);
        INFO("seed " << seed);
        REQUIRE(broken_rules(validate(schedule, topology)) == expected);
        for (const BrokenRule& broken : expected)
            seen.insert(broken.rule);
    }
    // All but wrong-topology, wrong-problem, the five of sums alone, the ten from memory to memory alone,
    // and those of programs, of ranks and of faults.
    CHECK(seen.size() == rule_table.size() - 20);
}

TEST_CASE("valid schedules with a change break the rules that a brute-force validator finds broken",
          "[schedule][validator]")
{
    unsigned broken = 0;
    for (const auto& [valid, topology] : valid_examples()) {
        CHECK(validate(valid, topology).empty());
        for (unsigned seed = 0; seed < test::tries(120, 3); ++seed) {
            Random random(seed);
            Schedule schedule = valid;
            Step& step = schedule.steps[below(random, schedule.steps.size())];
            const auto index = static_cast<std::ptrdiff_t>(below(random, step.size()));
            Transfer& transfer = step[static_cast<std::size_t>(index)];
            const Transfer taken = transfer;
            const auto change = below(random, 5);
            if (change < 2) // lost, or sent in another step
                step.erase(step.begin() + index);
            if (change == 1 || change == 2) // or there too
                schedule.steps[below(random, schedule.steps.size())].push_back(taken);
            else if (change == 3)
                transfer.path.reset();
            else if (change == 4 && !transfer.path->empty()) {
                ChannelId& channel = (*transfer.path)[below(random, transfer.path->size())];
                channel = static_cast<ChannelId>(below(random, topology.channel_count() + 2));
            }
            const auto violations = validate(schedule, topology);
            INFO(schedule.topology << ", seed " << seed << ", change " << change);
            REQUIRE(broken_rules(violations) == broken_rules(schedule, topology));
            broken += violations.empty() ? 0 : 1;
        }
    }
    CHECK(broken > test::tries(1000, 3));
}

TEST_CASE("the number of threads changes nothing of what the validator says", "[schedule][validator]")
{
    std::size_t several = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        const auto example = random_schedule(seed);
        const auto texts = [&](unsigned threads) {
            std::vector<std::string> texts;
            for (const Violation& violation : validate(example.schedule, example.topology, threads))
                texts.push_back(violation.text);
            return texts;
        };
        const std::vector<std::string> of_one = texts(1);
        several += of_one.size() > 1 ? 1 : 0;
        INFO("seed " << seed);
        for (const unsigned threads : {2U, 3U, 16U}) // there are fewer steps than 16
            REQUIRE(texts(threads) == of_one);
    }
    CHECK(several > 20);
}

} // namespace nocturne::random_schedules_test
