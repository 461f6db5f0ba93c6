
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace nocturne::drop_in_test {

namespace {

struct Run {
    int status = 0;
    std::string log;
};

Run run_example(const std::string& example, const std::string& latency_ns)
{
    // The examples keep their memory to the end.
    const std::string command = "ASAN_OPTIONS=detect_leaks=0 BUS_LATENCY_NS=" + latency_ns +
                                " " DROP_IN_PROGRAMS "/drop_in_" + example + " 2>&1";
    Run run;
    FILE* const output = popen(command.c_str(), "r");
    REQUIRE(output != nullptr);
    char buffer[4096];
    while (const std::size_t read = fread(buffer, 1, sizeof buffer, output))
        run.log.append(buffer, read);
    const int status = pclose(output);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
}

std::string expected_log(const std::string& example)
{
    std::ifstream file(DROP_IN_EXAMPLES "/" + example + "/results/expected.log");
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The reports of a log, without what the library says of itself before the first.
std::vector<std::string> reports_of(const std::string& log)
{
    constexpr std::string_view mark = "\nInfo: ";
    std::vector<std::string> reports;
    for (std::size_t at = log.find(mark); at != std::string::npos;) {
        const std::size_t begin = at + mark.size();
        at = log.find(mark, begin);
        std::string report = log.substr(begin, at == std::string::npos ? at : at - begin);
        report.erase(report.find_last_not_of(" \n") + 1);
        reports.push_back(std::move(report));
    }
    return reports;
}

/// When an initiator was told of the end of a request phase.
bool is_end_of_request(const std::string& report)
{
    return report.starts_with("select_initiator.cpp") &&
           report.find("nb_transport_bw (GP, END_REQ") != std::string::npos;
}

std::vector<std::string> without_ends_of_requests(std::vector<std::string> reports)
{
    std::erase_if(reports, is_end_of_request);
    return reports;
}

/// The ns of each, by the initiator and its order.
std::vector<std::pair<std::string, double>> ends_of_requests(const std::vector<std::string>& reports)
{
    static const std::regex pattern(R"(select_initiator.cpp: ([0-9.]+) (ns|us) - [^]*?Initiator: (\d+) )");
    std::vector<std::pair<std::string, double>> ends;
    for (const std::string& report : reports) {
        std::smatch found;
        if (is_end_of_request(report) && std::regex_search(report, found, pattern))
            ends.emplace_back(found[3], std::stod(found[1]) * (found[2] == "us" ? 1000 : 1));
    }
    std::ranges::stable_sort(ends, {}, &std::pair<std::string, double>::first);
    return ends;
}

std::size_t count_of(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

const std::string completed = "Traffic Generator Complete";

} // namespace

TEST_CASE("with no latency the examples log what they log with their own bus", "[fabric][drop_in]")
{
    const std::string example =
        GENERATE("at_1_phase", "at_2_phase", "at_ooo", "lt", "lt_dmi", "lt_temporal_decouple");
    CAPTURE(example);
    const Run run = run_example(example, "0");
    CHECK(run.status == 0);
    const std::vector<std::string> reports = reports_of(run.log);
    const std::vector<std::string> expected = reports_of(expected_log(example));
    REQUIRE(expected.size() > 100);
    CHECK(reports == expected);
}

// Their own bus takes any phase of any target for the END_REQ that it waits for, and passes an END_REQ on
// before its target has given it.
TEST_CASE(
    "with targets of four phases all but the END_REQ of initiators is as with their own bus, which is early",
    "[fabric][drop_in]")
{
    const std::string example = GENERATE("at_4_phase", "at_extension_optional", "at_mixed_targets");
    CAPTURE(example);
    const Run run = run_example(example, "0");
    CHECK(run.status == 0);
    const std::vector<std::string> reports = reports_of(run.log);
    const std::vector<std::string> expected = reports_of(expected_log(example));
    CHECK(without_ends_of_requests(reports) == without_ends_of_requests(expected));
    const auto ends = ends_of_requests(reports);
    const auto expected_ends = ends_of_requests(expected);
    REQUIRE(ends.size() == expected_ends.size());
    REQUIRE(ends.size() > 50);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        CHECK(ends[i].first == expected_ends[i].first);
        CHECK(ends[i].second >= expected_ends[i].second);
    }
}

TEST_CASE("with a latency every initiator completes", "[fabric][drop_in]")
{
    const std::string example =
        GENERATE("at_1_phase", "at_2_phase", "at_4_phase", "at_extension_optional", "at_mixed_targets",
                 "at_ooo", "lt", "lt_dmi", "lt_temporal_decouple");
    CAPTURE(example);
    const Run run = run_example(example, "13");
    CHECK(run.status == 0);
    CHECK(count_of(run.log, completed) == count_of(expected_log(example), completed));
}

TEST_CASE("a latency of L makes the loosely timed example end 64 L later, exactly", "[fabric][drop_in]")
{
    const unsigned latency_ns = GENERATE(0u, 1u, 13u, 1000u);
    const Run run = run_example("lt", std::to_string(latency_ns));
    const std::vector<std::string> reports = reports_of(run.log);
    REQUIRE_FALSE(reports.empty());
    CHECK_THAT(reports.back(),
               Catch::StartsWith("traffic_generator.cpp: " + std::to_string(4800 + 64 * latency_ns) + " ns"));
    CHECK_THAT(reports.back(), Catch::Contains(completed));
}

} // namespace nocturne::drop_in_test
