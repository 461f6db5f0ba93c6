#include "testbenches/benchmarks/booksim.hpp"

#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "testbenches/benchmarks/benchmark_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace nocturne::benchmarks {

namespace {

/// What BookSim2 calls a network and its routing.
std::string booksim_network(std::string_view topology)
{
    static const std::map<std::string_view, std::string> names{
        {"mesh:8x8", "topology = mesh; k = 8; n = 2; routing_function = dor;"},
        {"mesh:16x16", "topology = mesh; k = 16; n = 2; routing_function = dor;"},
        {"mesh:32x32", "topology = mesh; k = 32; n = 2; routing_function = dor;"},
        {"mesh:64x64", "topology = mesh; k = 64; n = 2; routing_function = dor;"},
        {"benes:4,3,2", "topology = fly; k = 4; n = 3; routing_function = dest_tag;"},
        {"fattree:4,3", "topology = fattree; k = 4; n = 3; routing_function = nca;"}};
    const auto found = names.find(topology);
    if (found == names.end())
        throw std::invalid_argument(fmt::format("{}: BookSim2's name for it is not known", topology));
    return found->second;
}

/// Its status at the end, and where it calls the simulation unstable, as it may after few cycles.
constexpr int usual_status = 255, unstable_status = 0;

double seconds_of(const std::string& booksim, const std::string& file)
{
    try {
        return program_sample(booksim, {file}, usual_status).seconds;
    } catch (const std::runtime_error&) {
        return program_sample(booksim, {file}, unstable_status).seconds;
    }
}

double booksim_seconds(const std::string& booksim, const SpeedCase& speed, std::uint64_t cycles)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("nocturne_booksim_{}.cfg", getpid());
    write_file_atomically(
        file, fmt::format("{} num_vcs = {}; vc_buf_size = 8; packet_size = {}; traffic = uniform;\n"
                          "sim_type = throughput; injection_rate = {}; sample_period = {};\n"
                          "warmup_periods = 0; max_samples = 4; sim_count = 1;\n",
                          booksim_network(speed.topology), speed.vcs, speed.packet_flits,
                          speed.load / speed.packet_flits, cycles / 4));
    const double seconds = seconds_of(booksim, file.string());
    std::filesystem::remove(file);
    return seconds;
}

} // namespace

Table beside_booksim(const std::string& booksim, unsigned runs)
{
    constexpr std::uint64_t few_cycles = 40;
    constexpr std::size_t most_processors = 64; // with long packets: BookSim2 takes minutes for more
    Table table{"Beside BookSim2",
                {{"model", "", Align::left},
                 {"network", "", Align::left},
                 {"load", "flits/cycle"},
                 {"packet", "flits"},
                 {"VCs", ""},
                 {"nocturne", "million flit-hops/s"},
                 {"BookSim2", "million flit-hops/s"},
                 {"ratio", ""}},
                {}};
    for (const SpeedCase& speed : speed_cases()) {
        if (speed.model == NetworkModel::worm &&
            make_topology(speed.topology).processor_count() > most_processors)
            continue;
        Sample ours{0, std::numeric_limits<double>::infinity(), 0};
        double theirs = std::numeric_limits<double>::infinity();
        double set_up = std::numeric_limits<double>::infinity();
        for (unsigned run = 0; run < runs; ++run) {
            const Sample sample = in_own_process([&speed] { return simulate(speed); });
            if (sample.seconds < ours.seconds)
                ours = sample;
            set_up = std::min(set_up, booksim_seconds(booksim, speed, few_cycles));
            theirs = std::min(theirs, booksim_seconds(booksim, speed, speed.cycles));
        }
        theirs -= set_up;
        if (theirs <= 0)
            throw std::runtime_error(fmt::format("{}: does not simulate {}", booksim, speed.topology));
        table.add_row({to_string(speed.model), speed.topology, Real{speed.load, 2},
                       std::uint64_t{speed.packet_flits}, std::uint64_t{speed.vcs},
                       Real{ours.work / ours.seconds / 1e6}, Real{ours.work / theirs / 1e6, 2},
                       Real{theirs / ours.seconds}});
    }
    return table;
}

} // namespace nocturne::benchmarks
