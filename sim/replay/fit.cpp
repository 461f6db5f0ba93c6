#include "sim/replay/fit.hpp"

#include <cmath>
#include <stdexcept>

namespace nocturne {

TimingFit fit_timing(std::span<const ReplayResult> replays, const HardwareConfig& config)
{
    TimingFit fit;
    fit.model_t0_ns = config.t0_ns;
    fit.model_t1_ns_per_byte = config.t1_ns_per_byte();
    const auto count = static_cast<double>(replays.size());
    const auto bytes = [](const ReplayResult& replay) {
        return static_cast<double>(replay.run.message_bytes);
    };
    const auto step_ns = [](const ReplayResult& replay) {
        return (replay.run.time_ns - replay.hop_overhead_ns.value()) / replay.steps.value();
    };
    double mean_bytes = 0;
    double mean_ns = 0;
    for (const ReplayResult& replay : replays) {
        if (replay.steps.value_or(0) == 0 || !replay.hop_overhead_ns)
            throw std::invalid_argument("fit of t0 and t1: a schedule without steps of messages");
        mean_bytes += bytes(replay) / count;
        mean_ns += step_ns(replay) / count;
        fit.hop_overhead_ns += *replay.hop_overhead_ns / *replay.steps / count;
    }
    double variance = 0;
    double covariance = 0;
    for (const ReplayResult& replay : replays) {
        variance += (bytes(replay) - mean_bytes) * (bytes(replay) - mean_bytes);
        covariance += (bytes(replay) - mean_bytes) * (step_ns(replay) - mean_ns);
    }
    if (variance == 0) // also for no replay at all
        throw std::invalid_argument("fit of t0 and t1: at least two message sizes are needed");
    fit.t1_ns_per_byte = covariance / variance;
    fit.t0_ns = mean_ns - fit.t1_ns_per_byte * mean_bytes;
    for (const ReplayResult& replay : replays) {
        const double off = step_ns(replay) - fit.t0_ns - fit.t1_ns_per_byte * bytes(replay);
        fit.residual_ns += off * off / count;
    }
    fit.residual_ns = std::sqrt(fit.residual_ns);
    return fit;
}

} // namespace nocturne
