// Tables of clusters of several chassis, whose links differ.
#include "models/topology/topology_files.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "testbenches/collectives_of_today/networks.hpp"
#include "testbenches/collectives_of_today/tables.hpp"
#include "testbenches/driver/measured.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace nocturne::collectives_of_today {
namespace {

constexpr double cycles_per_millisecond = 500'000; // a cycle of these files is 2 ns
constexpr double gigabyte = 1e9;                   // what an allgather leaves, or a GPU has for an all-to-all

struct ClusterRow {
    std::filesystem::path topology;
    CollectiveKind kind;
    std::uint32_t chunks;
    double theirs_ms;
    double bound_ms;
    double most_ms;
    std::string note;
};

RowComparison search_cluster(const ClusterRow& row)
{
    const LinkNetwork network = link_network_of(load_topology(row.topology));
    const std::uint32_t gpus = network.processor_count();
    ChunkProblem problem{.network = network,
                         .collective = make_collective(row.kind, CollectiveShape{.processors = gpus}),
                         .parts = row.chunks,
                         .objective = ChunkObjective::time};
    problem.bytes = gigabyte / gpus * static_cast<double>(largest_contribution(problem.collective));
    const PortfolioResult found = find_schedule(problem);
    RowComparison result;
    result.theirs = fmt::format("{} ms{}{}", row.theirs_ms, row.note.empty() ? "" : "; ", row.note);
    if (!found.schedule) {
        result.ours = "none";
        result.refutation = "no schedule";
        return result;
    }
    const double ours = found.cycles / cycles_per_millisecond;
    const double bound = found.bounds.cycles ? found.bounds.cycles->cycles / cycles_per_millisecond : 0;
    result.bound = fmt::format("{:.3f} ms", bound);
    result.ours = fmt::format("{:.3f} ms", ours);
    result.refutation = refutation_of(*found.schedule, network);
    result.verdict = fmt::format("{:.3f} % over the bound", 100 * (ours / bound - 1));
    if (result.refutation.empty() && ours > row.most_ms)
        result.refutation = fmt::format("later than {} ms", row.most_ms);
    if (result.refutation.empty() && !(ours >= row.bound_ms && bound >= row.bound_ms * (1 - 1e-9)))
        result.refutation = "earlier than the bound, or the bound is too low";
    return result;
}

/// Best throughput of all data over time, as ForestColl prints it, and what it is measured in.
struct ThroughputRow {
    std::string name;
    LinkNetwork network;
    bool is_graph; ///< whose links have units, and no speed
    std::string theirs;
    std::string unit;
};

constexpr double gigabyte_of_each = 1e9;
constexpr double most_over = 1.02; // of a schedule in 64 chunks

RowComparison compare_throughput(const ThroughputRow& row)
{
    const LinkNetwork& network = row.network;
    const ChunkProblem problem{.network = network,
                               .collective = allgather({.processors = network.processor_count()}),
                               .parts = 64,
                               .objective = ChunkObjective::time,
                               .bytes = gigabyte_of_each};
    RowComparison result;
    result.theirs = fmt::format("{} {}", row.theirs, row.unit);
    const Bounds bounds = best_chunk_bounds(network, problem.collective, std::nullopt);
    const PortfolioResult found = find_schedule(problem);
    if (!bounds.rounds || !found.schedule || !found.bounds.cycles) {
        result.refutation = "no bound, or no schedule";
        return result;
    }
    // Every processor's chunk in so many rounds, each as long as a chunk on a link of one unit; a cycle of
    // these files is 1 ns.
    const Ratio rounds = bounds.rounds->rounds;
    const Ratio throughput =
        row.is_graph
            ? rounds
            : make_ratio(network.processor_count() * network.unit_bytes_per_cycle() * rounds.denominator,
                         rounds.numerator);
    result.bound =
        fmt::format("{} {}: {}", to_string(throughput), row.unit, describe(*bounds.rounds, network));
    const double over = found.cycles / found.bounds.cycles->cycles;
    result.ours = fmt::format("{} {}", to_string(throughput), row.unit);
    result.verdict = fmt::format("cut checked, 64 chunks {:.1f} % over", 100 * (over - 1));
    result.refutation = refutation_of(*found.schedule, network);
    if (result.refutation.empty() && to_string(throughput) != row.theirs)
        result.refutation = "the bound is another";
    if (result.refutation.empty() && over > most_over)
        result.refutation = "the schedule is more than 2 % over the bound";
    return result;
}

} // namespace

std::vector<ReferenceRow> throughput_rows(const nlohmann::json& settings)
{
    std::vector<ReferenceRow> rows;
    for (const nlohmann::json& each : settings.at("forestcoll_allgather")) {
        const std::filesystem::path file = testbench::text_in(each, "network");
        const bool is_graph = file.extension() == ".csv";
        const std::filesystem::path folder = settings.at("folder").get<std::string>();
        const ThroughputRow row{
            file.stem().string(),
            is_graph ? make_dgx1(settings.at("dgx1_links")) : link_network_of(load_topology(folder / file)),
            is_graph, testbench::text_in(each, "throughput"), testbench::text_in(each, "unit")};
        rows.push_back({"allgather at most", row.name, [row] { return compare_throughput(row); }});
    }
    return rows;
}

std::vector<ReferenceRow> cluster_rows(const nlohmann::json& settings)
{
    std::vector<ReferenceRow> rows;
    for (const nlohmann::json& each : settings.at("clusters")) {
        const std::filesystem::path folder = settings.at("folder").get<std::string>();
        const ClusterRow row{folder / testbench::text_in(each, "topology"),
                             parse_collective_kind(testbench::text_in(each, "collective")),
                             testbench::number_in<unsigned>(each, "chunks"),
                             testbench::number_in<double>(each, "theirs_ms"),
                             testbench::number_in<double>(each, "bound_ms"),
                             testbench::number_in<double>(each, "most_ms"),
                             testbench::text_in(each, "note")};
        rows.push_back({"clusters by time",
                        fmt::format("{} {} C={}", row.topology.stem().string(),
                                    testbench::text_in(each, "collective"), row.chunks),
                        [row] { return search_cluster(row); }});
    }
    return rows;
}

} // namespace nocturne::collectives_of_today
