// A small comparison, made up: a schedule of seven steps and two traffics over three message sizes.
#pragma once

#include "sim/report/results.hpp"

namespace nocturne {

inline RunResult sample_run(std::string traffic, std::uint64_t message_bytes, double time_ns)
{
    RunResult run;
    run.traffic = std::move(traffic);
    run.routing = run.traffic == "schedule" ? "source routes" : "destination tag";
    run.message_bytes = message_bytes;
    run.time_ns = time_ns;
    run.messages_delivered = run.messages_owed = 56;
    run.memory_ok = true;
    run.vcs = 4;
    return run;
}

inline Comparison sample_comparison()
{
    Comparison comparison;
    comparison.schedule = "omega8_aab";
    comparison.topology = "omega:8";
    comparison.collective = "AAB";
    comparison.steps = 7;
    comparison.vcs = 4;
    comparison.message_bytes = {64, 1024, 65536};
    comparison.fit = TimingFit{1000.1, 0.5, 0.01, 1000, 0.5, 34};
    for (const std::uint64_t bytes : comparison.message_bytes) {
        ReplayResult replay;
        replay.schedule = comparison.schedule;
        replay.topology = comparison.topology;
        replay.collective = comparison.collective;
        replay.ports = "1";
        replay.mode = "barrier";
        replay.valid = true;
        replay.steps = comparison.steps;
        replay.model_time_ns = 7 * (1000 + 0.5 * static_cast<double>(bytes));
        replay.hop_overhead_ns = 7 * 34;
        replay.step_times_ns.assign(7, replay.model_time_ns / 7 + 34);
        replay.run = sample_run("schedule", bytes, replay.model_time_ns + *replay.hop_overhead_ns);
        comparison.replays.push_back(replay);
        comparison.baselines.push_back(sample_run("shifted", bytes, 1.5 * replay.run.time_ns));
        comparison.baselines.push_back(sample_run("random", bytes, 2 * replay.run.time_ns));
    }
    return comparison;
}

} // namespace nocturne
