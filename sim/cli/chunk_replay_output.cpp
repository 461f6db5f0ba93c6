#include "schedules/collective/bandwidth.hpp"
#include "schedules/problem/chunk_problem.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/chunk_replay/chunk_replay.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/simulation/model_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

/// A replay of one size.
struct ChunkReplay {
    const Collective& collective;
    std::uint64_t bytes;  ///< of the largest vector that a processor contributes
    double alpha_beta_ns; ///< t0 and links alone
    double cycle_ns;
    unsigned vcs; ///< of each link, where the network does not say otherwise
    PortModel ports;
    unsigned flit_bytes;
    ChunkReplayResult result;

    /// GB/s, which are bytes a ns.
    std::optional<double> bandwidth() const
    {
        return result.time_ns > 0 && !result.stall
                   ? std::optional(algorithm_bytes(collective, static_cast<double>(bytes)) / result.time_ns)
                   : std::nullopt;
    }
};

Fields<ChunkReplay> fields_of(const ChunkReplay*)
{
    using Replay = ChunkReplay;
    const auto of_result = [](auto ChunkReplayResult::*member) {
        return [member](const Replay& replay) { return replay.result.*member; };
    };
    const auto bus_bandwidth = [](const Replay& replay) -> std::optional<double> {
        if (const auto bandwidth = replay.bandwidth())
            return *bandwidth * bus_factor(replay.collective);
        return std::nullopt;
    };
    return {
        "replay of chunks of a size",
        "A schedule of chunks on the hardware, for one size.",
        {{"bytes", "bytes", bytes_meaning, &Replay::bytes},
         {"alpha_beta_ns", "ns", "That it takes by alpha + beta, as it was searched for.",
          &Replay::alpha_beta_ns},
         {"unblocked_ns", "ns", "That the hardware takes where no flit is blocked.",
          of_result(&ChunkReplayResult::expected_ns)},
         {"time_ns", "ns", "Until the last transfer ended.", of_result(&ChunkReplayResult::time_ns)},
         {"time_cycles", "cycles", "The same.",
          [](const Replay& replay) { return replay.result.time_ns / replay.cycle_ns; }, Shown::in_files},
         {"algorithm_bandwidth_gb_per_s", "GB/s", algorithm_bandwidth_meaning, &Replay::bandwidth},
         {"bus_bandwidth_gb_per_s", "GB/s", bus_bandwidth_meaning, bus_bandwidth},
         {"blocked_cycles", "cycles", blocked_meaning, of_result(&ChunkReplayResult::blocked_cycles)},
         {"vcs", "",
          "Virtual channels of a link that the network leaves open: given, or as many as it takes.",
          &Replay::vcs, Shown::in_files},
         {"flit_bytes", "bytes",
          "Of a flit: given, or the least from the widest link on that links carry in whole cycles.",
          &Replay::flit_bytes, Shown::in_files},
         {"ports", "",
          "Messages that a processor sends at once: `all`, as many as its router has channels, or more.",
          [](const Replay& replay) { return to_string(replay.ports); }, Shown::in_files},
         {"flit_hops", "hops", "Flits times routers crossed.", of_result(&ChunkReplayResult::flit_hops),
          Shown::in_files},
         {"staging_bytes", "bytes", "Memory of a processor, at most, for what waits until a step ends.",
          of_result(&ChunkReplayResult::staging_bytes), Shown::in_files},
         {"results_right", "", "Chunks that receivers have, byte for byte.",
          of_result(&ChunkReplayResult::results_right)},
         {"results_owed", "", "Chunks that receivers are owed.", of_result(&ChunkReplayResult::results_owed)},
         {"stall", "", "Why it made no progress; null if it did.", of_result(&ChunkReplayResult::stall),
          Shown::in_files}}};
}

/// What is printed of the replays.
struct ChunkReplayOutput {
    std::string model;
    const LoadedSchedule& loaded;
    const std::vector<ChunkReplay>& replays;
};

Fields<ChunkReplayOutput> fields_of(const ChunkReplayOutput*)
{
    using Output = ChunkReplayOutput;
    return {
        "replay chunks",
        "A schedule of chunks on hardware whose DMA engines add.",
        {{"model", "", "`flit` or `worm`.", &Output::model, Shown::in_files},
         {"schedule", "", "Its name.", [](const Output& output) { return output.loaded.schedule.name; }},
         {"topology", "", "The network.", [](const Output& output) { return output.loaded.topology.name(); }},
         {"collective", "", "What it carries out.",
          [](const Output& output) {
              return std::string(to_string(output.loaded.schedule.collective.kind));
          }},
         {"chunks", "", "That each block is cut into.",
          [](const Output& output) { return output.loaded.schedule.collective.parts; }},
         {"replays", "", "One for each size.", [](const Output& output) { return output.replays; },
          Shown::as_rows}}};
}

/// What the command line leaves open follows from the network: flits that links carry in whole cycles,
/// buffers for links at full rate, as many virtual channels as are wanted at least (hardware_wanted()).
HardwareConfig chunk_hardware(const OptionValues& given, const LinkNetwork& network)
{
    HardwareConfig hardware = hardware_of(given);
    if (!given.is_given("flit-bytes"))
        hardware.flit_bytes = flit_bytes_wanted(network, hardware.flit_bytes);
    if (!given.is_given("buffer-flits"))
        hardware.buffer_flits = 0;
    if (!given.is_given("vcs"))
        hardware.vcs = 2;
    hardware.validate();
    return hardware;
}

/// Where the command line leaves virtual channels open, as many as it takes.
ChunkReplay replay_size(const OptionValues& given, const LoadedSchedule& loaded, ChunkReplayOptions options,
                        std::uint64_t bytes)
{
    const std::uint64_t weight = largest_contribution(loaded.schedule.collective);
    options.bytes_per_weight = chunk_bytes(bytes, weight);
    const WantedHardware wanted =
        hardware_wanted(loaded.schedule, loaded.topology, loaded.network(), options);
    options.ports = wanted.ports;
    if (!given.is_given("vcs"))
        options.hardware.vcs = wanted.vcs;
    const AlphaBeta cost{.bytes_per_weight = static_cast<double>(options.bytes_per_weight),
                         .start_cycles = options.hardware.t0_ns / options.hardware.cycle_ns};
    const double cycle_ns = options.hardware.cycle_ns;
    return {loaded.schedule.collective,
            options.bytes_per_weight * weight,
            time_of(loaded.schedule, loaded.network(), cost) * cycle_ns,
            cycle_ns,
            options.hardware.vcs,
            options.ports,
            options.hardware.flit_bytes,
            replay_chunks(loaded.schedule, loaded.topology, loaded.network(), options)};
}

} // namespace

const ResultDescription& chunk_replay_result()
{
    return description_of<ChunkReplayOutput>();
}

OptionTable chunk_replay_options()
{
    return option_table("Chunks", {{"element", text_value("TYPE", "int32").parsed_by(parse_chunk_element),
                                    "what schedules of chunks add: int32 or float32"}});
}

int replay_chunk_file(const OptionValues& given, const std::string& file)
{
    refuse_given(given, {"max-slack"}, takes_whole_messages);
    LoadedSchedule loaded = chunk_schedule_of(given, file);
    loaded.topology = with_parts_of(given, std::move(loaded.topology));
    if (!validate(loaded.schedule, loaded.network()).empty())
        return judge(judged_chunks(given, file), given);
    ChunkReplayOptions options;
    options.hardware = chunk_hardware(given, loaded.network());
    options.model = parse_model(given.text("model"));
    options.element = parse_chunk_element(given.text("element"));
    options.seed = given.count("seed");
    const std::vector<std::uint64_t> sizes = parse_sizes(bytes_text(given, file, loaded.schedule.bytes));
    refuse_idle_hardware(given, options.model, {loaded.topology});
    refuse_idle_priority(given, "a schedule in steps, with --background");
    require_parts(options.model, loaded.topology, options.hardware);
    remark_hardware(loaded.topology, options.hardware);
    print_remarks();
    std::vector<ChunkReplay> replays;
    for (const std::uint64_t bytes : sizes)
        replays.push_back(replay_size(given, loaded, options, bytes));
    const ChunkReplayOutput output{to_string(options.model), loaded, replays};
    const Table table = table_of("Replay", std::vector{output});
    write_table(given, "csv", table);
    print_result(output, given, [&] {
        print_text(std::cout, fold_constant_columns(table));
        for (const ChunkReplay& replay : replays)
            if (replay.result.stall)
                std::cout << fmt::format("{} bytes: {}\n", replay.bytes, replay.result.stall->reason);
    });
    const bool is_right = std::ranges::all_of(
        replays, [](const ChunkReplay& replay) { return replay.result.memory_ok() && !replay.result.stall; });
    return is_right ? all_is_well : check_failed;
}

} // namespace nocturne::cli
