#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/background_options.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/energy_output.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/schedule_runs.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/execution/compile_dma_programs.hpp"
#include "sim/page/recording.hpp"
#include "sim/replay/fit.hpp"
#include "sim/report/pictures.hpp"
#include "sim/report/report.hpp"
#include "sim/report/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iostream>
#include <utility>

namespace nocturne::cli {

namespace {

const char* const replay_description =
    "Compiles a schedule into DMA programs and runs them on simulated hardware. Reports validity, time, the "
    "difference\nto (t0 + m t1) * steps, blocked cycles and the check of all memories. Several message sizes "
    "give a fit of t0 and t1.\n";

OptionTable replay_options()
{
    return option_table(
        "Replay",
        {{"bytes", text_value("SIZES", "1024").parsed_by(parse_sizes),
          "message sizes: 1024, a list 64,1024, or a range 64:65536:x4; for chunks the size of the largest "
          "vector that a processor contributes; default: that for which the schedule was made"},
         {"mode", text_value("MODE", "barrier").parsed_by(parse_synchronization),
          "barrier: all processors start the next step together; self-timed: each when its own step is done"},
         {"step-times", switch_value(), "print the time of each step"},
         {"channel-use", switch_value(), "print the use of each channel"},
         {"csv", written_value("FILE"), "write the table as CSV"},
         {"svg", svg_value("FILE"), "draw channel occupancy over time as SVG (largest message)"},
         {"timeline", written_value("FILE"),
          "write steps, messages and links over time, for Perfetto or Chrome (largest message)"},
         {"record", written_value("FILE"),
          "write the JSON result with every message on every channel, for 'nocturne report' (largest "
          "message)"},
         {"vcd", written_value("FILE"), "write a wave trace of the links (largest message)"},
         {"hex", written_value("DIR", Written::folder),
          "write each processor's memory image for $readmemh (largest message)"}});
}

/// The engines whose memory images are asked for, which hold every byte whatever the replay holds. Throws
/// std::invalid_argument for messages that are too large for that.
std::vector<CompiledEngine> engines_of_images(const InputSchedule& input, const ReplaySeries& series)
{
    auto engines = compile_dma_programs(workload_of(input.schedule, input.topology, series.synchronization),
                                        input.schedule.collective, series.message_bytes.back());
    constexpr std::uint64_t copies = 5; // of one image: bytes, words, and nine digits a word
    for (const CompiledEngine& engine : engines)
        require_memory(copies * engine.memory_bytes, half_of_this_machine());
    return engines;
}

/// The memory images that the largest messages start with, one file a processor.
void write_images(const std::filesystem::path& folder, const InputSchedule& input, const ReplaySeries& series)
{
    const std::vector<CompiledEngine> engines = engines_of_images(input, series);
    write_folder(folder, [&](const FolderSink& write) {
        for (ProcessorId id = 0; id < engines.size(); ++id) {
            std::vector<std::uint8_t> memory =
                initial_memory(engines[id], id, input.schedule.collective, series.message_bytes.back(),
                               series.simulation.seed);
            memory.resize((memory.size() + 3) / 4 * 4);
            std::vector<std::uint32_t> words(memory.size() / 4);
            std::memcpy(words.data(), memory.data(), memory.size());
            write(fmt::format("memory_{}.hex", id), to_hex(words));
        }
    });
}

void require_regular_trace(const OptionValues& given)
{
    if (given.has("vcd") && is_special(given.text("vcd")))
        throw std::runtime_error(fmt::format("{}: a trace takes a regular file", given.text("vcd")));
}

/// A file that is gone at the end, whatever happens, unless it has been renamed.
struct TemporaryFile {
    std::filesystem::path path;

    explicit TemporaryFile(std::filesystem::path name) : path(std::move(name)) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile()
    {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
};

/// What is printed of a series of replays.
struct ReplayOutput {
    std::vector<ReplayResult> replays;
    std::optional<TimingFit> fit;
    std::optional<EnergyResult> energy;
    std::string converted;
    std::vector<std::string> unrouted;
};

Fields<ReplayOutput> fields_of(const ReplayOutput*)
{
    return {"replay",
            "A schedule on the simulated hardware.",
            {{"replays", "", "One row per message size.", &ReplayOutput::replays, Shown::as_rows},
             {"fit", "", "Fit of t0 and t1 over several message sizes; null for chunks, and if a run failed.",
              &ReplayOutput::fit, Shown::in_files},
             {"energy", "", "Energy of the run with the largest messages, if asked for.",
              [](const ReplayOutput& output) { return output.energy; }, Shown::in_files},
             {"converted", "",
              "How a schedule in chunks was converted to steps for --mode or --hex, and the cost; null if it "
              "was not.",
              &ReplayOutput::converted, Shown::in_files},
             {"unrouted", "", unrouted_meaning, &ReplayOutput::unrouted}}};
}

/// The result with a run of it, message by message.
std::string recorded_document(const OptionValues& given, const InputSchedule& input,
                              const HardwareConfig& hardware, const ReplayOutput& output, RunResult run)
{
    const std::array runs{
        RecordedRun{fmt::format("{} ({} bytes)", input.schedule.name, run.message_bytes), std::move(run)}};
    nlohmann::ordered_json document = document_of(output, given);
    document["recording"] = recording_json(input.topology, hardware, input.schedule.ports, runs);
    return json_text(document) + "\n";
}

/// The largest message again, with everything recorded that was asked for.
void write_recordings(const OptionValues& given, const InputSchedule& input, ReplaySeries series,
                      const ReplayOutput& output)
{
    series.message_bytes = {series.message_bytes.back()};
    series.simulation.record_occupancy = given.has("svg") || given.has("timeline") || given.has("record");
    std::filesystem::path vcd;
    std::optional<TemporaryFile> trace;
    if (given.has("vcd")) {
        vcd = std::filesystem::weakly_canonical(given.text("vcd")); // a symbolic link stays one
        series.simulation.vcd = trace.emplace(vcd.string() + ".part.vcd").path;
    }
    const ReplayResult result = replay_with_progress(input, series, "replay").front();
    if (given.has("svg"))
        write_file_atomically(given.text("svg"),
                              occupancy_picture(result.run, fmt::format("{} ({} bytes)", input.schedule.name,
                                                                        series.message_bytes.back())));
    if (given.has("timeline"))
        write_file_atomically(given.text("timeline"), timeline_json(timeline_of(result.run)));
    if (given.has("record"))
        write_file_atomically(
            given.text("record"),
            recorded_document(given, input, series.simulation.hardware, output, result.run));
    if (trace)
        std::filesystem::rename(trace->path, vcd);
}

EnergyRun energy_run(const InputSchedule& input, const ReplaySeries& series, const RunResult& run)
{
    EnergyRun energy{input.topology,
                     input.schedule.ports,
                     series.simulation.hardware,
                     {},
                     fmt::format("{} ({} bytes): energy without clock and leakage", input.schedule.name,
                                 run.message_bytes)};
    for (const ChannelUse& use : run.channels)
        energy.activity.links.push_back({use.flits, use.packets});
    energy.activity.cycles =
        static_cast<std::uint64_t>(std::llround(run.time_ns / series.simulation.hardware.cycle_ns));
    return energy;
}

void print_text(const OptionValues& given, const ReplayOutput& output, const Table& table)
{
    const std::vector<ReplayResult>& replays = output.replays;
    print_text(std::cout, fold_constant_columns(table));
    if (given.is_on("step-times"))
        print_below(step_table(replays.back()));
    if (given.is_on("channel-use"))
        print_below(table_of("Use of the channels", replays.back().run.channels));
    if (output.fit)
        print_below(table_of("Least-squares fit: time of a step = t0 + hop overhead + m t1",
                             std::vector{*output.fit}));
    for (const ReplayResult& replay : replays)
        if (const std::string text = describe_blocking(replay.run); !text.empty())
            std::cout << text << '\n';
    for (const ReplayResult& replay : replays) {
        if (replay.run.stall) {
            std::cout << fmt::format("\n{} bytes\n", replay.run.message_bytes);
            print_text(std::cout, stall_table(*replay.run.stall));
        }
    }
    if (output.energy)
        print_below(table_of("Energy", std::vector{*output.energy}));
}

/// Programs of DMA engines are in steps, and so are modes.
bool asks_for_steps(const OptionValues& given)
{
    return given.is_given("mode") || given.has("hex");
}

/// What is asked for of each size.
ReplaySeries series_of(const OptionValues& given, const InputSchedule& input)
{
    std::string sizes = given.text("bytes");
    if (is_between_memories(input.schedule) || input.converted)
        sizes = bytes_text(given, given.text("schedule"), made_for_of(input).bytes);
    ReplaySeries series{runs_of(given, input, sizes, {"vcd"}), parse_synchronization(given.text("mode"))};
    set_hardware(given, input, 1, series.simulation);
    return series;
}

/// Of a schedule of chunks that was converted, for the largest size.
std::string cost_of_steps(const OptionValues& given, const std::vector<ReplayResult>& converted)
{
    const InputSchedule input = schedule_with_parts(given);
    ReplaySeries series = series_of(given, input);
    series.message_bytes = {series.message_bytes.back()};
    series.synchronization = Synchronization::barrier; // it has no mode but its own
    const ReplayResult as_it_stands = replay_with_progress(input, series, "replay").front();
    return fmt::format("{:.1f} ns, unconverted {:.1f} ns", converted.back().run.time_ns,
                       as_it_stands.run.time_ns);
}

int run_replay(const OptionValues& given)
{
    for (const char* const table : {"step-times", "channel-use"})
        given.is_on(table); // JSON has both, asked for or not
    const bool is_converted =
        asks_for_steps(given) && kind_of_file(given.text("schedule")) != FileKind::schedule;
    const InputSchedule input = schedule_with_parts(given, is_converted);
    if (!is_in_steps(input.schedule))
        refuse_given(given, {"step-times"}, "only for a schedule in steps");
    if (is_invalid_of_chunks(input))
        return judge(judged_chunks(given, given.text("schedule")), given);
    const ReplaySeries series = series_of(given, input);
    require_regular_trace(given);
    if (given.has("hex") && validate(input.schedule, input.topology).empty())
        engines_of_images(input, series); // before the run
    const std::optional<EnergyTable> energies = energy_table_of(given);
    if (energies)
        check_energy(input.topology, *energies);
    check_runs(given, input, series);
    ReplayOutput output{replay_with_progress(input, series, "replay"), {}, {}, {}, input.unrouted};
    if (is_converted)
        output.converted = fmt::format("{}; {}", converted_text(input), cost_of_steps(given, output.replays));
    const std::vector<ReplayResult>& replays = output.replays;
    if (!series.simulation.background)
        remark_blocked(replays);
    remark_uncounted(input.schedule, input.topology, series.simulation, replays);
    const bool all_ran = std::all_of(replays.begin(), replays.end(), [](const ReplayResult& replay) {
        return replay.valid && replay.run.memory_ok && !replay.run.stall;
    });
    const bool is_valid = replays.back().valid;
    if (all_ran && replays.size() > 1 && !is_between_memories(input.schedule) && replays.front().steps > 0U)
        output.fit = fit_timing(replays, series.simulation.hardware);
    if (is_valid && given.has("hex"))
        write_images(given.text("hex"), input, series);
    if (energies && is_valid)
        output.energy = energy_result(*energies, energy_run(input, series, replays.back().run));
    const bool records = given.has("svg") || given.has("vcd") || given.has("timeline") || given.has("record");
    if (is_valid && records)
        write_recordings(given, input, series, output);
    const Table table = table_of("Replay", replays);
    write_table(given, "csv", table);
    if (!is_valid && !given.is_on("json"))
        return judge(input, given);
    print_result(output, given, [&] {
        if (!output.converted.empty())
            std::cout << "converted    " << output.converted << '\n';
        print_text(given, output, table);
    });
    if (output.energy)
        draw_energy(given, *output.energy, energy_run(input, series, replays.back().run));
    return all_ran ? all_is_well : check_failed;
}

} // namespace

Command replay_command()
{
    return {{.command = "replay",
             .summary = "run a schedule on simulated hardware",
             .positional = "schedule",
             .description = replay_description,
             .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                          "nocturne replay aas.json --bytes 64,4KiB --svg occupancy.svg",
                          "nocturne replay aas.json --mode self-timed --step-times"},
             .renamed = {{"gantt", "svg"}, {"steps", "step-times"}, {"channels", "channel-use"}}},
            [] {
                return OptionTable()
                    .add(schedule_options())
                    .add(replay_options())
                    .add(model_options())
                    .add(payload_options())
                    .add(background_options())
                    .add(energy_options())
                    .add(hardware_options());
            },
            run_replay,
            {description_of<ReplayOutput>}};
}

} // namespace nocturne::cli
