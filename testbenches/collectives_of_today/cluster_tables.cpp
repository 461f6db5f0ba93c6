// Tables of clusters of several chassis, whose links differ.
#include "models/text/number.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/chunk_portfolio/chunk_portfolio.hpp"
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
    ChunkedKind kind;
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
        return make_chunked_collective(row.kind, {.processors = gpus, .parts = parts});
    };
    request.parts = row.chunks;
    request.objective = ChunkObjective::time;
    request.bytes = gigabyte / (gpus * row.chunks) *
                    static_cast<double>(largest_contribution(request.of_parts(row.chunks)));
    const auto found = find_chunked_schedule(network, request);
    RowComparison result;
    result.theirs = fmt::format("{} ms{}{}", row.theirs_ms, row.note.empty() ? "" : "; ", row.note);
    result.bound = fmt::format("{} ms", row.bound_ms);
    if (!found) {
        result.ours = "none";
        result.refutation = "no schedule";
        return result;
    }
    const double ours = found->cycles / cycles_per_millisecond;
    result.ours = fmt::format("{:.3f} ms", ours);
    result.refutation = refutation_of(found->schedule, network);
    result.verdict = fmt::format("{:.3f} % over the bound", 100 * (ours / row.bound_ms - 1));
    if (result.refutation.empty() && ours > row.most_ms)
        result.refutation = fmt::format("later than {} ms", row.most_ms);
    if (result.refutation.empty() && ours < row.bound_ms)
        result.refutation = "earlier than the bound";
    return result;
}

} // namespace

std::vector<ReferenceRow> cluster_rows(const std::filesystem::path& folder)
{
    std::vector<ReferenceRow> rows;
    testbench::read_records(
        folder / "clusters.csv", "topology,collective,chunks,theirs_ms,bound_ms,most_ms,note",
        [&](const testbench::Fields& fields) {
            const ClusterRow row{folder / fields[0],
                                 parse_chunked_kind(fields[1]),
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
