#include "schedules/certificate/bound_json.hpp"
#include "schedules/problem/chunk_problem.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "sim/cli/certify_output.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/documentation.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::cli {

namespace {

/// What is printed of a result file.
struct CertifyOutput {
    Finding finding;
    Certification certification;
    std::vector<BoundRow> bounds;
    std::vector<std::string> optimal_in;
    std::string sentence = {}; ///< of a schedule by time: how good it is

    bool has_schedule() const { return finding.schedule != nullptr; }
};

Fields<CertifyOutput> fields_of(const CertifyOutput*)
{
    using Output = CertifyOutput;
    return Fields<Output>{"certify", "Check of a schedule and its bounds, or of bounds alone.", {}}
        .with(&Output::finding)
        .with({Field<Output>("valid", "", valid_meaning,
                             [](const Output& output) { return output.certification.violations.empty(); })
                   .null_unless(&Output::has_schedule),
               {"violations", "", violations_meaning,
                [](const Output& output) { return violation_rows(output.certification.violations); }},
               Field<Output>("proven", "", proven_meaning,
                             [](const Output& output) { return output.certification.refutations.empty(); })
                   .null_unless([](const Output& output) { return !output.bounds.empty(); }),
               {"refutations", "", refutations_meaning,
                [](const Output& output) { return output.certification.refutations; }},
               {"optimal_in", "", "Figures among `steps`, `rounds` and `time` that are proven optimal.",
                &Output::optimal_in},
               {"bounds", "", "Bounds that the file claims.", &Output::bounds}});
}

/// Of what a valid schedule of chunks has no more than its bounds say.
std::vector<std::string> met_bounds(const Schedule& schedule, const Bounds& bounds,
                                    const LinkNetwork& network)
{
    std::vector<std::string> met;
    if (is_in_steps(schedule)) {
        const std::uint32_t steps = count_steps(schedule);
        const std::uint64_t rounds = count_rounds(schedule);
        if (bounds.steps && steps == bounds.steps->steps)
            met.emplace_back("steps");
        const bool is_met = (bounds.rounds && rounds == rounded_up(bounds.rounds->rounds)) ||
                            std::ranges::any_of(bounds.rounds_in_steps, [&](const Bound& bound) {
                                return bound.steps >= steps && bound.rounds == Ratio{rounds};
                            });
        if (is_met)
            met.emplace_back("rounds");
    }
    if (bounds.cycles &&
        time_of(schedule, network, bounds.cycles->cost) <= bounds.cycles->cycles * (1 + 1e-9))
        met.emplace_back("time");
    return met;
}

/// Of messages. The result must outlive it.
CertifyOutput output_of(const ResultFile& result)
{
    Certification certification = certify(result);
    CertifyOutput output{finding_of(result.problem, result.schedule ? &*result.schedule : nullptr,
                                    result.bound ? &*result.bound : nullptr, "", certification.holds()),
                         std::move(certification),
                         {},
                         {}};
    if (result.bound)
        output.bounds.push_back(bound_row(*result.bound));
    if (output.finding.is_optimal.value_or(false))
        output.optimal_in.emplace_back("steps");
    return output;
}

/// A file of chunks, with the bounds that it claims.
struct ChunkFile {
    LoadedSchedule loaded;
    LinkNetwork network;
    Bounds bounds = {};
};

ChunkFile chunk_file(const OptionValues& given, const std::string& path)
{
    LoadedSchedule loaded = chunk_file_of(given, path);
    LinkNetwork network = loaded.network();
    ChunkFile file{std::move(loaded), std::move(network)};
    if (file.loaded.claims.contains("lower_bounds")) {
        const nlohmann::json bounds = file.loaded.claims["lower_bounds"];
        file.bounds = read_bounds(JsonPlace(bounds, path, "/lower_bounds"));
    }
    return file;
}

/// Of chunks. The file must outlive it.
CertifyOutput output_of(const ChunkFile& file)
{
    const auto& [loaded, network, bounds] = file;
    const Schedule* const schedule = loaded.is_bound ? nullptr : &loaded.schedule;
    const Collective& collective = loaded.schedule.collective;
    CertifyOutput output{
        finding_of(describe_chunks(collective, network.name()), collective, network, schedule, bounds),
        certify(schedule, bounds, network, collective),
        bound_rows(bounds, network),
        {}};
    if (schedule != nullptr && output.certification.holds())
        output.optimal_in = met_bounds(*schedule, bounds, network);
    if (schedule != nullptr && output.certification.violations.empty() && bounds.cycles &&
        schedule->made_for.bytes && schedule->made_for.cycle_ns)
        output.sentence = sentence_of(
            {schedule, schedule->made_for, time_of(*schedule, network, bounds.cycles->cost)},
            ChunkObjective::time, bounds, network, link_rates_text(network, *schedule->made_for.cycle_ns));
    return output;
}

int print(const CertifyOutput& output, const OptionValues& given)
{
    print_result(output, given, [&] {
        if (output.sentence.empty()) {
            print_finding(output.finding, output);
        } else { // the bound on steps is of another objective, and among the bounds below
            CertifyOutput shown = output;
            shown.finding.bound = nullptr;
            shown.finding.bound_reason.clear();
            fmt::print("{}\n{}", heading(output.finding), wrapped(output.sentence));
            print_figures(shown);
        }
        if (!output.certification.violations.empty())
            print_below(table_of("Violations", violation_rows(output.certification.violations)));
        if (!output.finding.ports && !output.bounds.empty())
            print_below(table_of("Bounds", output.bounds));
    });
    return output.certification.holds() ? all_is_well : check_failed;
}

template <class Work>
CertifyOutput beside_line(Work work)
{
    const WaitingLine line("certify");
    return work();
}

OptionTable options_of_certify()
{
    return OptionTable().add(
        {{"result", name_value("FILE"), "file written by 'schedule' or 'bound'; positional argument"}});
}

int run_certify(const OptionValues& given)
{
    refuse_given(given, {"seed"}, nothing_random);
    constexpr std::array certified{FileKind::schedule, FileKind::bound, FileKind::chunks};
    require_kind(given.text("result"), certified, "a schedule or a bound");
    const std::string file = given.text("result");
    if (kind_of_file(file) == FileKind::chunks) {
        std::optional<ChunkFile> result; // which the output looks into
        const CertifyOutput output =
            beside_line([&] { return output_of(result.emplace(chunk_file(given, file))); });
        return print(output, given);
    }
    std::optional<ResultFile> result;
    const CertifyOutput output = beside_line([&] { return output_of(result.emplace(load_result(file))); });
    return print(output, given);
}

} // namespace

nlohmann::ordered_json certification_of_messages(const ResultFile& result)
{
    return output_of(result);
}

nlohmann::ordered_json certification_of_chunks(const OptionValues& given, const std::string& file)
{
    return output_of(chunk_file(given, file));
}

Command certify_command()
{
    return {{.command = "certify",
             .summary = "check a schedule and its lower bound independently",
             .positional = "result",
             .description = "Checks the schedule and the lower bounds of a file independently of the program "
                            "that wrote it.\n",
             .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                          "nocturne certify aas.json"}},
            options_of_certify,
            run_certify,
            {description_of<CertifyOutput>}};
}

} // namespace nocturne::cli
