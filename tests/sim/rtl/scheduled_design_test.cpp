// The scheduled network, simulated, beside the replay of its schedule: every flit on every link in the same
// cycle.
#include "schedules/workers/workers.hpp"
#include "sim/result_files/result_file.hpp"
#include "sim/rtl/flit_trace.hpp"
#include "sim/rtl/scheduled_design.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/sim/rtl/tools.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace nocturne::scheduled_design_test {

using namespace nocturne::test;

namespace {

/// Short start-up times: an interpreter simulates every cycle of them.
ScheduledOptions quick()
{
    ScheduledOptions options;
    options.message_bytes = 10;
    options.hardware.t0_ns = 6;
    return options;
}

/// A processor's ejection links are alike: which of them the hardware takes, it decides when a message comes.
std::string with_one_ejection_link(const std::string& text, const NetworkPlan& plan)
{
    std::istringstream in(text);
    std::string result;
    std::uint64_t cycle = 0;
    std::uint32_t link = 0;
    for (std::string flit; in >> cycle >> link >> flit;) {
        if (plan.is_ejection(link))
            link = plan.ejection_links[plan.links[link].to.owner];
        result += fmt::format("{} {} {}\n", cycle, link, flit);
    }
    return result;
}

void check_equivalence(const Example& example, const ScheduledOptions& options)
{
    INFO(example.schedule.name << " on " << example.topology.name());
    const Job job = [&] {
        const ReplayTrace trace = trace_replay(example.schedule, example.topology, options);
        return nlohmann::json{trace.flits, trace.cycles, trace.memory_ok};
    };
    const nlohmann::json replayed = run_jobs(std::span(&job, 1)).front();
    REQUIRE(replayed[2] == true);

    const TemporaryFolder folder;
    const BenchRun bench =
        run_with_icarus(scheduled_design(example.schedule, example.topology, options), folder / "design");
    const ScheduledPlan plan = plan_scheduled(example.schedule, example.topology, options);
    CHECK(bench.output.find(fmt::format("PASS: {} steps, done in cycle {}\n", plan.durations.size(),
                                        replayed[1].get<double>())) == 0);
    const std::string ours = sorted_lines(with_one_ejection_link(bench.trace, plan.network));
    const std::string theirs =
        sorted_lines(with_one_ejection_link(replayed[0].get<std::string>(), plan.network));
    CHECK_FALSE(theirs.empty());
    CHECK(first_difference(ours, theirs) == "");
}

} // namespace

TEST_CASE("the scheduled network is the replay, cycle by cycle", "[rtl][scheduled]")
{
    for (const Example& example : {xor_scatter(2), binomial_broadcast(3), rotation_broadcast(4)})
        check_equivalence(example, quick());
    for (unsigned seed = 1; seed <= 3; ++seed)
        check_equivalence(sequential_scatter(seed), quick());
}

TEST_CASE("pipelines, links and words of any size make the same cycles", "[rtl][scheduled]")
{
    ScheduledOptions options = quick();
    options.hardware.buffer_flits = 0; // what links that are long need in the replay
    SECTION("the shortest pipeline")
    {
        options.hardware.router = {0, 1, 0, 0};
    }
    SECTION("a long one")
    {
        options.hardware.router = {2, 1, 3, 2};
    }
    SECTION("long links, slow interfaces")
    {
        options.hardware.link_cycles = 3;
        options.hardware.interface_cycles = 4;
    }
    SECTION("wide words")
    {
        options.hardware.flit_bytes = 12;
        options.message_bytes = 100;
    }
    SECTION("no start-up, messages of one flit")
    {
        options.hardware.t0_ns = 0;
        options.hardware.interface_cycles = 2;
        options.message_bytes = 1;
    }
    check_equivalence(xor_scatter(3), options);
    check_equivalence(sequential_scatter(7), options);
}

TEST_CASE("the schedules of the library run in hardware", "[rtl][scheduled]")
{
    const auto* file = GENERATE("fat_tree8_aas.json", "octagon8_aas.json", "omega8_aab.json");
    check_equivalence(printed(file), quick());
}

TEST_CASE("a bench sees a wrong table and a wrong program", "[rtl][scheduled]")
{
    const Example example = xor_scatter(2);
    const RtlDesign right = scheduled_design(example.schedule, example.topology, quick());
    const auto said = [&](const std::string& file, const auto& damage) {
        RtlDesign design = right;
        for (RtlFile& each : design.files)
            if (each.name == file)
                damage(each.content);
        const TemporaryFolder folder;
        return run_with_icarus(design, folder / "design").output;
    };
    const auto digit_in_second_line = [](std::string& text) {
        char& digit = text[text.find('\n') + 1];
        digit = digit == '0' ? '1' : '0';
    };
    CHECK(said("README.md", digit_in_second_line).find("PASS") == 0);
    CHECK(said("router_0.hex", digit_in_second_line).find("FAIL") != std::string::npos);
    CHECK(said("durations.hex", [](std::string& text) {
              text.replace(text.find('\n') + 1, 1, "0");
          }).find("FAIL") != std::string::npos);
    for (const std::string file : {"send_1.hex", "receive_1.hex"})
        CHECK(said(file, [](std::string& text) {
                  const std::size_t place = text.find(' ', text.find('\n')) - 1; // the length of the message
                  text[place] = text[place] == '1' ? '2' : '1';
              }).find("FAIL") != std::string::npos);
}

} // namespace nocturne::scheduled_design_test
