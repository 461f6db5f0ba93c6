// Tables by alpha + beta time.
#include "models/text/number.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "testbenches/collectives_of_today/networks.hpp"
#include "testbenches/collectives_of_today/tables.hpp"
#include "testbenches/driver/measured.hpp"

#include <fmt/format.h>

#include <cmath>

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

std::vector<ReferenceRow> timed_allgather_rows(const nlohmann::json& settings, const char* rows)
{
    std::vector<ReferenceRow> result;
    for (const nlohmann::json& each : settings.at(rows)) {
        TimedRow row{testbench::text_in(each, "topology"),
                     testbench::number_in<unsigned>(each, "chunks"),
                     testbench::number_in<double>(each, "GiB"),
                     {},
                     testbench::number_in<double>(each, "alpha_us"),
                     testbench::number_if_any<double>(each, "time_us")};
        std::string speeds;
        for (const char* const dimension : {"bandwidth_x", "bandwidth_y", "bandwidth_z"})
            if (const auto bandwidth = testbench::number_if_any<unsigned>(each, dimension)) {
                row.bandwidths.push_back(*bandwidth);
                speeds += (speeds.empty() ? "" : "/") + testbench::text_in(each, dimension);
            }
        result.push_back({"allgather by time",
                          fmt::format("{} at {} GiB/s, C={}", row.topology, speeds, row.chunks),
                          [row] { return search_allgather(row); }});
    }
    return result;
}

} // namespace nocturne::collectives_of_today
