// Tables of clusters of several chassis, whose links differ.
#include "models/text/number.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/portfolio/chunk_portfolio.hpp"
#include "testbenches/collectives_of_today/networks.hpp"
#include "testbenches/collectives_of_today/tables.hpp"
#include "testbenches/records.hpp"

#include <fmt/format.h>

#include <stdexcept>

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

double milliseconds(const std::string& field)
{
    const auto number = number_of<double>(field);
    if (!number || !(*number > 0))
        throw std::invalid_argument(fmt::format("'{}' is no time", field));
    return *number;
}

RowComparison search_cluster(const ClusterRow& row)
{
    const LinkNetwork network = link_network_of(load_topology(row.topology));
    const std::uint32_t gpus = network.processor_count();
    ChunkRequest request;
    request.of_parts = [&](std::uint32_t parts) {
        return make_collective(row.kind, {.processors = gpus, .parts = parts});
    };
    request.parts = row.chunks;
    request.objective = ChunkObjective::time;
    request.bytes = gigabyte / (gpus * row.chunks) *
                    static_cast<double>(largest_contribution(request.of_parts(row.chunks)));
    const auto found = find_chunked_schedule(network, request);
    RowComparison result;
    result.theirs = fmt::format("{} ms{}{}", row.theirs_ms, row.note.empty() ? "" : "; ", row.note);
    if (!found) {
        result.ours = "none";
        result.refutation = "no schedule";
        return result;
    }
    const double ours = found->cycles / cycles_per_millisecond;
    const double bound = found->bounds.cycles ? found->bounds.cycles->cycles / cycles_per_millisecond : 0;
    result.bound = fmt::format("{:.3f} ms", bound);
    result.ours = fmt::format("{:.3f} ms", ours);
    result.refutation = refutation_of(found->schedule, network);
    result.verdict = fmt::format("{:.3f} % over the bound", 100 * (ours / bound - 1));
    if (result.refutation.empty() && ours > row.most_ms)
        result.refutation = fmt::format("later than {} ms", row.most_ms);
    if (result.refutation.empty() && !(ours >= row.bound_ms && bound >= row.bound_ms * (1 - 1e-9)))
        result.refutation = "earlier than the bound, or the bound is too low";
    return result;
}

/// Best throughput of all data over time, as ForestColl prints it, and what it is measured in.
struct ThroughputRow {
    std::filesystem::path network;
    std::string theirs;
    std::string unit;
};

constexpr double gigabyte_of_each = 1e9;
constexpr double most_over = 1.02; // of a schedule in 64 chunks

RowComparison compare_throughput(const ThroughputRow& row)
{
    const bool is_graph = row.network.extension() == ".csv";
    const LinkNetwork network =
        is_graph ? read_dgx1(row.network) : link_network_of(load_topology(row.network));
    ChunkRequest request;
    request.of_parts = [&](std::uint32_t parts) {
        return allgather({.processors = network.processor_count(), .parts = parts});
    };
    request.parts = 64;
    request.objective = ChunkObjective::time;
    request.bytes = gigabyte_of_each;
    RowComparison result;
    result.theirs = fmt::format("{} {}", row.theirs, row.unit);
    const Bounds bounds = best_chunk_bounds(network, request.of_parts(1), std::nullopt);
    const auto found = find_chunked_schedule(network, request);
    if (!bounds.rounds || !found || !found->bounds.cycles) {
        result.refutation = "no bound, or no schedule";
        return result;
    }
    // Every processor's chunk in so many rounds, each as long as a chunk on a link of one unit; a cycle of
    // these files is 1 ns.
    const Ratio rounds = bounds.rounds->rounds;
    const Ratio throughput =
        is_graph ? rounds
                 : make_ratio(network.processor_count() * network.unit_bytes_per_cycle() * rounds.denominator,
                              rounds.numerator);
    result.bound =
        fmt::format("{} {}: {}", to_string(throughput), row.unit, describe(*bounds.rounds, network));
    const double over = found->cycles / found->bounds.cycles->cycles;
    result.ours = fmt::format("{} {}", to_string(throughput), row.unit);
    result.verdict = fmt::format("cut checked, 64 chunks {:.1f} % over", 100 * (over - 1));
    result.refutation = refutation_of(found->schedule, network);
    if (result.refutation.empty() && to_string(throughput) != row.theirs)
        result.refutation = "the bound is another";
    if (result.refutation.empty() && over > most_over)
        result.refutation = "the schedule is more than 2 % over the bound";
    return result;
}

} // namespace

std::vector<ReferenceRow> throughput_rows(const std::filesystem::path& folder)
{
    std::vector<ReferenceRow> rows;
    testbench::read_records(folder / "forestcoll_allgather.csv", "network,throughput,unit",
                            [&](const testbench::Fields& fields) {
                                const ThroughputRow row{folder / fields[0], fields[1], fields[2]};
                                rows.push_back({"allgather at most", row.network.stem().string(),
                                                [row] { return compare_throughput(row); }});
                            });
    return rows;
}

std::vector<ReferenceRow> cluster_rows(const std::filesystem::path& folder)
{
    std::vector<ReferenceRow> rows;
    testbench::read_records(
        folder / "clusters.csv", "topology,collective,chunks,theirs_ms,bound_ms,most_ms,note",
        [&](const testbench::Fields& fields) {
            const ClusterRow row{folder / fields[0],
                                 parse_collective_kind(fields[1]),
                                 testbench::number_of(fields[2]).value(),
                                 milliseconds(fields[3]),
                                 milliseconds(fields[4]),
                                 milliseconds(fields[5]),
                                 fields[6]};
            rows.push_back({"clusters by time",
                            fmt::format("{} {} C={}", row.topology.stem().string(), fields[1], row.chunks),
                            [row] { return search_cluster(row); }});
        });
    return rows;
}

} // namespace nocturne::collectives_of_today
