#include "sim/report/recovery_results.hpp"

namespace nocturne {

Fields<RecoveryPhase> fields_of(const RecoveryPhase*)
{
    return {"recovery phase",
            "A part of the recovery, in simulated time.",
            {{"name", "", "`replay`, `detect`, `locate`, `schedule`, `program`, `replay owed` or `check`.",
              &RecoveryPhase::name},
             {"begin_ns", "ns", "When it began.", &RecoveryPhase::begin_ns},
             {"end_ns", "ns", "When it ended.", &RecoveryPhase::end_ns},
             {"time_ns", "ns", "That it took.",
              [](const RecoveryPhase& phase) { return phase.end_ns - phase.begin_ns; }}}};
}

Fields<LostTransfer> fields_of(const LostTransfer*)
{
    return {"lost transfer",
            "A message that its sender sent and its receiver did not get.",
            {{"step", "", "Of the schedule, or of the sender if there is none, from 1.", &LostTransfer::step},
             {"message", "", "Its index in the collective.", &LostTransfer::message},
             {"source", "", "Processor that sent it.", &LostTransfer::source},
             {"destination", "", "Processor that did not get it.", &LostTransfer::destination}}};
}

Fields<RecoveryResult> fields_of(const RecoveryResult*)
{
    using Result = RecoveryResult;
    return {
        "recover",
        "A run in which something failed, brought to its end.",
        {{"model", "", "`flit` or `worm`.", &Result::model, Shown::in_files},
         {"schedule", "", "Its name, or the traffic without one.", &Result::schedule},
         {"topology", "", "The network.", &Result::topology},
         {"collective", "", "What is carried out.", &Result::collective},
         {"routing", "", "`source routes` of a schedule, or the routing function.", &Result::routing},
         {"message_bytes", "bytes", "Of one message.", &Result::message_bytes},
         {"steps", "", "Of the schedule; without one, of the engine that has most.", &Result::steps},
         {"faults", "", "What failed.", &Result::faults},
         {"fault_ns", "ns", "When it failed.", &Result::fault_ns},
         {"until_ns", "ns", "When it worked again; null: never.", &Result::until_ns},
         {"outcome", "", "`nothing lost`, `intermittent` or `located`.", &Result::outcome},
         {"located", "", "`channel 00->01`, `router 05`; with `or` between parts that no probe tells apart.",
          &Result::located},
         {"phases", "", "In their order.", &Result::phases},
         {"time_ns", "ns", "Of all phases.", &Result::time_ns},
         {"lost", "", "Messages that were lost, in the order of steps.", &Result::lost},
         {"flits_lost", "", "Those of probes included.", &Result::flits_lost},
         {"probes", "", "Sent to find what had failed.", &Result::probes},
         {"lost_processors", "", "Those of routers that have failed.", &Result::lost_processors},
         {"deliveries_owed", "", "Deliveries that were made after the fault was located.", &Result::owed},
         {"deliveries_dropped", "",
          "Deliveries to processors that are lost, or of what has no holder any more.", &Result::dropped},
         {"duplicates", "", "Deliveries that came whole more than once.", &Result::duplicates},
         {"repair_steps", "", "Of the schedule for what is owed; without one, of the longest program.",
          &Result::repair_steps},
         {"repair_routing", "", "Of what is sent again; null if nothing is.", &Result::repair_routing},
         {"search_seconds", "s", "Of the search for it, on the clock.", &Result::search_seconds,
          Shown::in_files},
         {"messages_delivered", "", "Deliveries that were made.", &Result::messages_delivered},
         {"messages_owed", "", "Deliveries of the collective but for those dropped.", &Result::messages_owed},
         {"memory_ok", "", "Is every byte of them right?", &Result::memory_ok},
         {"converted", "", converted_meaning, &Result::converted, Shown::in_files},
         {"occupancy", "", "Who held which channel when, if that was recorded.", &Result::occupancy,
          Shown::if_any}}};
}

} // namespace nocturne
