#include "sim/report/results.hpp"

#include "sim/report/baselines.hpp"
#include "sim/report/report.hpp"

namespace nocturne {

Fields<ChannelUse> fields_of(const ChannelUse*)
{
    return {"channel use",
            "Use of a channel over a run.",
            {{"channel", "", "`00->01`; injection and ejection channels are `P03->03` and `03->P03`.",
              &ChannelUse::channel},
             {"flits", "", "Flits carried.", &ChannelUse::flits},
             {"packets", "", "Packets carried.", &ChannelUse::packets},
             {"utilisation", "",
              "Share of the run, including start-up, in which flits entered the channel, 0 to 1.",
              &ChannelUse::utilisation}}};
}

Fields<ChannelOccupancy> fields_of(const ChannelOccupancy*)
{
    return {"channel occupancy",
            "A virtual channel held by a message.",
            {{"channel", "", "Name of the channel, as in the use of channels.", &ChannelOccupancy::channel},
             {"message", "", "`0>4`: source and destination processor.", &ChannelOccupancy::message},
             {"step", "", "Step of the schedule, from 1; 1 without a schedule.", &ChannelOccupancy::step},
             {"begin_ns", "ns", "Arrival of the head.", &ChannelOccupancy::begin_ns},
             {"end_ns", "ns", "Departure of the tail.", &ChannelOccupancy::end_ns},
             {"link", "", "Index of the channel, which tells parallel channels apart.",
              &ChannelOccupancy::link}}};
}

Fields<WaitingFor> fields_of(const WaitingFor*)
{
    return {"circular wait",
            "One message of a circular wait.",
            {{"message", "", "Source and destination.", &WaitingFor::message},
             {"channel", "", "Channel that the message holds.", &WaitingFor::channel},
             {"vc", "", "Virtual channel that the message holds.", &WaitingFor::vc},
             {"waits_for", "", "Channel that the message waits for.", &WaitingFor::waits_for}}};
}

Fields<Stall> fields_of(const Stall*)
{
    return {"stall",
            "A run without progress.",
            {{"time_ns", "ns", "Time at which it was found.", &Stall::time_ns},
             {"reason", "", "The reason.", &Stall::reason},
             {"cycle", "", "The circular wait, in order; empty for another reason.", &Stall::cycle}}};
}

Fields<RunResult> fields_of(const RunResult*)
{
    using Run = RunResult;
    return {"run",
            "One simulated collective, with a schedule or without one.",
            {{"model", "", "`flit` or `worm`.", &Run::model, Shown::in_files},
             {"traffic", "", "`schedule`, or the order of the messages without a schedule.", &Run::traffic},
             {"routing", "", "`source routes`, or the routing function.", &Run::routing},
             {"selection", "", selection_meaning, &Run::selection, Shown::in_files},
             {"vcs", "", "Virtual channels per link, unless the network's file says otherwise.", &Run::vcs,
              Shown::in_files},
             {"flit_bytes", "bytes", "Payload of a flit.", &Run::flit_bytes, Shown::in_files},
             {"cycle_ns", "ns", "Clock cycle.", &Run::cycle_ns, Shown::in_files},
             {"t0_ns", "ns", "Start-up time of a step, or of a transfer of chunks.", &Run::t0_ns,
              Shown::in_files},
             {"message_bytes", "bytes", "Size of one message.", &Run::message_bytes},
             {"time_ns", "ns", "Simulated time from the start to the last byte in the last memory.",
              &Run::time_ns},
             {"blocked_cycles", "cycles", blocked_meaning, &Run::blocked_cycles},
             {"credit_wait_cycles", "cycles", credit_wait_meaning, &Run::credit_wait_cycles, Shown::in_files},
             {"head_wait_cycles", "cycles", head_wait_meaning, &Run::head_wait_cycles},
             {"missing_buffer_flits", "flits",
              "Buffer depth missing for full link rate; if positive, credit waits need not mean contention.",
              &Run::missing_buffer_flits, Shown::in_files},
             {"flit_hops", "hops", "Flits times routers crossed.", &Run::flit_hops, Shown::in_files},
             {"messages_delivered", "", "Messages that arrived.", &Run::messages_delivered, Shown::in_files},
             {"messages_owed", "", "Messages that should arrive.", &Run::messages_owed, Shown::in_files},
             {"average_message_latency_cycles", "cycles",
              "Mean time from the source queue to the last flit, over the messages that arrived.",
              &Run::average_message_latency_cycles, Shown::in_files},
             {"memory_ok", "", "Whether every receiver's memory is correct, byte for byte.", &Run::memory_ok,
              Shown::in_files},
             {"outcome", "",
              "`ok`, `deadlock` (with the circular wait), `stalled`, `incomplete` (messages are missing), "
              "`wrong memory` or `not run`.",
              outcome},
             {"stall", "", "Why the run stopped making progress; null if it ended.", &Run::stall,
              Shown::in_files},
             {"channels", "", "Use of each channel.", &Run::channels, Shown::if_any},
             {"occupancy", "", "Channels held by messages over time, if recorded.", &Run::occupancy,
              Shown::if_any}}};
}

Fields<ReplayResult> fields_of(const ReplayResult*)
{
    using Replay = ReplayResult;
    return Fields<Replay>{
        "replay of a size",
        "One replay of a schedule, with the model's time.",
        {{"schedule", "", "Name of the schedule.", &Replay::schedule},
         {"topology", "", "The network.", &Replay::topology},
         {"collective", "", "The collective communication of the schedule.", &Replay::collective},
         {"chunks", "", "Chunks per block; null for a schedule of messages.", &Replay::chunks},
         {"ports", "",
          "Messages that a processor sends, and receives, in a step; for chunks the transfers that it sends "
          "at once: `all` (as many as its router has channels) or more.",
          &Replay::ports},
         {"mode", "",
          "`barrier`, `self-timed`, or for chunks `dependencies`: a chunk is sent when the chunks that it "
          "waits for have arrived.",
          &Replay::mode},
         {"valid", "", "Whether the schedule obeys all rules; otherwise it is not run.", &Replay::valid},
         {"violations", "", "Violated rules, one line each.", &Replay::violations},
         {"steps", "", "Steps of the schedule; null if it has dependencies instead of steps.",
          &Replay::steps},
         {"bytes", "bytes", "For chunks: size of the largest vector that a processor contributes.",
          &Replay::bytes},
         {"model_time_ns", "ns",
          "(t0 + m t1) * steps; for chunks the time by the alpha-beta model, with t0 as start-up of each "
          "transfer.",
          &Replay::model_time_ns},
         {"unblocked_ns", "ns", "For chunks: simulated time if no flit were blocked.", &Replay::unblocked_ns},
         {"hop_overhead_ns", "ns",
          "For messages: pipeline and link delays of the longest path of each step, summed; the model "
          "neglects them.",
          &Replay::hop_overhead_ns},
         {"algorithm_bandwidth_gb_per_s", "GB/s",
          "For chunks: size of the collective over the time (nccl-tests).", &Replay::algorithm_bandwidth},
         {"bus_bandwidth_gb_per_s", "GB/s",
          "For chunks: algorithm bandwidth times the collective's factor in nccl-tests.",
          &Replay::bus_bandwidth},
         {"staging_bytes", "bytes",
          "For chunks: largest staging buffer of a processor, for data that is written at the end of a step.",
          &Replay::staging_bytes, Shown::in_files},
         {"step_times_ns", "ns",
          "Time of each step; self-timed, from the first start to the last end of the step.",
          &Replay::step_times_ns}}}
        .with(&Replay::run);
}

Fields<TimingFit> fields_of(const TimingFit*)
{
    return {
        "timing fit",
        "Least squares of time of a step = t0 + hop overhead + m t1 over several message sizes.",
        {{"t0_ns", "ns", "Fitted intercept minus the mean hop overhead of a step.", &TimingFit::t0_ns},
         {"model_t0_ns", "ns", "Configured start-up time.", &TimingFit::model_t0_ns},
         {"t1_ns_per_byte", "ns/byte", "Fitted slope.", &TimingFit::t1_ns_per_byte},
         {"model_t1_ns_per_byte", "ns/byte", "Configured time per byte.", &TimingFit::model_t1_ns_per_byte},
         {"hop_overhead_ns", "ns", "Mean hop overhead of a step.", &TimingFit::hop_overhead_ns},
         {"residual_ns", "ns", "Root mean square residual of a step.", &TimingFit::residual_ns}}};
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
    return Fields<ComparedRun>{"compared run", "One run of a comparison.", {}}
        .with(&ComparedRun::run)
        .with({{"time_over_schedule", "",
                "Time divided by the schedule's time; null unless both runs succeeded.",
                &ComparedRun::time_over_schedule},
               {"strongest", "", "Whether it is the fastest run without a schedule at its message size.",
                &ComparedRun::strongest},
               {"model_time_ns", "ns",
                "For the schedule: (t0 + m t1) * steps, or for chunks the time by the alpha-beta model; null "
                "for other runs.",
                &ComparedRun::model_time_ns, Shown::in_files},
               {"hop_overhead_ns", "ns",
                "For a schedule with barriers: router and link delays that the model neglects; null for "
                "other runs.",
                &ComparedRun::hop_overhead_ns, Shown::in_files},
               {"step_times_ns", "ns", "Time of each step of the schedule with barriers.",
                &ComparedRun::step_times_ns, Shown::if_any}});
}

Fields<Comparison> fields_of(const Comparison*)
{
    return {"compare",
            "A schedule against the same messages without a schedule, on the same hardware.",
            {{"schedule", "", "Name of the schedule.", &Comparison::schedule},
             {"topology", "", "The network.", &Comparison::topology},
             {"collective", "", "The collective communication of the schedule.", &Comparison::collective},
             {"steps", "", "Steps of the schedule; null if it has dependencies instead of steps.",
              &Comparison::steps},
             {"message_bytes", "bytes", "Message sizes, ascending.", &Comparison::message_bytes},
             {"chunks", "", "Chunks per block; null for a schedule of messages.", &Comparison::chunks,
              Shown::in_files},
             {"fit", "", "Fit of t0 and t1 for the schedule with barriers; null for chunks.",
              &Comparison::fit, Shown::in_files},
             {"runs", "", "Runs by message size, the schedule first.", compared_runs, Shown::as_rows}}};
}

} // namespace nocturne
