// A platform of 4x4 tiles that computes, with its messages scheduled and not; README.md says what is claimed
// and what came out.
#include "testbenches/driver/measured.hpp"
#include "testbenches/soc_platform/experiment.hpp"

#include <algorithm>

namespace {

using namespace nocturne;
using namespace nocturne::soc_platform;

/// `fft_32_schedule.trace.json`
std::string timeline_file(const Run& run)
{
    std::string name = run.workload + "_" + std::string(to_string(run.communication));
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name + ".trace.json";
}

testbench::Measured measure(const nlohmann::json& settings)
{
    PlatformConfig platform;
    platform.fabric = default_fabric();
    settings.at("topology").get_to(platform.topology);
    settings.at("background_gap").get_to(platform.background.gap_cycles);
    settings.at("copy_start_ns").get_to(platform.times.copy_start_ns);
    settings.at("barrier_ns").get_to(platform.times.barrier_ns);
    std::vector<Run> runs = runs_of(testbench::chosen(settings, "workloads"), platform);
    for (Run& each : runs)
        each.has_timeline = each.workload == settings.at("timeline").get<std::string>() &&
                            each.timing == FabricTiming::flit && each.background_gap_cycles <= 0;
    carry_out(runs, platform, read_energy_table(settings.at("energy").get<std::string>()));
    testbench::Measured measured{{{"results", table_of(runs)}}, contradictions(runs)};
    for (const Run& run : runs)
        if (run.has_timeline)
            measured.files.emplace_back(timeline_file(run), run.timeline);
    return measured;
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "soc_platform", measure);
}
