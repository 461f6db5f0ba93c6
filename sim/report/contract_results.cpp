#include "sim/report/contract_results.hpp"

namespace nocturne {

Fields<ContractResult> fields_of(const ContractResult*)
{
    using Result = ContractResult;
    return Fields<Result>{
        "contract",
        "Guarantee of one flow.",
        {{"source", "", "The processor that sends.", &Result::source},
         {"destination", "", "The processor that receives.", &Result::destination},
         {"message_bytes", "bytes", "Size of each message.", &Result::message_bytes, Shown::in_files},
         {"burst_messages", "", "Largest burst of messages.", &Result::burst_messages, Shown::in_files},
         {"mbytes_per_s", "MB/s", "Guaranteed rate of the flow, without bursts.", &Result::mbytes_per_s},
         {"slot_mbytes_per_s", "MB/s", "Rate of the flow's slots.", &Result::slot_mbytes_per_s},
         {"message_cycles", "cycles", "Interval of messages at the guaranteed rate.", &Result::message_cycles,
          Shown::in_files},
         {"slots", "", "Slots of the flow in a period.", &Result::slots},
         {"hops", "", "Channels between routers on its path.", &Result::hops},
         {"latency_cycles", "cycles",
          "Bound on the time from the creation of a message to the arrival of its last flit.",
          &Result::latency_cycles},
         {"asked_latency_cycles", "cycles", "Requested latency; null without a request.",
          &Result::asked_latency_cycles},
         {"seen_latency_cycles", "cycles", "Longest latency in the simulation; null without `--check`.",
          &Result::seen_latency_cycles}}}
        .with_ns(&Result::cycle_ns)
        .with({{"seen_percent", "%", "Longest latency seen, relative to the bound.", &Result::seen_percent},
               {"messages", "", "Messages that arrived in the simulation.", &Result::messages},
               {"violations", "", "Messages later than the bound.", &Result::violations, Shown::in_files},
               {"cycle_ns", "ns", "Clock cycle.", &Result::cycle_ns, Shown::in_files},
               {"path", "", "The routers on its path.", &Result::path, Shown::in_files},
               {"start_cycles", "cycles",
                "Cycles of the period in which a packet may enter the injection link.", &Result::starts,
                Shown::in_files}});
}

Fields<ContractCheck> fields_of(const ContractCheck*)
{
    using Check = ContractCheck;
    return {
        "contract check",
        "Worst-case flows simulated beside best-effort traffic.",
        {{"check_cycles", "cycles", "Simulated cycles.", &Check::cycles},
         {"best_effort_load", "flits/cycle", "Best-effort load offered per processor.",
          &Check::best_effort_load},
         {"best_effort_pattern", "", "Pattern of best-effort traffic.", &Check::best_effort_pattern},
         {"best_effort_routing", "", "Routing of best-effort traffic.", &Check::best_effort_routing},
         {"best_effort_rate", "flits/cycle", "Best-effort flits that arrived, per processor.",
          &Check::best_effort_rate},
         {"guaranteed_rate", "flits/cycle", "Guaranteed flits that arrived, per processor.",
          &Check::guaranteed_rate},
         {"violations", "", "Messages later than their contract allows.", &Check::violations},
         {"late_packets", "", "Packets that did not arrive in the cycle of the table.", &Check::late_packets},
         {"least_seen_percent", "%", "Smallest ratio of seen latency to bound, over the flows.",
          &Check::least_seen_percent},
         {"stall", "", "Deadlock of best-effort traffic; null without one.", &Check::stall,
          Shown::in_files}}};
}

Fields<ContractResults> fields_of(const ContractResults*)
{
    using Results = ContractResults;
    return {
        "contracts",
        "Rates and latencies that a slot table guarantees.",
        {{"topology", "", "The network.", &Results::topology},
         {"engine", "",
          "Search that found the table: `list`, `packing` or `exact`; null if the table was given.",
          &Results::engine},
         {"slots", "", "Slots of a period.", &Results::slots},
         {"slot_flits", "flits", "Most flits of a packet.", &Results::slot_flits},
         {"slot_cycles", "cycles", "Least distance of two packets on a link.", &Results::slot_cycles},
         {"period_cycles", "cycles", "Length of a period.", &Results::period_cycles},
         {"vcs", "",
          "Virtual channels per link: those of best-effort traffic, and one or more for guaranteed traffic.",
          &Results::vcs},
         {"cycle_ns", "ns", "Clock cycle.", &Results::cycle_ns, Shown::in_files},
         {"check", "", "Result of the simulation; null without `--check`.", &Results::check, Shown::in_files},
         {"contracts", "", "One contract per flow.", &Results::contracts, Shown::as_rows}}};
}

} // namespace nocturne
