#include "schedules/portfolio/chunk_portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/chunk_replay/chunk_replay.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/report/columns.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// A replay of one size.
struct ChunkReplay {
    std::uint64_t bytes;  ///< of the largest vector that a processor contributes
    double alpha_beta_ns; ///< t0 and links alone
    ChunkReplayResult result;
};

/// What the command line leaves open follows from the network: flits as wide as the widest link, buffers for
/// links at full rate, a second virtual channel, so that a packet need not wait for the tail of the last one.
HardwareConfig chunk_hardware(const OptionValues& given, const LinkNetwork& network)
{
    HardwareConfig hardware = hardware_of(given);
    if (!given.is_given("flit-bytes"))
        for (const NetworkLink& link : network.links())
            hardware.flit_bytes = std::max(hardware.flit_bytes, static_cast<unsigned>(link.bytes_per_cycle));
    if (!given.is_given("buffer-flits"))
        hardware.buffer_flits = 0;
    if (!given.is_given("vcs"))
        hardware.vcs = 2;
    hardware.validate();
    return hardware;
}

ChunkReplay replay_size(const LoadedSchedule& loaded, ChunkReplayOptions options, std::uint64_t bytes)
{
    const std::uint64_t weight = largest_contribution(loaded.schedule.collective);
    options.bytes_per_weight = chunk_bytes(bytes, weight);
    const AlphaBeta cost{.bytes_per_weight = static_cast<double>(options.bytes_per_weight),
                         .start_cycles = options.hardware.t0_ns / options.hardware.cycle_ns};
    ChunkReplay replay;
    replay.bytes = options.bytes_per_weight * weight;
    replay.alpha_beta_ns = time_of(loaded.schedule, loaded.network(), cost) * options.hardware.cycle_ns;
    replay.result = replay_chunks(loaded.schedule, loaded.topology, loaded.network(), options);
    return replay;
}

Table chunk_replay_table(const std::vector<ChunkReplay>& replays)
{
    return table_of("", replays,
                    {{"bytes", "", &ChunkReplay::bytes},
                     {"alpha + beta", "ns", &ChunkReplay::alpha_beta_ns, 1},
                     {"unblocked", "ns", [](const ChunkReplay& r) { return r.result.expected_ns; }, 1},
                     {"time", "ns", [](const ChunkReplay& r) { return r.result.time_ns; }, 1},
                     {"blocked", "cycles", [](const ChunkReplay& r) { return r.result.blocked_cycles; }},
                     {"results", "", [](const ChunkReplay& r) {
                          return fmt::format("{} of {} right", r.result.results_right, r.result.results_owed);
                      }}});
}

nlohmann::ordered_json chunk_replay_document(const LoadedSchedule& loaded,
                                             const std::vector<ChunkReplay>& replays)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ChunkReplay& replay : replays)
        list.push_back({{"bytes", replay.bytes},
                        {"alpha_beta_ns", replay.alpha_beta_ns},
                        {"unblocked_ns", replay.result.expected_ns},
                        {"time_ns", replay.result.time_ns},
                        {"blocked_cycles", replay.result.blocked_cycles},
                        {"flit_hops", replay.result.flit_hops},
                        {"staging_bytes", replay.result.staging_bytes},
                        {"results_right", replay.result.results_right},
                        {"results_owed", replay.result.results_owed},
                        {"stall", replay.result.stall ? nlohmann::ordered_json(replay.result.stall->reason)
                                                      : nlohmann::ordered_json(nullptr)}});
    return {{"schedule", loaded.schedule.name},
            {"topology", loaded.topology.name()},
            {"collective", to_string(loaded.schedule.collective.kind)},
            {"chunks", loaded.schedule.collective.parts},
            {"replays", std::move(list)}};
}

} // namespace

OptionTable chunk_replay_options()
{
    return option_table("Chunks", {{"element", text_value("TYPE", "int32").parsed_by(parse_chunk_element),
                                    "what schedules of chunks add: int32 or float32"}});
}

int replay_chunk_file(const OptionValues& given, const std::string& file)
{
    refuse_given(given, {"max-slack"}, takes_whole_messages);
    const LoadedSchedule loaded = chunk_schedule_of(given, file);
    if (!validate(loaded.schedule, loaded.network()).empty())
        return judge_chunks(given, file);
    ChunkReplayOptions options;
    options.hardware = chunk_hardware(given, loaded.network());
    options.element = parse_chunk_element(given.text("element"));
    options.seed = given.count("seed");
    const std::vector<std::uint64_t> sizes = parse_sizes(bytes_text(given, file, loaded.schedule.bytes));
    remark_hardware(loaded.topology, options.hardware);
    print_remarks();
    std::vector<ChunkReplay> replays;
    for (const std::uint64_t bytes : sizes)
        replays.push_back(replay_size(loaded, options, bytes));
    write_table(given, "csv", chunk_replay_table(replays));
    if (given.is_on("json")) {
        nlohmann::json document = chunk_replay_document(loaded, replays);
        document["made_by"] = to_json(origin_of(given));
        std::cout << document.dump(2) << '\n';
    } else {
        print_text(std::cout, chunk_replay_table(replays));
    }
    bool is_right = true;
    for (const ChunkReplay& replay : replays) {
        is_right = is_right && replay.result.memory_ok() && !replay.result.stall;
        if (replay.result.stall && !given.is_on("json"))
            std::cout << fmt::format("{} bytes: {}\n", replay.bytes, replay.result.stall->reason);
    }
    return is_right ? all_is_well : check_failed;
}

} // namespace nocturne::cli
