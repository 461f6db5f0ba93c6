#include "sim/report/recovery_results.hpp"

namespace nocturne {

Fields<RecoveryPhase> fields_of(const RecoveryPhase*)
{
    return {"recovery phase",
            "A part of the recovery, in simulated time.",
            {{"name", "", "`replay`, `detect`, `locate`, `schedule`, `program`, `replay owed` or `check`.",
              &RecoveryPhase::name},
             {"begin_ns", "ns", "Begin of the phase.", &RecoveryPhase::begin_ns},
             {"end_ns", "ns", "End of the phase.", &RecoveryPhase::end_ns},
             {"time_ns", "ns", "Duration.",
              [](const RecoveryPhase& phase) { return phase.end_ns - phase.begin_ns; }}}};
}

Fields<LostTransfer> fields_of(const LostTransfer*)
{
    return {"lost transfer",
            "A message that was sent but not received.",
            {{"step", "", "Step of the schedule, or without one of the sender, from 1.", &LostTransfer::step},
             {"message", "", "Index of the message in the collective.", &LostTransfer::message},
             {"source", "", "Processor that sent it.", &LostTransfer::source},
             {"destination", "", "Processor that did not receive it.", &LostTransfer::destination}}};
}

Fields<RecoveryResult> fields_of(const RecoveryResult*)
{
    using Result = RecoveryResult;
    return {
        "recover",
        "A run with a fault, completed after recovery.",
        {{"model", "", "`flit` or `worm`.", &Result::model, Shown::in_files},
         {"schedule", "", "Name of the schedule, or of the traffic without a schedule.", &Result::schedule},
         {"topology", "", "The network.", &Result::topology},
         {"collective", "", "The collective communication.", &Result::collective},
         {"routing", "", "`source routes` for a schedule, otherwise the routing function.", &Result::routing},
         {"message_bytes", "bytes", "Size of one message.", &Result::message_bytes},
         {"steps", "", "Steps of the schedule; without a schedule, the most steps of a DMA engine.",
          &Result::steps},
         {"faults", "", "Failed parts.", &Result::faults},
         {"fault_ns", "ns", "Time of the fault.", &Result::fault_ns},
         {"until_ns", "ns", "End of the fault; null if it is permanent.", &Result::until_ns},
         {"outcome", "", "`nothing lost`, `intermittent` or `located`.", &Result::outcome},
         {"located", "",
          "Located part: `channel 00->01`, `router 05`; joined by `or` if no probe tells parts apart.",
          &Result::located},
         {"phases", "", "Phases in their order.", &Result::phases},
         {"time_ns", "ns", "Total time of all phases.", &Result::time_ns},
         {"lost", "", "Lost messages, in the order of steps.", &Result::lost},
         {"flits_lost", "", "Lost flits, including those of probes.", &Result::flits_lost},
         {"probes", "", "Probes sent to locate the fault.", &Result::probes},
         {"lost_processors", "", "Processors of failed routers.", &Result::lost_processors},
         {"deliveries_owed", "", "Deliveries made after the fault was located.", &Result::owed},
         {"deliveries_dropped", "",
          "Deliveries that became impossible: the receiver, or every holder of the message, is lost.",
          &Result::dropped},
         {"duplicates", "", "Complete deliveries that arrived more than once.", &Result::duplicates},
         {"repair_steps", "", "Steps of the repair schedule; without a schedule, of the longest program.",
          &Result::repair_steps},
         {"repair_routing", "", "Routing of the messages sent again; null if none is.",
          &Result::repair_routing},
         {"search_seconds", "s", "Wall-clock time of the search for the repair.", &Result::search_seconds,
          Shown::in_files},
         {"messages_delivered", "", "Deliveries made.", &Result::messages_delivered},
         {"messages_owed", "", "Deliveries of the collective, without the dropped ones.",
          &Result::messages_owed},
         {"memory_ok", "", "Whether every delivered byte is correct.", &Result::memory_ok},
         {"converted", "", converted_meaning, &Result::converted, Shown::in_files},
         {"occupancy", "", "Channels held by messages over time, if recorded.", &Result::occupancy,
          Shown::if_any}}};
}

} // namespace nocturne
