#include "sim/report/closed_loop_results.hpp"

namespace nocturne {

Fields<ClosedLoopResult> fields_of(const ClosedLoopResult*)
{
    using Result = ClosedLoopResult;
    const auto state = [](const Result& result) {
        return std::string(result.stall ? "deadlocked" : "steady");
    };
    return Fields<Result>{
        "closed loop",
        "One network with one number of outstanding requests per processor.",
        {{"model", "", "`flit` or `worm`.", &Result::model, Shown::in_files},
         {"topology", "", "The network.", &Result::topology},
         {"routing", "", "The routing function.", &Result::routing},
         {"routing_taken", "", routing_taken_meaning, &Result::routing_taken, Shown::in_files},
         {"selection", "", selection_meaning, &Result::selection, Shown::in_files},
         {"pattern", "", "Traffic pattern of the requests.", &Result::pattern},
         {"request_flits", "flits", "Sizes of requests, with their weights.", &Result::request_flits},
         {"reply_flits", "flits", "Sizes of replies, with their weights.", &Result::reply_flits},
         {"message_classes", "",
          "2: requests and replies have virtual channels of their own; 1: they share them.",
          &Result::message_classes},
         {"vcs", "", "Virtual channels per link.", &Result::vcs},
         {"reply_vcs", "", reply_vcs_meaning, &Result::reply_vcs, Shown::in_files},
         {"seed", "", "Seed of traffic and of randomized routing.", &Result::seed},
         {"outstanding", "", "Outstanding requests per processor.", &Result::outstanding},
         {"answered_rate", "1/cycle", "Requests answered in the window, per processor and cycle.",
          &Result::answered_rate},
         {"answered_rate_error", "1/cycle",
          "Half width of the 95 % confidence interval, by batch means; null with too few batches.",
          &Result::answered_rate_error},
         {"accepted_flit_rate", "flits/cycle",
          "Flits of requests and replies that arrived in the window, per processor.",
          &Result::accepted_flit_rate},
         {"average_round_trip_cycles", "cycles",
          "From the creation of a request to the arrival of its reply, mean over those answered in the "
          "window; null without one.",
          &Result::average_round_trip_cycles},
         {"average_round_trip_error_cycles", "cycles",
          "Half width of the 95 % confidence interval of the mean; null with too few batches.",
          &Result::average_round_trip_error_cycles},
         {"median_round_trip_cycles", "cycles", "Median over the requests.",
          &Result::median_round_trip_cycles},
         {"p95_round_trip_cycles", "cycles", "95th percentile over the requests.",
          &Result::p95_round_trip_cycles},
         {"p99_round_trip_cycles", "cycles", "99th percentile over the requests.",
          &Result::p99_round_trip_cycles},
         {"maximum_round_trip_cycles", "cycles", "Maximum over the requests.",
          &Result::maximum_round_trip_cycles},
         {"time_cycles", "cycles", "Length of the run, until the network was empty or deadlocked.",
          &Result::time_cycles, Shown::in_files}}}
        .with_ns(&Result::cycle_ns)
        .with({{"cycle_ns", "ns", "Clock cycle.", &Result::cycle_ns, Shown::in_files},
               {"answered", "", "Requests answered in the window.", &Result::answered, Shown::in_files},
               {"blocked_cycles", "cycles", blocked_meaning, &Result::blocked_cycles},
               {"credit_wait_cycles", "cycles", credit_wait_meaning, &Result::credit_wait_cycles},
               {"head_wait_cycles", "cycles", head_wait_meaning, &Result::head_wait_cycles},
               {"state", "", "`steady` or `deadlocked`.", state},
               {"stall", "", "The deadlock; null without one.", &Result::stall, Shown::in_files},
               {"histogram", "", "Requests by round-trip time, if asked for.", &Result::histogram,
                Shown::if_any},
               {"flows", "", "Requests and replies by source and destination, if asked for.", &Result::flows,
                Shown::if_any}});
}

Fields<ClosedLoopResults> fields_of(const ClosedLoopResults*)
{
    return {"closed loops",
            "Requests and replies with a fixed number of outstanding requests per processor.",
            {{"closed_loop", "", "One row per network, pattern, seed and number of requests.",
              &ClosedLoopResults::closed_loop, Shown::as_rows}}};
}

} // namespace nocturne
