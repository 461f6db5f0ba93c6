#include "sim/report/timeline.hpp"
#include "tests/catch.hpp"

#include <map>
#include <random>

namespace nocturne::timeline_test {

namespace {

nlohmann::json events_of(const std::vector<TimelineSpan>& spans)
{
    const nlohmann::json trace = nlohmann::json::parse(timeline_json(spans));
    CHECK(trace.at("displayTimeUnit") == "ns");
    return trace.at("traceEvents");
}

/// By thread: its name.
std::map<int, std::string> threads_of(const nlohmann::json& events)
{
    std::map<int, std::string> threads;
    for (const nlohmann::json& event : events)
        if (event.at("name") == "thread_name")
            threads[event.at("tid")] = event.at("args").at("name");
    return threads;
}

} // namespace

TEST_CASE("a span is a complete event in the thread of its lane, in us", "[timeline]")
{
    const nlohmann::json events =
        events_of({{"links", "00->01", "0>1", 1000, 3500}, {"steps", "schedule", "step \"1\"", 0, 2000}});
    REQUIRE(events.size() == 2 + 2 + 2);
    const std::map<int, std::string> threads = threads_of(events);
    CHECK(threads.at(1) == "00->01");
    CHECK(threads.at(2) == "schedule");
    CHECK(events[4] ==
          nlohmann::json({{"name", "0>1"}, {"ph", "X"}, {"ts", 1.0}, {"dur", 2.5}, {"pid", 1}, {"tid", 1}}));
    CHECK(events[5].at("name") == "step \"1\"");
    CHECK(events[5].at("pid") == 2);
    CHECK(events[5].at("tid") == 2);
}

TEST_CASE("no two events of a thread overlap", "[timeline]")
{
    std::mt19937 random(GENERATE(range(1, 20)));
    std::vector<TimelineSpan> spans;
    for (unsigned i = 0; i < 60; ++i) {
        const double begin = random() % 100;
        spans.push_back({"g" + std::to_string(random() % 2), "l" + std::to_string(random() % 3),
                         std::to_string(i), begin, begin + random() % 20});
    }
    const nlohmann::json events = events_of(spans);
    const std::map<int, std::string> threads = threads_of(events);
    std::vector<nlohmann::json> complete;
    for (const nlohmann::json& event : events)
        if (event.at("ph") == "X")
            complete.push_back(event);
    REQUIRE(complete.size() == spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
        CHECK(complete[i].at("name") == spans[i].name);
        CHECK(threads.at(complete[i].at("tid")).starts_with(spans[i].lane));
        for (std::size_t j = 0; j < i; ++j)
            if (complete[i].at("tid") == complete[j].at("tid")) {
                CHECK(spans[i].lane == spans[j].lane);
                CHECK(spans[i].group == spans[j].group);
                CHECK((spans[i].begin_ns >= spans[j].end_ns || spans[j].begin_ns >= spans[i].end_ns));
            }
    }
}

TEST_CASE("a run's steps and messages last as long as the links that they hold", "[timeline]")
{
    RunResult run;
    run.occupancy = {{"P0->00", "0>1", 1, 10, 20, 4},
                     {"00->01", "0>1", 1, 12, 22, 0},
                     {"01->00", "1>0", 2, 40, 50, 1},
                     {"00->01", "0>1", 2, 41, 55, 0}};
    const std::vector<TimelineSpan> expected{
        {"steps", "schedule", "step 1", 10, 22},      {"steps", "schedule", "step 2", 40, 55},
        {"messages", "P0", "0>1 in step 1", 10, 22},  {"messages", "P0", "0>1 in step 2", 41, 55},
        {"messages", "P1", "1>0 in step 2", 40, 50},  {"links", "00->01", "0>1 in step 1", 12, 22},
        {"links", "00->01", "0>1 in step 2", 41, 55}, {"links", "01->00", "1>0 in step 2", 40, 50},
        {"links", "P0->00", "0>1 in step 1", 10, 20}};
    CHECK(timeline_of(run) == expected);
}

TEST_CASE("a recovery's timeline has its phases and its faults", "[timeline]")
{
    RecoveryResult result;
    result.phases = {{"replay", 0, 100}, {"detect", 100, 150}};
    result.faults = {"link:0-1"};
    result.fault_ns = 60;
    result.time_ns = 150;
    CHECK(timeline_of(result) == std::vector<TimelineSpan>{{"recovery", "phases", "replay", 0, 100},
                                                           {"recovery", "phases", "detect", 100, 150},
                                                           {"faults", "link:0-1", "link:0-1", 60, 150}});
    result.until_ns = 90;
    CHECK(timeline_of(result).back().end_ns == 90);
}

TEST_CASE("a span that ends before it begins is refused", "[timeline]")
{
    CHECK_THROWS_WITH(timeline_json({{"g", "l", "late", 5, 4}}), "timeline: late: from 5 to 4 ns");
    CHECK_THROWS_AS(timeline_json({{"g", "l", "n", 0, std::numeric_limits<double>::infinity()}}),
                    std::invalid_argument);
}

} // namespace nocturne::timeline_test
