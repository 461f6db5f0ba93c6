// Tables by alpha + beta time.
#include "models/text/number.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "testbenches/collectives_of_today/networks.hpp"
#include "testbenches/collectives_of_today/tables.hpp"
#include "testbenches/records.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace nocturne::collectives_of_today {
namespace {

struct TimedRow {
    std::string topology;
    std::uint32_t chunks;
    double gibibytes;                      ///< of a node's whole output
    std::vector<std::uint64_t> bandwidths; ///< GiB/s, by dimension
    double alpha_us;
    std::optional<double> time_us; ///< that they print
};

double real_of(const std::string& field)
{
    const auto number = number_of<double>(field);
    if (!number)
        throw std::invalid_argument(fmt::format("'{}' is no number", field));
    return *number;
}

/// A cycle is a nanosecond, and a GiB counts as 10^9 bytes of which a link of 1 GiB/s carries one a cycle.
RowComparison search_allgather(const TimedRow& row)
{
    const LinkNetwork network = make_grid(row.topology, row.bandwidths,
                                          static_cast<std::uint64_t>(std::llround(row.alpha_us * 1000)));
    const std::uint32_t nodes = network.processor_count();
    TimedConfig config;
    config.cost.bytes_per_weight = row.gibibytes * 1e9 / (nodes * row.chunks);
    config.cost.latency_holds_link = true;
    const auto found = search_by_time(network, allgather({.processors = nodes, .parts = row.chunks}), config);
    RowComparison result;
    result.theirs = row.time_us ? fmt::format("{:.2f} us", *row.time_us) : "-";
    if (!found) {
        result.ours = "none";
        result.refutation = "no schedule";
        return result;
    }
    result.bound = fmt::format("{:.2f} us", found->bound / 1000);
    result.ours = fmt::format("{:.2f} us", found->cycles / 1000);
    result.refutation = refutation_of(found->schedule, network);
    result.verdict = found->cycles <= found->bound * (1 + 1e-9)
                         ? "at the bound"
                         : fmt::format("{:.2f} % over the bound", 100 * (found->cycles / found->bound - 1));
    if (result.refutation.empty() && row.time_us && found->cycles / 1000 > *row.time_us + 0.01)
        result.refutation = "later than theirs";
    return result;
}

} // namespace

std::vector<ReferenceRow> timed_allgather_rows(const std::filesystem::path& folder, const std::string& file)
{
    std::vector<ReferenceRow> rows;
    testbench::read_records(
        folder / file, "topology,chunks,GiB,bandwidth_x,bandwidth_y,bandwidth_z,alpha_us,time_us",
        [&](const testbench::Fields& fields) {
            TimedRow row{fields[0],          testbench::number_of(fields[1]).value(),
                         real_of(fields[2]), {},
                         real_of(fields[6]), number_of<double>(fields[7])};
            std::string speeds;
            for (const std::size_t i : {3u, 4u, 5u})
                if (const auto bandwidth = testbench::number_of(fields[i])) {
                    row.bandwidths.push_back(*bandwidth);
                    speeds += (speeds.empty() ? "" : "/") + fields[i];
                }
            rows.push_back({"allgather by time",
                            fmt::format("{} at {} GiB/s, C={}", row.topology, speeds, row.chunks),
                            [row] { return search_allgather(row); }});
        });
    return rows;
}

} // namespace nocturne::collectives_of_today
