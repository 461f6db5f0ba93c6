// Exported networks in a simulator of Verilog beside the simulation: every flit on every link in the same
// cycle.
#include "models/topology/files.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "sim/report/table.hpp"
#include "testbenches/rtl_equivalence/equivalence.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace {

using namespace nocturne;
using namespace nocturne::rtl_equivalence;

struct Configuration {
    std::string cells;
    std::string schedules;
    std::size_t most_schedules = 0;
    std::string only;
    std::size_t packets = 0;
    std::string simulator;
    std::string output;
};

/// A folder for designs that is gone at the end.
class WorkFolder {
public:
    WorkFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "nocturne_rtl_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw std::runtime_error(fmt::format("{}: cannot create", name));
        path_ = name;
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    ~WorkFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string design() const { return (path_ / "design").string(); }
    void clear() const { std::filesystem::remove_all(path_ / "design"); }

private:
    std::filesystem::path path_;
};

std::string file_stem(const std::string& text)
{
    return text.find('/') == std::string::npos ? text : std::filesystem::path(text).stem().string();
}

/// One line as soon as it is known: a cell takes minutes.
void report(const std::string& what, const Equivalence& result, std::vector<std::string>& failed)
{
    fmt::print("{:<60} {:>9} flits on links  {}\n", what, result.flits,
               result.holds() ? result.verdict
                              : "DIFFERENT " + result.difference + " (" + result.verdict + ")");
    std::fflush(stdout);
    if (!result.holds())
        failed.push_back(fmt::format("{}: {}", what, result.difference));
}

void compare_cells(const Configuration& configuration, const WorkFolder& work, Table& table,
                   std::vector<std::string>& failed)
{
    std::size_t compared = 0;
    for (WormholeCell cell : read_cells(configuration.cells)) {
        if (!configuration.only.empty() && cell.topology.find(configuration.only) == std::string::npos)
            continue;
        if (configuration.packets != 0)
            cell.packets = configuration.packets;
        ++compared;
        const Equivalence result =
            compare_wormhole(cell, work.design(), parse_simulator(configuration.simulator));
        work.clear();
        report(fmt::format("{} {} {} VCs {}", file_stem(cell.topology), cell.routing, cell.vcs, cell.stages),
               result, failed);
        table.add_row({file_stem(cell.topology), cell.routing, std::uint64_t{cell.vcs}, cell.stages,
                       std::uint64_t{cell.packets}, result.flits, result.holds() ? "same" : "DIFFERENT"});
    }
    testbench::require_chosen(compared, configuration.only, configuration.cells);
}

/// Those of the folder itself, and as many of its gallery as are wanted, evenly from its list.
std::vector<std::filesystem::path> schedule_files(const Configuration& configuration)
{
    const auto files_in = [](const std::filesystem::path& folder) {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".json")
                files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        return files;
    };
    std::vector<std::filesystem::path> files = files_in(configuration.schedules);
    const std::vector<std::filesystem::path> gallery =
        files_in(std::filesystem::path(configuration.schedules) / "gallery");
    const std::size_t count = std::min(configuration.most_schedules, gallery.size());
    for (std::size_t i = 0; i < count; ++i)
        files.push_back(gallery[i * gallery.size() / count]);
    return files;
}

void compare_schedules(const Configuration& configuration, const WorkFolder& work,
                       std::vector<std::string>& failed)
{
    ScheduledOptions options;
    options.hardware.t0_ns = 20;
    for (const std::filesystem::path& file : schedule_files(configuration)) {
        LoadedSchedule loaded = load_schedule(file);
        if (!is_complete(loaded.schedule))
            loaded.schedule = complete_paths(loaded.schedule, loaded.topology);
        const Equivalence result =
            compare_scheduled(loaded.schedule, loaded.topology, options, work.design(), Simulator::icarus);
        work.clear();
        report(file.stem().string(), result, failed);
    }
}

int run(const Configuration& configuration)
{
    const WorkFolder work;
    std::vector<std::string> failed;
    Table table{"Wormhole networks in Verilog beside the simulation",
                {{"network", "", Align::left},
                 {"routing", "", Align::left},
                 {"VCs", ""},
                 {"stages", "", Align::left},
                 {"packets", ""},
                 {"flits on links", ""},
                 {"cycles", "", Align::left}},
                {}};
    if (!configuration.cells.empty())
        compare_cells(configuration, work, table, failed);
    if (!configuration.schedules.empty())
        compare_schedules(configuration, work, failed);
    if (!configuration.output.empty())
        testbench::write_files(configuration.output, {{"wormhole.csv", csv_of(table)}});
    return testbench::status_of("rtl_equivalence", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("cells", po::value(&configuration.cells)->default_value(""),
                          "CSV file of wormhole networks")(
        "schedules", po::value(&configuration.schedules)->default_value(""),
        "folder of schedules, with a folder gallery in it")(
        "gallery", po::value(&configuration.most_schedules)->default_value(20),
        "schedules of the gallery")("only", po::value(&configuration.only)->default_value(""),
                                    "cells whose network has this in its name")(
        "packets", po::value(&configuration.packets)->default_value(0), "of each cell; 0: what it says")(
        "simulator", po::value(&configuration.simulator)->default_value("verilator"),
        "of the cells: verilator or icarus")("output", po::value(&configuration.output)->default_value(""),
                                             "folder for the table");
    return nocturne::testbench::run(argc, argv, "rtl_equivalence", options,
                                    [&] { return run(configuration); });
}
