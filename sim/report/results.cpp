#include "sim/report/results.hpp"

#include "sim/report/baselines.hpp"
#include "sim/report/report.hpp"

namespace nocturne {

Fields<ChannelUse> fields_of(const ChannelUse*)
{
    return {"channel use",
            "The use of a channel over a run.",
            {{"channel", "", "`00->01`; injection and ejection channels are `P03->03` and `03->P03`.",
              &ChannelUse::channel},
             {"flits", "", "That it carried.", &ChannelUse::flits},
             {"packets", "", "That it carried.", &ChannelUse::packets},
             {"utilisation", "", "Part of the run, start-up included, in which flits entered it, 0 to 1.",
              &ChannelUse::utilisation}}};
}

Fields<ChannelOccupancy> fields_of(const ChannelOccupancy*)
{
    return {
        "channel occupancy",
        "A message held one virtual channel of a channel.",
        {{"channel", "", "As in the use of channels.", &ChannelOccupancy::channel},
         {"message", "", "`0>4`: source and destination processor.", &ChannelOccupancy::message},
         {"step", "", "Of the schedule, from 1; 1 without one.", &ChannelOccupancy::step},
         {"begin_ns", "ns", "When its head came.", &ChannelOccupancy::begin_ns},
         {"end_ns", "ns", "When its tail left.", &ChannelOccupancy::end_ns},
         {"link", "", "Index of the channel, since parallel ones have one name.", &ChannelOccupancy::link}}};
}

Fields<WaitingFor> fields_of(const WaitingFor*)
{
    return {"circular wait",
            "One message of a circular wait.",
            {{"message", "", "Source and destination.", &WaitingFor::message},
             {"channel", "", "That the message holds.", &WaitingFor::channel},
             {"vc", "", "Virtual channel of it.", &WaitingFor::vc},
             {"waits_for", "", "The channel that the message cannot get.", &WaitingFor::waits_for}}};
}

Fields<Stall> fields_of(const Stall*)
{
    return {"stall",
            "A run made no progress.",
            {{"time_ns", "ns", "When that was found.", &Stall::time_ns},
             {"reason", "", "Why.", &Stall::reason},
             {"cycle", "", "The circular wait, in order; empty for another reason.", &Stall::cycle}}};
}

Fields<RunResult> fields_of(const RunResult*)
{
    using Run = RunResult;
    return {
        "run",
        "One simulated collective, with a schedule or without one.",
        {{"model", "", "`flit` or `worm`.", &Run::model, Shown::in_files},
         {"traffic", "", "`schedule`, or the order in which messages are sent without one.", &Run::traffic},
         {"routing", "", "`source routes`, or the routing function.", &Run::routing},
         {"selection", "", selection_meaning, &Run::selection, Shown::in_files},
         {"vcs", "", "Virtual channels of a link, where the network does not say otherwise.", &Run::vcs,
          Shown::in_files},
         {"flit_bytes", "bytes", "Of a flit.", &Run::flit_bytes, Shown::in_files},
         {"cycle_ns", "ns", "Clock cycle.", &Run::cycle_ns, Shown::in_files},
         {"t0_ns", "ns", "Start-up of a step, or of a transfer of chunks.", &Run::t0_ns, Shown::in_files},
         {"message_bytes", "bytes", "Of one message.", &Run::message_bytes},
         {"time_ns", "ns", "From the start to the last byte in the last memory.", &Run::time_ns},
         {"blocked_cycles", "cycles", blocked_meaning, &Run::blocked_cycles},
         {"credit_wait_cycles", "cycles", credit_wait_meaning, &Run::credit_wait_cycles, Shown::in_files},
         {"head_wait_cycles", "cycles", head_wait_meaning, &Run::head_wait_cycles},
         {"missing_buffer_flits", "flits",
          "What the smallest buffers lack to keep their links busy: then waits for credits need not come "
          "from contention.",
          &Run::missing_buffer_flits, Shown::in_files},
         {"flit_hops", "hops", "Flits times routers crossed.", &Run::flit_hops, Shown::in_files},
         {"messages_delivered", "", "Messages that came.", &Run::messages_delivered, Shown::in_files},
         {"messages_owed", "", "Messages that were to come.", &Run::messages_owed, Shown::in_files},
         {"average_message_latency_cycles", "cycles",
          "From the source queue to the last flit, of the messages that came.",
          &Run::average_message_latency_cycles, Shown::in_files},
         {"memory_ok", "", "Does the memory of every receiver hold what it is owed, byte for byte?",
          &Run::memory_ok, Shown::in_files},
         {"outcome", "",
          "`ok`, or what went wrong: `deadlock` (with a circular wait), `stalled`, `incomplete` (messages "
          "are missing), `wrong memory`, or `not run`.",
          outcome},
         {"stall", "", "Why it made no progress; null if it did.", &Run::stall, Shown::in_files},
         {"channels", "", "The use of all channels.", &Run::channels, Shown::if_any},
         {"occupancy", "", "Who held which channel when, if that was recorded.", &Run::occupancy,
          Shown::if_any}}};
}

Fields<ReplayResult> fields_of(const ReplayResult*)
{
    using Replay = ReplayResult;
    return Fields<Replay>{
        "replay of a size",
        "A schedule on the hardware with one size, beside what the models say.",
        {{"schedule", "", "Its name.", &Replay::schedule},
         {"topology", "", "The network.", &Replay::topology},
         {"collective", "", "What the schedule carries out.", &Replay::collective},
         {"chunks", "", "That each block is cut into; null of messages.", &Replay::chunks},
         {"ports", "",
          "Messages that a processor sends, and receives, in a step; of chunks that it sends at once: `all`, "
          "as many as its router has channels, or more.",
          &Replay::ports},
         {"mode", "",
          "`barrier` or `self-timed`; `dependencies` of chunks that are sent when those before them have "
          "come.",
          &Replay::mode},
         {"valid", "", "Does the schedule keep all rules? Otherwise it is not run.", &Replay::valid},
         {"violations", "", "Of rules, a line each.", &Replay::violations},
         {"steps", "", "Of the schedule; null under dependencies.", &Replay::steps},
         {"bytes", "bytes", "Of chunks: of the largest vector that a processor contributes.", &Replay::bytes},
         {"model_time_ns", "ns",
          "(t0 + m t1) * steps; of chunks alpha + beta time, with t0 as the start-up of each transfer.",
          &Replay::model_time_ns},
         {"unblocked_ns", "ns", "Of chunks: what the hardware takes where no flit is blocked.",
          &Replay::unblocked_ns},
         {"hop_overhead_ns", "ns",
          "Of messages, what the model neglects: pipeline and link delays of the longest path of each step, "
          "summed.",
          &Replay::hop_overhead_ns},
         {"algorithm_bandwidth_gb_per_s", "GB/s",
          "Of chunks: size of the collective over the time, as nccl-tests define it.",
          &Replay::algorithm_bandwidth},
         {"bus_bandwidth_gb_per_s", "GB/s",
          "Of chunks: algorithm bandwidth times the factor of the collective in nccl-tests.",
          &Replay::bus_bandwidth},
         {"staging_bytes", "bytes",
          "Of chunks: memory of a processor, at most, for what waits until a step ends.",
          &Replay::staging_bytes, Shown::in_files},
         {"step_times_ns", "ns", "By step; self-timed from the first start to the last end of a step.",
          &Replay::step_times_ns}}}
        .with(&Replay::run);
}

Fields<TimingFit> fields_of(const TimingFit*)
{
    return {"timing fit",
            "Least squares of time of a step = t0 + hop overhead + m t1 over several message sizes.",
            {{"t0_ns", "ns", "Fitted intercept less the mean hop overhead of a step.", &TimingFit::t0_ns},
             {"model_t0_ns", "ns", "What the hardware was configured with.", &TimingFit::model_t0_ns},
             {"t1_ns_per_byte", "ns/byte", "Fitted slope.", &TimingFit::t1_ns_per_byte},
             {"model_t1_ns_per_byte", "ns/byte", "What the hardware was configured with.",
              &TimingFit::model_t1_ns_per_byte},
             {"hop_overhead_ns", "ns", "Mean over the steps.", &TimingFit::hop_overhead_ns},
             {"residual_ns", "ns", "Root mean square, of a step.", &TimingFit::residual_ns}}};
}

namespace {

std::vector<ComparedRun> compared_runs(const Comparison& comparison)
{
    std::vector<ComparedRun> all;
    const auto add = [&](const RunResult& run, const ReplayResult& replay, bool is_strongest) {
        ComparedRun compared{.run = run, .strongest = is_strongest};
        if (outcome(run) == "ok" && outcome(replay.run) == "ok" && replay.run.time_ns > 0)
            compared.time_over_schedule = run.time_ns / replay.run.time_ns;
        all.push_back(std::move(compared));
    };
    for (const ReplayResult& replay : comparison.replays) {
        const RunResult* strongest = strongest_baseline(comparison, replay.run.message_bytes);
        add(replay.run, replay, false);
        all.back().model_time_ns = replay.model_time_ns;
        all.back().hop_overhead_ns = replay.hop_overhead_ns;
        all.back().step_times_ns = replay.step_times_ns;
        for (const RunResult& run : comparison.baselines)
            if (run.message_bytes == replay.run.message_bytes)
                add(run, replay, &run == strongest);
    }
    return all;
}

} // namespace

Fields<ComparedRun> fields_of(const ComparedRun*)
{
    return Fields<ComparedRun>{"compared run", "A run of a comparison.", {}}
        .with(&ComparedRun::run)
        .with({{"time_over_schedule", "", "Its time over that of the schedule; null unless both ended well.",
                &ComparedRun::time_over_schedule},
               {"strongest", "", "Is it the fastest without a schedule, of its message size?",
                &ComparedRun::strongest},
               {"model_time_ns", "ns",
                "Of the schedule: (t0 + m t1) * steps, or alpha + beta time of chunks; null for others.",
                &ComparedRun::model_time_ns, Shown::in_files},
               {"hop_overhead_ns", "ns",
                "Of a schedule of messages with barriers: what the model neglects; null for others.",
                &ComparedRun::hop_overhead_ns, Shown::in_files},
               {"step_times_ns", "ns", "Of the schedule with barriers, by step.", &ComparedRun::step_times_ns,
                Shown::if_any}});
}

Fields<Comparison> fields_of(const Comparison*)
{
    return {"compare",
            "A schedule, of messages also self-timed, against the same messages without one, on the same "
            "hardware.",
            {{"schedule", "", "Its name.", &Comparison::schedule},
             {"topology", "", "The network.", &Comparison::topology},
             {"collective", "", "What the schedule carries out.", &Comparison::collective},
             {"steps", "", "Of the schedule; null under dependencies.", &Comparison::steps},
             {"message_bytes", "bytes", "The sizes, ascending.", &Comparison::message_bytes},
             {"chunks", "", "That each block is cut into; null of messages.", &Comparison::chunks,
              Shown::in_files},
             {"fit", "", "Of a schedule of messages with barriers; null of chunks.", &Comparison::fit,
              Shown::in_files},
             {"runs", "", "By message size; of each the schedule first.", compared_runs, Shown::as_rows}}};
}

} // namespace nocturne
