#include "sim/report/closed_loop_results.hpp"

namespace nocturne {

Table closed_loop_table(std::span<const ClosedLoopResult> results)
{
    Table table{"Requests and replies",
                {{"topology", "", Align::left},
                 {"routing", "", Align::left},
                 {"pattern", "", Align::left},
                 {"request", "flits", Align::left},
                 {"reply", "flits", Align::left},
                 {"classes", "", Align::left},
                 {"seed", "", Align::left},
                 {"outstanding", ""},
                 {"answered", "per cycle"},
                 {"error", ""},
                 {"accepted", "flits"},
                 {"round trip", "cycles"},
                 {"round trip error", "cycles"},
                 {"median", "cycles"},
                 {"p95", "cycles"},
                 {"p99", "cycles"},
                 {"maximum", "cycles"},
                 {"state", "", Align::left}},
                {}};
    const auto real = [](const std::optional<double>& value, int digits) {
        return value ? Cell(Real{*value, digits}) : Cell();
    };
    const auto count = [](const std::optional<std::uint64_t>& value) {
        return value ? Cell(*value) : Cell();
    };
    for (const ClosedLoopResult& each : results)
        table.add_row({each.topology, each.routing, each.pattern, each.request_flits, each.reply_flits,
                       std::to_string(each.message_classes), std::to_string(each.seed),
                       std::uint64_t{each.outstanding}, Real{each.answered_rate, 5},
                       real(each.answered_rate_error, 5), Real{each.accepted_flit_rate, 4},
                       real(each.average_round_trip_cycles, 2), real(each.average_round_trip_error_cycles, 2),
                       count(each.median_round_trip_cycles), count(each.p95_round_trip_cycles),
                       count(each.p99_round_trip_cycles), count(each.maximum_round_trip_cycles),
                       std::string(each.stall ? "deadlocked" : "steady")});
    return table;
}

} // namespace nocturne
