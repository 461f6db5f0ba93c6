#include "sim/report/contract_results.hpp"

namespace nocturne {

Fields<ContractResult> fields_of(const ContractResult*)
{
    using Result = ContractResult;
    return Fields<Result>{
        "contract",
        "What a flow is promised.",
        {{"source", "", "The processor that sends.", &Result::source},
         {"destination", "", "The processor that receives.", &Result::destination},
         {"message_bytes", "bytes", "Of each message.", &Result::message_bytes, Shown::in_files},
         {"burst_messages", "", "Messages that may come at once.", &Result::burst_messages, Shown::in_files},
         {"mbytes_per_s", "MB/s", "What the flow may send, bursts besides.", &Result::mbytes_per_s},
         {"slot_mbytes_per_s", "MB/s", "What its slots carry.", &Result::slot_mbytes_per_s},
         {"message_cycles", "cycles", "The interval of messages at that rate.", &Result::message_cycles,
          Shown::in_files},
         {"slots", "", "That it has in a period.", &Result::slots},
         {"hops", "", "Channels between routers on its path.", &Result::hops},
         {"latency_cycles", "cycles",
          "From the creation of a message to the arrival of its last flit: never more.",
          &Result::latency_cycles},
         {"asked_latency_cycles", "cycles", "What was asked for; null if nothing was.",
          &Result::asked_latency_cycles},
         {"seen_latency_cycles", "cycles", "The longest in the simulation; null without one.",
          &Result::seen_latency_cycles}}}
        .with_ns(&Result::cycle_ns)
        .with({{"seen_percent", "%", "The longest that was seen, of the bound.", &Result::seen_percent},
               {"messages", "", "That arrived in the simulation.", &Result::messages},
               {"violations", "", "Messages that took longer than the bound.", &Result::violations,
                Shown::in_files},
               {"cycle_ns", "ns", "What a cycle takes.", &Result::cycle_ns, Shown::in_files},
               {"path", "", "The routers on its path.", &Result::path, Shown::in_files},
               {"start_cycles", "cycles", "Of the period, in which a packet may enter the injection link.",
                &Result::starts, Shown::in_files}});
}

Fields<ContractCheck> fields_of(const ContractCheck*)
{
    using Check = ContractCheck;
    return {
        "contract check",
        "Flows that do their worst beside best-effort traffic.",
        {{"check_cycles", "cycles", "In which messages came.", &Check::cycles},
         {"best_effort_load", "flits/cycle", "Offered by each processor beside the flows.",
          &Check::best_effort_load},
         {"best_effort_pattern", "", "Where it goes.", &Check::best_effort_pattern},
         {"best_effort_routing", "", "Its routing.", &Check::best_effort_routing},
         {"best_effort_rate", "flits/cycle", "Of it arrived, for each processor.", &Check::best_effort_rate},
         {"guaranteed_rate", "flits/cycle", "Of the flows arrived, for each processor.",
          &Check::guaranteed_rate},
         {"violations", "", "Messages that took longer than their contract says.", &Check::violations},
         {"late_packets", "", "Packets that arrived in another cycle than the table says.",
          &Check::late_packets},
         {"least_seen_percent", "%", "Of all flows, the least part of the bound that was seen.",
          &Check::least_seen_percent},
         {"stall", "", "A deadlock of best-effort traffic; null without one.", &Check::stall,
          Shown::in_files}}};
}

Fields<ContractResults> fields_of(const ContractResults*)
{
    using Results = ContractResults;
    return {
        "contracts",
        "Rates and latencies that a slot table guarantees.",
        {{"topology", "", "The network.", &Results::topology},
         {"engine", "", "What found the table: `list`, `packing` or `exact`; null if it was given.",
          &Results::engine},
         {"slots", "", "In a period.", &Results::slots},
         {"slot_flits", "flits", "The most of a packet.", &Results::slot_flits},
         {"slot_cycles", "cycles", "From one packet to the next on a link, at least.", &Results::slot_cycles},
         {"period_cycles", "cycles", "After which everything begins anew.", &Results::period_cycles},
         {"vcs", "", "Virtual channels of a link, those of best-effort traffic and one or more besides.",
          &Results::vcs},
         {"cycle_ns", "ns", "What a cycle takes.", &Results::cycle_ns, Shown::in_files},
         {"check", "", "What the simulation saw; null without one.", &Results::check, Shown::in_files},
         {"contracts", "", "One for each flow.", &Results::contracts, Shown::as_rows}}};
}

} // namespace nocturne
