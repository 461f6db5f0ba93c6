#include "sim/cli/chunk_figures.hpp"

#include "schedules/collective/bandwidth.hpp"
#include "sim/cli/search_output.hpp"

namespace nocturne::cli {

namespace {

std::optional<std::uint64_t> rounds_of(const ChunkFigures& figures)
{
    return figures.schedule != nullptr && is_in_steps(*figures.schedule)
               ? std::optional<std::uint64_t>(count_rounds(*figures.schedule))
               : std::nullopt;
}

std::optional<double> rounds_a_chunk(const ChunkFigures& figures)
{
    const auto rounds = rounds_of(figures);
    return rounds ? std::optional(static_cast<double>(*rounds) / figures.schedule->collective.parts)
                  : std::nullopt;
}

/// Null where the clock is not known.
std::optional<double> time_ns(const ChunkFigures& figures)
{
    return figures.time_cycles && figures.setting.cycle_ns
               ? std::optional(*figures.time_cycles * *figures.setting.cycle_ns)
               : std::nullopt;
}

/// In GB/s, which are bytes a ns.
std::optional<double> algorithm_bandwidth(const ChunkFigures& figures)
{
    const auto ns = time_ns(figures);
    if (figures.schedule == nullptr || !figures.setting.bytes || !ns || !(*ns > 0))
        return std::nullopt;
    return algorithm_bytes(figures.schedule->collective, static_cast<double>(*figures.setting.bytes)) / *ns;
}

std::optional<double> bus_bandwidth(const ChunkFigures& figures)
{
    const auto bandwidth = algorithm_bandwidth(figures);
    return bandwidth ? std::optional(*bandwidth * bus_factor(figures.schedule->collective)) : std::nullopt;
}

/// Null without a time.
template <class Value>
auto of_setting(std::optional<Value> MadeFor::* member)
{
    return [member](const ChunkFigures& figures) {
        return figures.time_cycles ? figures.setting.*member : std::nullopt;
    };
}

} // namespace

std::optional<std::uint64_t> steps_of(const Schedule& schedule)
{
    return is_in_steps(schedule) ? std::optional<std::uint64_t>(count_steps(schedule)) : std::nullopt;
}

Fields<ChunkFigures> fields_of(const ChunkFigures*)
{
    return {
        "figures of chunks",
        "Figures of a schedule in chunks; null for a schedule of messages.",
        {{"rounds", "", "Rounds of the schedule; null if it has dependencies instead of steps.", rounds_of},
         {"rounds_per_chunk", "", "Rounds divided by chunks: the measure of bandwidth.", rounds_a_chunk},
         {"bytes", "bytes", bytes_meaning, of_setting(&MadeFor::bytes)},
         {"start_cycles", "cycles", start_cycles_meaning, of_setting(&MadeFor::start_cycles)},
         {"latency_holds_link", "",
          "Whether a link is busy until its transfer arrives (true) or until it has left (false).",
          [](const ChunkFigures& figures) {
              return figures.time_cycles ? std::optional(figures.setting.latency_holds_link) : std::nullopt;
          },
          Shown::in_files},
         {"cycle_ns", "ns", cycle_ns_meaning, of_setting(&MadeFor::cycle_ns), Shown::in_files},
         {"time_cycles", "cycles", "Time by the alpha-beta model.", &ChunkFigures::time_cycles},
         {"time_ns", "ns", "The same time in ns.", time_ns, Shown::in_files},
         {"algorithm_bandwidth_gb_per_s", "GB/s", algorithm_bandwidth_meaning, algorithm_bandwidth},
         {"bus_bandwidth_gb_per_s", "GB/s", bus_bandwidth_meaning, bus_bandwidth}}};
}

} // namespace nocturne::cli
