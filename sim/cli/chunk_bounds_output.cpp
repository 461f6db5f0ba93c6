#include "sim/cli/chunk_bounds_output.hpp"

#include "models/topology/files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/certify_output.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/evolution/stop_on_signal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// How a search for shapes that no schedule has ended.
struct ShapeSearch {
    StepsAndRounds last;
    Verdict verdict;
    bool is_interrupted = false;
};

/// The most rounds that no schedule in these steps has, from the bound on rounds upwards.
ShapeSearch exhaust_rounds(const LinkNetwork& network, const Collective& collective, std::uint32_t steps,
                           const SearchEnd& end, Bounds& bounds)
{
    std::uint64_t least = steps;
    if (bounds.rounds)
        least = std::max(least, rounded_up(bounds.rounds->rounds));
    for (auto rounds = static_cast<std::uint32_t>(least);; ++rounds) {
        const ExactConfig question{.shape = {steps, rounds}, .end = end, .proof = Proof::drat};
        if (end.has_come())
            return {question.shape, Verdict::unknown, end.is_stopped()};
        ExactAnswer answer = decide_steps(network, collective, question);
        if (answer.verdict != Verdict::unsatisfiable)
            return {question.shape, answer.verdict, end.is_stopped()};
        bounds.rounds_in_steps = {Bound{.steps = steps,
                                        .certificate = InfeasibilityProof{std::move(answer.proof)},
                                        .measure = Measure::rounds_in_steps,
                                        .rounds = {std::uint64_t{rounds} + 1}}};
    }
}

std::string describe(const ShapeSearch& search)
{
    const std::string question =
        fmt::format("there is a schedule in {} steps and {} rounds", search.last.steps, search.last.rounds);
    return search.verdict == Verdict::satisfiable
               ? question
               : fmt::format(
                     "{}: whether {} is not known",
                     to_string(search.is_interrupted ? EndReason::interrupted : EndReason::out_of_budget),
                     question);
}

std::optional<ShapeSearch> exhaust(const OptionValues& given, const LinkNetwork& network,
                                   const Collective& collective, const std::atomic<bool>& stop,
                                   Bounds& bounds)
{
    if (!given.is_on("exhaust"))
        return std::nullopt;
    if (reduces(collective) && !can_be_turned(collective))
        throw std::invalid_argument(
            fmt::format("--exhaust searches for copies, and for sums with one receiver each: not for {}",
                        to_string(collective.kind)));
    const std::uint32_t fewest = bounds.steps->steps;
    const std::uint32_t steps = given.has("in-steps") ? given.small_count("in-steps") : fewest;
    if (steps < fewest)
        throw std::invalid_argument(
            fmt::format("--in-steps {}: no schedule has fewer steps than {}", steps, fewest));
    return exhaust_rounds(network, collective, steps, end_after(given.seconds("budget"), &stop), bounds);
}

/// What a schedule and the bounds in its file say of each other.
struct ChunkCertification {
    LoadedSchedule file;
    Bounds bounds;
    std::vector<Violation> violations;
    std::vector<std::string> refuted;

    bool has_schedule() const { return !file.is_bound; }
    bool holds() const { return violations.empty() && refuted.empty(); }
};

ChunkCertification certification_of(const OptionValues& given, const std::string& file)
{
    ChunkCertification result{chunk_file_of(given, file), {}, {}, {}};
    const LinkNetwork network = result.file.network();
    if (result.file.claims.contains("lower_bounds")) {
        const nlohmann::json bounds = result.file.claims["lower_bounds"];
        result.bounds = read_bounds(JsonPlace(bounds, file, "/lower_bounds"));
    }
    if (!result.file.is_bound)
        result.violations = validate(result.file.schedule, network);
    result.refuted = refutations(result.bounds, network, result.file.schedule.collective);
    return result;
}

/// At which bounds the schedule is.
std::vector<std::string> met_bounds(const ChunkCertification& result)
{
    const Schedule& schedule = result.file.schedule;
    const Bounds& bounds = result.bounds;
    std::vector<std::string> met;
    if (result.file.is_bound || !result.holds())
        return met;
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
        time_of(schedule, result.file.network(), bounds.cycles->cost) <= bounds.cycles->cycles * (1 + 1e-9))
        met.emplace_back("time");
    return met;
}

Fields<ChunkCertification> fields_of(const ChunkCertification*)
{
    using Result = ChunkCertification;
    return {
        "certify chunks",
        "What a schedule of chunks and its bounds, or bounds alone, are worth.",
        {{"topology", "", "The network.", [](const Result& result) { return result.file.topology.name(); }},
         {"collective", "", "What is carried out.",
          [](const Result& result) { return std::string(to_string(result.file.schedule.collective.kind)); }},
         {"chunks", "", "That each block is cut into.",
          [](const Result& result) { return result.file.schedule.collective.parts; }},
         Field<Result>("transfers", "", "Of the schedule; null without one.",
                       [](const Result& result) { return count_transfers(result.file.schedule); })
             .null_unless(&Result::has_schedule),
         Field<Result>("valid", "", valid_meaning,
                       [](const Result& result) { return result.violations.empty(); })
             .null_unless(&Result::has_schedule),
         {"violations", "", violations_meaning,
          [](const Result& result) { return violation_rows(result.violations); }},
         Field<Result>("proven", "", proven_meaning,
                       [](const Result& result) { return result.refuted.empty(); })
             .null_unless([](const Result& result) { return !result.bounds.empty(); }),
         {"refutations", "", refutations_meaning, [](const Result& result) { return result.refuted; }},
         {"optimal_in", "", "Of `steps`, `rounds` and `time` those that no schedule has less of.",
          met_bounds},
         {"bounds", "", "That the file claims.",
          [](const Result& result) { return bound_rows(result.bounds, result.file.network()); }}}};
}

/// What is printed of bounds that were found.
struct ChunkBoundOutput {
    const ChunkInput& input;
    const Collective& collective;
    const Bounds& bounds;
    const std::optional<ShapeSearch>& search;
    bool is_interrupted;
};

Fields<ShapeSearch> fields_of(const ShapeSearch*)
{
    return {"exhaustive search of chunks",
            "A search through all schedules in so many steps and rounds.",
            {{"steps", "", "That the last search was for.",
              [](const ShapeSearch& search) { return search.last.steps; }},
             {"rounds", "", "That it was for.", [](const ShapeSearch& search) { return search.last.rounds; }},
             {"schedule_exists", "", "Is there a schedule in these?",
              [](const ShapeSearch& search) { return search.verdict == Verdict::satisfiable; }}}};
}

Fields<ChunkBoundOutput> fields_of(const ChunkBoundOutput*)
{
    using Output = ChunkBoundOutput;
    return {
        "bound chunks",
        "What no schedule of chunks has less of.",
        {{"topology", "", "The network.",
          [](const Output& output) { return output.input.topology().name(); }},
         {"collective", "", "What is carried out.",
          [](const Output& output) { return std::string(to_string(output.collective.kind)); }},
         {"chunks", "",
          "That each block is cut into; null: bounds hold for any number, and rounds are a chunk's.",
          [](const Output& output) { return output.input.problem.parts; }},
         {"bytes", "bytes", bytes_meaning, [](const Output& output) { return output.input.problem.bytes; }},
         {"exhaust", "", "The exhaustive search; null without one.",
          [](const Output& output) { return output.search; }, Shown::in_files},
         {"interrupted", "", interrupted_meaning, [](const Output& output) { return output.is_interrupted; },
          Shown::in_files},
         {"bounds", "", "Each of them.",
          [](const Output& output) { return bound_rows(output.bounds, output.input.problem.network); },
          Shown::as_rows}}};
}

} // namespace

const ResultDescription& chunk_bound_result()
{
    return description_of<ChunkBoundOutput>();
}

const ResultDescription& chunk_certify_result()
{
    return description_of<ChunkCertification>();
}

int bound_chunks(const OptionValues& given)
{
    const StopOnSignal signals;
    const ChunkInput input = chunk_input(given);
    const ChunkProblem& problem = input.problem;
    const Collective collective = in_parts(problem.collective, problem.parts.value_or(1));
    Bounds bounds = best_chunk_bounds(problem.network, collective, cost_of(problem, collective),
                                      problem.parts ? BoundScope::own_parts : BoundScope::any_parts,
                                      {.stop = &signals.flag()});
    if (!bounds.steps)
        throw std::invalid_argument(
            fmt::format("{}: a receiver cannot be reached, or nothing is owed", input.topology().name()));
    const std::optional<ShapeSearch> search =
        exhaust(given, problem.network, collective, signals.flag(), bounds);
    const int status = signals.signal() != 0 ? 128 + signals.signal() : all_is_well;
    if (given.has("output"))
        write_file_atomically(given.text("output"),
                              bound_text(empty_schedule("", input.topology().name(), collective,
                                                        ScheduleSynchronization::steps),
                                         input.topology(), {{"lower_bounds", to_json(bounds)}},
                                         input.defaults));
    const ChunkBoundOutput output{input, collective, bounds, search, status != all_is_well};
    print_result(output, given, [&] {
        print_text(std::cout, fold_constant_columns(table_of("At least", std::vector{output})));
        if (search)
            std::cout << "exhaustive search: " << describe(*search) << '\n';
        if (status != all_is_well)
            std::cout << "interrupted: the best bounds so far\n";
    });
    return status;
}

nlohmann::ordered_json certification_of_chunks(const OptionValues& given, const std::string& file)
{
    return certification_of(given, file);
}

int certify_chunks(const OptionValues& given, const std::string& file)
{
    const ChunkCertification result = certification_of(given, file);
    print_result(result, given, [&] {
        print_figures(result);
        if (!result.violations.empty())
            print_below(table_of("Violations", violation_rows(result.violations)));
        if (!result.bounds.empty())
            print_below(table_of("Bounds", bound_rows(result.bounds, result.file.network())));
    });
    return result.holds() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
