// Exported networks in a simulator of Verilog beside the simulation: every flit on every link in the same
// cycle.
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "testbenches/driver/measured.hpp"
#include "testbenches/rtl_equivalence/equivalence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace {

using namespace nocturne;
using namespace nocturne::rtl_equivalence;

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
    fmt::print(stderr, "{:<60} {:>9} flits on links  {}\n", what, result.flits,
               result.holds() ? result.verdict
                              : "DIFFERENT " + result.difference + " (" + result.verdict + ")");
    if (!result.holds())
        failed.push_back(fmt::format("{}: {}", what, result.difference));
}

void compare_cells(const nlohmann::json& settings, const WorkFolder& work, testbench::Measured& measured)
{
    const auto simulator = parse_simulator(settings.at("simulator").get<std::string>());
    Table table{"Wormhole networks in Verilog beside the simulation",
                {{"network", "", Align::left},
                 {"routing", "", Align::left},
                 {"VCs", ""},
                 {"stages", "", Align::left},
                 {"packets", ""},
                 {"flits on links", ""},
                 {"cycles", "", Align::left}},
                {}};
    for (const nlohmann::json& row : settings.at("cells")) {
        WormholeCell cell = cell_of(row);
        if (cell.topology.find(settings.at("only").get<std::string>()) == std::string::npos)
            continue;
        if (settings.at("packets") != 0)
            settings.at("packets").get_to(cell.packets);
        const Equivalence result = compare_wormhole(cell, work.design(), simulator);
        work.clear();
        report(fmt::format("{} {} {} VCs {}", file_stem(cell.topology), cell.routing, cell.vcs, cell.stages),
               result, measured.failed);
        table.add_row({file_stem(cell.topology), cell.routing, std::uint64_t{cell.vcs}, cell.stages,
                       std::uint64_t{cell.packets}, result.flits, result.holds() ? "same" : "DIFFERENT"});
    }
    if (table.rows.empty())
        throw std::invalid_argument(fmt::format("--only {}: no cell has this in its network",
                                                settings.at("only").get<std::string>()));
    measured.tables.emplace_back("wormhole", std::move(table));
}

/// Those of the folder itself, and as many of its gallery as are wanted, evenly from its list.
std::vector<std::filesystem::path> schedule_files(const nlohmann::json& settings)
{
    const auto files_in = [](const std::filesystem::path& folder) {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".json")
                files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        return files;
    };
    const std::filesystem::path folder(settings.at("schedules").get<std::string>());
    std::vector<std::filesystem::path> files = files_in(folder);
    const std::vector<std::filesystem::path> gallery = files_in(folder / "gallery");
    const std::size_t count = std::min(settings.at("gallery").get<std::size_t>(), gallery.size());
    for (std::size_t i = 0; i < count; ++i)
        files.push_back(gallery[i * gallery.size() / count]);
    return files;
}

void compare_schedules(const nlohmann::json& settings, const WorkFolder& work, testbench::Measured& measured)
{
    ScheduledOptions options;
    options.hardware.t0_ns = 20;
    Table table{"Schedules in Verilog beside the replay",
                {{"schedule", "", Align::left}, {"flits on links", ""}, {"verdict", "", Align::left}},
                {}};
    for (const std::filesystem::path& file : schedule_files(settings)) {
        LoadedSchedule loaded = load_schedule(file);
        if (!is_complete(loaded.schedule))
            loaded.schedule = complete_paths(loaded.schedule, loaded.topology);
        const Equivalence result =
            compare_scheduled(loaded.schedule, loaded.topology, options, work.design(), Simulator::icarus);
        work.clear();
        report(file.stem().string(), result, measured.failed);
        table.add_row({file.stem().string(), result.flits, result.verdict});
    }
    measured.tables.emplace_back("scheduled", std::move(table));
}

testbench::Measured measure(const nlohmann::json& settings)
{
    const WorkFolder work;
    testbench::Measured measured;
    compare_cells(settings, work, measured);
    compare_schedules(settings, work, measured);
    return measured;
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "rtl_equivalence", measure);
}
