// What is no schedule is refused in one line with the place: the rows of refusals.txt.
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"
#include "tests/schedules/schedule/ring_schedules.hpp"
#include "tests/schedules/schedule/schedule_texts.hpp"

namespace nocturne::schedule_refusals_test {

TEST_CASE("text that is no schedule is refused in one line with the place", "[schedule][json]")
{
    const Topology ring = make_topology("ring:4");
    const std::string memory = to_json_text(test::ring_allreduce(3), make_topology("ring:3"));
    CHECK_NOTHROW(parse_schedule(test::small_schedule, ring, "schedule.json"));
    CHECK_NOTHROW(parse_schedule_file(memory, "memory.json"));
    CHECK_NOTHROW(parse_schedule_file(test::old_steps, "chunks.json"));
    const auto changed = [](const std::string& good, const std::string& change) {
        const std::vector<std::string> words = test::pieces_of(change);
        return test::with(good, words.at(0), words.at(1));
    };
    test::check_refusals(
        "schedules/schedule/refusals.txt",
        {{"schedule.json",
          [&](const std::string& change) {
              parse_schedule(changed(test::small_schedule, change), ring, "schedule.json");
          }},
         {"text.json", [&](const std::string& text) { parse_schedule(text, ring, "text.json"); }},
         {"memory.json",
          [&](const std::string& change) { parse_schedule_file(changed(memory, change), "memory.json"); }},
         {"chunks.json", [&](const std::string& change) {
              parse_schedule_file(changed(test::old_steps, change), "chunks.json");
          }}});
}

} // namespace nocturne::schedule_refusals_test
