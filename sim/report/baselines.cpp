#include "sim/report/baselines.hpp"

#include "sim/report/report.hpp"

#include <algorithm>

namespace nocturne {

std::vector<BaselineSeries> baseline_series(const Comparison& comparison)
{
    const auto& runs = comparison.baselines;
    const auto& sizes = comparison.message_bytes;
    const auto has_one_routing = [&](const std::string& traffic) {
        const RunResult* first = nullptr;
        return std::all_of(runs.begin(), runs.end(), [&](const RunResult& run) {
            if (run.traffic != traffic)
                return true;
            first = first == nullptr ? &run : first;
            return run.routing == first->routing;
        });
    };
    std::vector<BaselineSeries> all;
    for (const RunResult& run : runs) {
        const std::string label =
            has_one_routing(run.traffic) ? run.traffic : run.traffic + ", " + run.routing;
        auto series =
            std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.label == label; });
        if (series == all.end())
            series = all.insert(all.end(), {label, std::vector<const RunResult*>(sizes.size(), nullptr)});
        const auto size = std::find(sizes.begin(), sizes.end(), run.message_bytes);
        if (size != sizes.end())
            series->runs[static_cast<std::size_t>(size - sizes.begin())] = &run;
    }
    return all;
}

const RunResult* strongest_baseline(const Comparison& comparison, std::uint64_t message_bytes)
{
    const RunResult* strongest = nullptr;
    for (const RunResult& run : comparison.baselines)
        if (run.traffic != self_timed_schedule && run.message_bytes == message_bytes &&
            outcome(run) == "ok" && (strongest == nullptr || run.time_ns < strongest->time_ns))
            strongest = &run;
    return strongest;
}

} // namespace nocturne
