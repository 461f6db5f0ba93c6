#include "schedules/schedule/schedule_files.hpp"
#include "sim/page/network_json.hpp"
#include "sim/page/violation_marks.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nocturne::violation_marks_test {

using Numbers = std::vector<std::uint32_t>;

TEST_CASE("a transfer too much is marked on its channel, one too few at its receiver", "[page][violations]")
{
    LoadedSchedule loaded = load_schedule(SCHEDULE_LIBRARY "/octagon8_aas.json");
    Schedule& schedule = loaded.schedule;
    CHECK(violation_marks(validate(schedule, loaded.topology), schedule, loaded.topology).empty());

    const Transfer lost = schedule.steps.back().back();
    schedule.steps.back().pop_back();
    auto marks = violation_marks(validate(schedule, loaded.topology), schedule, loaded.topology);
    REQUIRE(marks.size() == 1);
    CHECK(marks[0]["links"].empty());
    CHECK(marks[0]["nodes"].get<Numbers>() == Numbers{page_node(loaded.topology, lost.destination)});

    schedule.steps.back().push_back(lost);
    schedule.steps.front().push_back(schedule.steps.front().front());
    const std::vector<Violation> violations = validate(schedule, loaded.topology);
    marks = violation_marks(violations, schedule, loaded.topology);
    REQUIRE(marks.size() == std::min<std::size_t>(violations.size(), 8));
    const Path& path = *schedule.steps.front().front().path;
    bool is_on_path = false;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        CHECK(marks[i]["text"] == violations[i].text);
        for (const auto& link : marks[i]["links"])
            is_on_path = is_on_path || std::ranges::find(path, link.get<ChannelId>()) != path.end();
    }
    CHECK(is_on_path);
}

} // namespace nocturne::violation_marks_test
