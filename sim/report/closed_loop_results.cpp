#include "sim/report/closed_loop_results.hpp"

#include "sim/report/columns.hpp"

namespace nocturne {

Table closed_loop_table(std::span<const ClosedLoopResult> results)
{
    using Result = ClosedLoopResult;
    const auto classes = [](const Result& each) { return std::to_string(each.message_classes); };
    const auto vcs = [](const Result& result) { return std::to_string(result.vcs); };
    const auto seed = [](const Result& each) { return std::to_string(each.seed); };
    const auto state = [](const Result& each) { return each.stall ? "deadlocked" : "steady"; };
    return table_of("Requests and replies", results,
                    {{"topology", "", &Result::topology},
                     {"routing", "", &Result::routing},
                     {"pattern", "", &Result::pattern},
                     {"request", "flits", &Result::request_flits},
                     {"reply", "flits", &Result::reply_flits},
                     {"classes", "", classes},
                     {"VCs", "", vcs},
                     {"seed", "", seed},
                     {"outstanding", "", &Result::outstanding},
                     {"answered", "per cycle", &Result::answered_rate, 5},
                     {"error", "", &Result::answered_rate_error, 5},
                     {"accepted", "flits", &Result::accepted_flit_rate, 4},
                     {"round trip", "cycles", &Result::average_round_trip_cycles, 2},
                     {"round trip error", "cycles", &Result::average_round_trip_error_cycles, 2},
                     {"median", "cycles", &Result::median_round_trip_cycles},
                     {"p95", "cycles", &Result::p95_round_trip_cycles},
                     {"p99", "cycles", &Result::p99_round_trip_cycles},
                     {"maximum", "cycles", &Result::maximum_round_trip_cycles},
                     {"blocked", "cycles", &Result::blocked_cycles},
                     {"credit wait", "cycles", &Result::credit_wait_cycles},
                     {"state", "", state}});
}

} // namespace nocturne
