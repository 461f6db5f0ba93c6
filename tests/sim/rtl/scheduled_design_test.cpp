// The scheduled network, simulated, beside the replay of its schedule: every flit on every link in the same
// cycle.
#include "models/topology/files.hpp"
#include "sim/rtl/scheduled_design.hpp"
#include "testbenches/rtl_equivalence/equivalence.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/temporary_folder.hpp"

namespace nocturne::scheduled_design_test {

using namespace nocturne::rtl_equivalence;
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

void check_equivalence(const Example& example, const ScheduledOptions& options)
{
    INFO(example.schedule.name << " on " << example.topology.name());
    const TemporaryFolder folder;
    const Equivalence result =
        compare_scheduled(example.schedule, example.topology, options, folder / "design", Simulator::icarus);
    CHECK(result.difference == "");
    CHECK(result.flits >= 2 * count_transfers(example.schedule)); // injection and ejection at least
    CHECK(result.holds());
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

TEST_CASE("the bench sees a wrong table and a wrong program", "[rtl][scheduled]")
{
    const Example example = xor_scatter(2);
    const RtlDesign right = scheduled_design(example.schedule, example.topology, quick());
    const auto said = [&](const std::string& file, const auto& damage) {
        RtlDesign design = right;
        for (RtlFile& each : design.files)
            if (each.name == file)
                damage(each.content);
        const TemporaryFolder folder;
        write_new_folder(folder / "design", design.files);
        return run_bench(design, folder / "design", Simulator::icarus);
    };
    const auto change_digit_after = [](std::string& text, std::size_t place) {
        text[place + 1] = text[place + 1] == '0' ? '1' : '0';
    };
    const auto in_second_line = [&](std::string& text) { change_digit_after(text, text.find('\n')); };
    CHECK_THAT(said("README.md", in_second_line), Catch::StartsWith("PASS"));
    CHECK_THAT(said("router_0.hex", in_second_line), Catch::Contains("FAIL"));
    CHECK_THAT(said("durations.hex", in_second_line), Catch::Contains("FAIL"));
    for (const std::string file : {"send_1.hex", "receive_1.hex"})
        CHECK_THAT(said(file,
                        [&](std::string& text) { // the lowest digit: the length of the message
                            change_digit_after(text, text.find(" //") - 2);
                        }),
                   Catch::Contains("FAIL"));
    CHECK_THAT(said("expected_2.hex", [](std::string& text) { text[0] = text[0] == '0' ? '1' : '0'; }),
               Catch::Contains("memory of processor 2: 1 wrong words"));
}

} // namespace nocturne::scheduled_design_test
