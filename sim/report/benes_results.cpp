#include "sim/report/benes_results.hpp"

namespace nocturne {

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
                 {"most latency", "clocks"}},
                {}};
    for (const BenesPoint& point : points)
        table.add_row({point.network, std::uint64_t{point.columns}, std::uint64_t{point.link_bits},
                       point.randomization, point.permutations, point.samples, Real{point.mean_delay, 2},
                       Real{point.delay_error, 2}, std::uint64_t{point.most_delay},
                       Real{100 * point.share_within_limit, 1}, point.network_cycle_clocks,
                       Real{point.mean_clocks, 1}, point.most_clocks});
    return table;
}

} // namespace nocturne
