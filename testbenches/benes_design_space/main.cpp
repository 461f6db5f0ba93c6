// Which Benes network is best for randomized routing; README.md says what is claimed and what came out.
#include "models/benes/worst_permutation.hpp"
#include "models/topology/files.hpp"
#include "testbenches/benes_design_space/claims.hpp"
#include "testbenches/benes_design_space/measurements.hpp"
#include "testbenches/benes_design_space/pictures.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <utility>

namespace {

using namespace nocturne;
using namespace nocturne::benes_design_space;

constexpr std::uint32_t delay_limit = 6; // the paper's, network cycles; also the default of BenesOptions

struct Results {
    std::vector<Machine> machines;
    std::vector<BenesPoint> clos;
    std::vector<std::pair<std::uint64_t, std::vector<BenesPoint>>> references; ///< by message length, bits
};

Results measure_all(const DesignSpaceOptions& space)
{
    Results results;
    for (const std::uint32_t processors : space.processors)
        results.machines.push_back(measure(processors, space));
    results.clos = measure_clos(space);
    if (space.reference_processors != 0)
        for (const std::uint64_t bits : space.reference_bits)
            results.references.emplace_back(bits, measure_references(bits, space));
    return results;
}

std::string of_processors(const Machine& machine, const char* traffic)
{
    return fmt::format("{} processors, {}", machine.processors, traffic);
}

/// What the map is made of: kinds of traffic, with multiple randomization.
std::vector<std::pair<std::string, const std::vector<BenesPoint>*>> traffics_of(const Machine& machine)
{
    return {{"random", &machine.random},
            {"worst", &machine.worst},
            {"random, arbitration by port", &machine.lowest_port}};
}

std::vector<MapCell> map_of_all(const Results& results, const DesignSpaceOptions& space)
{
    std::vector<MapCell> cells;
    for (const Machine& machine : results.machines)
        for (const auto& [traffic, points] : traffics_of(machine))
            for (MapCell& cell : map_of(machine.processors, traffic, *points, space.message_bits))
                cells.push_back(std::move(cell));
    return cells;
}

std::vector<ClaimRow> claims_of(const Results& results, const std::vector<MapCell>& cells)
{
    std::vector<ClaimRow> rows = claims_on_share(results.clos, delay_limit);
    for (const Machine& machine : results.machines) {
        rows.push_back(claim_on_randomization(of_processors(machine, "random permutations"), machine.random));
        rows.push_back(claim_on_randomization(of_processors(machine, "worst permutations"), machine.worst));
    }
    for (const Machine& machine : results.machines)
        for (const auto& traffic : traffics_of(machine)) {
            std::vector<MapCell> part;
            for (const MapCell& cell : cells)
                if (cell.processors == machine.processors && cell.traffic == traffic.first)
                    part.push_back(cell);
            for (ClaimRow& row : claims_on_designs(of_processors(machine, traffic.first.c_str()), part))
                rows.push_back(std::move(row));
        }
    if (!results.machines.empty())
        for (const auto& traffic : traffics_of(results.machines.front()))
            if (std::optional<ClaimRow> row = claim_on_all_sizes(traffic.first, cells))
                rows.push_back(std::move(*row));
    return rows;
}

/// Delays in network cycles of every design: random permutations, those with a name, and the worst that was
/// found.
Table delay_table(const std::vector<Machine>& machines)
{
    Table table{"Delays of permutations",
                {{"network", "", Align::left},
                 {"columns", ""},
                 {"randomizing", ""},
                 {"randomization", "", Align::left},
                 {"random", "network cycles"},
                 {"error", "network cycles"},
                 {"hardest with a name", "", Align::left},
                 {"its delay", "network cycles"},
                 {"unavoidable", "network cycles"},
                 {"worst", "network cycles"},
                 {"worst error", "network cycles"},
                 {"in search", "network cycles"},
                 {"start", "", Align::left}},
                {}};
    for (const Machine& machine : machines)
        for (std::size_t i = 0; i < machine.random.size(); ++i) {
            const BenesPoint& random = machine.random[i];
            const BenesPoint& worst = machine.worst[i];
            const BenesPoint* hardest = nullptr; // measured with multiple randomization only
            for (const BenesPoint& point : machine.named)
                if (random.randomization == "multiple" && point.network == random.network)
                    hardest = hardest == nullptr || point.mean_delay > hardest->mean_delay ? &point : hardest;
            const BenesWiring wiring(random.switch_size, random.digits, random.truncated);
            table.add_row({random.network, std::uint64_t{random.columns},
                           std::uint64_t{randomizing_columns(random)}, random.randomization,
                           Real{random.mean_delay, 2}, Real{random.delay_error, 2},
                           hardest == nullptr ? Cell{} : Cell{hardest->permutations},
                           hardest == nullptr ? Cell{} : Cell{Real{hardest->mean_delay, 2}},
                           std::uint64_t{unavoidable_delay(wiring)}, Real{worst.mean_delay, 2},
                           Real{worst.delay_error, 2}, Real{worst.searched_delay, 2}, worst.search_start});
        }
    return table;
}

/// Latencies of random permutations beside those of the references.
Table reference_table(const Results& results)
{
    Table table{"Circuits, the looping algorithm and wormhole messages",
                {{"message", "bits"},
                 {"network", "", Align::left},
                 {"link", "bits"},
                 {"circuits", "clocks"},
                 {"error", "clocks"},
                 {"looping", "clocks"},
                 {"wormhole", "clocks"},
                 {"wormhole error", "clocks"}},
                {}};
    for (const auto& [bits, points] : results.references)
        for (const BenesPoint& circuits : points) {
            if (circuits.randomization != "multiple")
                continue;
            Cell looping;
            Cell wormhole;
            Cell error;
            for (const BenesPoint& other : points) {
                if (other.network != circuits.network)
                    continue;
                if (other.randomization == "looping")
                    looping = Real{other.mean_clocks, 1};
                if (other.randomization == "wormhole") {
                    wormhole = Real{other.mean_clocks, 1};
                    error = Real{other.clocks_error, 1};
                }
            }
            table.add_row({bits, circuits.network, std::uint64_t{circuits.link_bits},
                           Real{circuits.mean_clocks, 1}, Real{circuits.clocks_error, 1}, looping, wormhole,
                           error});
        }
    return table;
}

testbench::Files pictures_of(const Results& results, const std::vector<MapCell>& cells)
{
    testbench::Files files{{"switch_size.svg", switch_size_picture(cells)},
                           {"randomizing_columns.svg", columns_picture(cells)},
                           {"share_within_limit.svg", share_picture(results.clos, delay_limit)}};
    for (const Machine& machine : results.machines) {
        constexpr std::uint64_t bits = 256;
        files.emplace_back(
            fmt::format("designs_{}_random.svg", machine.processors),
            design_picture(of_processors(machine, "random permutations"), machine.random, bits));
        files.emplace_back(
            fmt::format("designs_{}_worst.svg", machine.processors),
            design_picture(of_processors(machine, "worst permutations found"), machine.worst, bits));
    }
    return files;
}

/// Wall-clock times: on the terminal only.
void print_speed(const Results& results)
{
    for (const Machine& machine : results.machines)
        fmt::print("{} processors: all {} designs, random permutations, in {:.1f} s\n", machine.processors,
                   machine.random.size(), machine.random_seconds);
    fmt::print("one permutation over B(2,12): {:.2f} ms\n", 1000 * seconds_for_a_permutation());
}

int run(const DesignSpaceOptions& space)
{
    const Results results = measure_all(space);
    const std::vector<MapCell> cells = map_of_all(results, space);
    const Table verdicts = claim_table(claims_of(results, cells));
    const Table references = reference_table(results);
    testbench::Files tables{{"verdicts.csv", csv_of(verdicts)},
                            {"map.csv", csv_of(map_table(cells))},
                            {"delays.csv", csv_of(delay_table(results.machines))},
                            {"clos.csv", csv_of(clos_table(results.clos, delay_limit))}};
    if (!results.references.empty())
        tables.emplace_back("references.csv", csv_of(references));
    print_text(std::cout, delay_table(results.machines));
    if (!results.references.empty())
        print_text(std::cout, references);
    print_text(std::cout, verdicts);
    std::cout.flush();
    print_speed(results);
    std::fflush(stdout);
    if (!space.output.empty()) {
        testbench::write_files(space.output, tables);
        testbench::write_files(space.output, pictures_of(results, cells));
    }
    int status = 0;
    if (!space.expected.empty())
        for (const auto& [name, content] : tables)
            if (const auto expected = std::filesystem::path(space.expected) / name;
                read_file(expected.string()) != content) {
                fmt::print(stderr, "benes_design_space: the results differ from {}\n", expected.string());
                status = 1;
            }
    return status;
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    DesignSpaceOptions space;
    po::options_description options;
    options.add_options()("processors", po::value(&space.processors)->composing(),
                          "machine size, one or more")(
        "pins", po::value(&space.pins)->default_value(space.pins),
        "input pins of a switch")("samples", po::value(&space.samples)->default_value(space.samples),
                                  "random permutations on each design")(
        "adversary-samples", po::value(&space.adversary_samples)->default_value(space.adversary_samples),
        "tags for each permutation with a name, and each one that was found")(
        "search-evaluations", po::value(&space.search_evaluations)->default_value(space.search_evaluations),
        "permutations that a search for a worst one tries")(
        "bits", po::value(&space.message_bits)->composing(),
        "message length of the map, one or more, ascending")(
        "clos-largest", po::value(&space.clos_largest)->default_value(space.clos_largest),
        "largest q of B(q,2)")("clos-samples",
                               po::value(&space.clos_samples)->default_value(space.clos_samples),
                               "permutations of each kind on each B(q,2)")(
        "reference-processors", po::value(&space.reference_processors)->default_value(0),
        "machine size with looping algorithm and wormhole messages; 0: none")(
        "reference-samples", po::value(&space.reference_samples)->default_value(space.reference_samples),
        "permutations for them")("reference-bits", po::value(&space.reference_bits)->composing(),
                                 "message lengths for them")("seed", po::value(&space.seed)->default_value(1),
                                                             "seed")(
        "workers", po::value(&space.workers)->default_value(0), "processes; 0: one for each core")(
        "expected", po::value(&space.expected), "folder with the tables that must come out")(
        "output", po::value(&space.output), "folder for tables and pictures");
    return nocturne::testbench::run(argc, argv, "benes_design_space", options, [&] {
        if (space.processors.empty() || space.message_bits.empty())
            throw std::invalid_argument("--processors or --bits is missing");
        return run(space);
    });
}
