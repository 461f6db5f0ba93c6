#include "sim/report/benes_results.hpp"

#include "sim/report/columns.hpp"

#include <algorithm>

namespace nocturne {

Table benes_table(std::span<const BenesPoint> points)
{
    // Nothing for what has no network cycles.
    const auto in_network_cycles = [](auto member) {
        return [=](const BenesPoint& point) {
            return point.network_cycle_clocks == 0 ? std::nullopt : std::optional(point.*member);
        };
    };
    const auto percent_within_limit = [](const BenesPoint& point) {
        return point.network_cycle_clocks == 0 ? std::nullopt : std::optional(100 * point.share_within_limit);
    };
    Table table = table_of("Randomized routing of permutations", points,
                           {{"network", "", &BenesPoint::network},
                            {"columns", "", &BenesPoint::columns},
                            {"link", "bits", &BenesPoint::link_bits},
                            {"randomization", "", &BenesPoint::randomization},
                            {"permutations", "", &BenesPoint::permutations},
                            {"samples", "", &BenesPoint::samples},
                            {"mean delay", "network cycles", in_network_cycles(&BenesPoint::mean_delay), 2},
                            {"error", "network cycles", in_network_cycles(&BenesPoint::delay_error), 2},
                            {"most", "network cycles", in_network_cycles(&BenesPoint::most_delay)},
                            {"within limit", "%", percent_within_limit, 1},
                            {"network cycle", "clocks", in_network_cycles(&BenesPoint::network_cycle_clocks)},
                            {"mean latency", "clocks", &BenesPoint::mean_clocks, 1},
                            {"latency error", "clocks", &BenesPoint::clocks_error, 1},
                            {"most latency", "clocks", &BenesPoint::most_clocks}});
    const auto is_searched = [](const BenesPoint& point) { return !point.search_start.empty(); };
    if (std::none_of(points.begin(), points.end(), is_searched))
        return table;
    const auto if_searched = [=](auto member) {
        return [=](const BenesPoint& point) {
            return is_searched(point) ? std::optional(point.*member) : std::nullopt;
        };
    };
    return beside(std::move(table),
                  table_of("", points,
                           {{"in search", "network cycles", if_searched(&BenesPoint::searched_delay), 2},
                            {"start", "", if_searched(&BenesPoint::search_start)}}));
}

} // namespace nocturne
