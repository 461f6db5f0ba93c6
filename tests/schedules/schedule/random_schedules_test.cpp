// The validator held against one that is written from the definitions.
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
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
        for (const auto& [rule, step] : expected)
            seen.insert(rule);
    }
    // All but wrong-topology, wrong-problem, the five of sums alone, and the ten from memory to memory alone.
    CHECK(seen.size() == rule_table.size() - 17);
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
