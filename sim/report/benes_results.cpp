#include "sim/report/benes_results.hpp"

#include <algorithm>

namespace nocturne {

namespace {

/// Nothing for what has no network cycles.
Cell in_network_cycles(const BenesPoint& point, const Cell& cell)
{
    return point.network_cycle_clocks == 0 ? Cell{} : cell;
}

} // namespace

Table benes_table(std::span<const BenesPoint> points)
{
    Table table{"Randomized routing of permutations",
                {{"network", "", Align::left},
                 {"columns", ""},
                 {"link", "bits"},
                 {"randomization", "", Align::left},
                 {"permutations", "", Align::left},
                 {"samples", ""},
                 {"mean delay", "network cycles"},
                 {"error", "network cycles"},
                 {"most", "network cycles"},
                 {"within limit", "%"},
                 {"network cycle", "clocks"},
                 {"mean latency", "clocks"},
                 {"latency error", "clocks"},
                 {"most latency", "clocks"}},
                {}};
    for (const BenesPoint& point : points)
        table.add_row({point.network, std::uint64_t{point.columns}, std::uint64_t{point.link_bits},
                       point.randomization, point.permutations, point.samples,
                       in_network_cycles(point, Real{point.mean_delay, 2}),
                       in_network_cycles(point, Real{point.delay_error, 2}),
                       in_network_cycles(point, std::uint64_t{point.most_delay}),
                       in_network_cycles(point, Real{100 * point.share_within_limit, 1}),
                       in_network_cycles(point, point.network_cycle_clocks), Real{point.mean_clocks, 1},
                       Real{point.clocks_error, 1}, point.most_clocks});
    const auto is_searched = [](const BenesPoint& point) { return !point.search_start.empty(); };
    if (std::none_of(points.begin(), points.end(), is_searched))
        return table;
    table.columns.insert(table.columns.end(), {{"in search", "network cycles"}, {"start", "", Align::left}});
    for (std::size_t i = 0; i < points.size(); ++i) {
        table.rows[i].push_back(is_searched(points[i]) ? Cell{Real{points[i].searched_delay, 2}} : Cell{});
        table.rows[i].push_back(is_searched(points[i]) ? Cell{points[i].search_start} : Cell{});
    }
    return table;
}

} // namespace nocturne
