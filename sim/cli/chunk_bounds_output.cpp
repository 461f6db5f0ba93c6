#include "sim/cli/chunk_bounds_output.hpp"

#include "models/topology/files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

struct BoundLine {
    std::string what;
    std::string number;
    std::string reason;
};

std::vector<BoundLine> lines_of(const Bounds& bounds, const LinkNetwork& network)
{
    std::vector<BoundLine> lines;
    if (bounds.steps)
        lines.push_back({"steps", std::to_string(bounds.steps->steps), describe(*bounds.steps, network)});
    if (bounds.rounds)
        lines.push_back({"rounds", to_string(bounds.rounds->rounds), describe(*bounds.rounds, network)});
    for (const Bound& bound : bounds.rounds_in_steps)
        lines.push_back({fmt::format("rounds in {} steps", bound.steps), to_string(bound.rounds),
                         describe(bound, network)});
    if (bounds.cycles)
        lines.push_back(
            {"cycles", fmt::format("{:.6g}", bounds.cycles->cycles), describe(*bounds.cycles, network)});
    return lines;
}

/// How a search for shapes that no schedule has ended.
struct ShapeSearch {
    StepsAndRounds last;
    Verdict verdict;
    bool is_interrupted = false;
};

/// The most rounds that no schedule in these steps has, from the bound on rounds upwards.
ShapeSearch exhaust_rounds(const ChunkInput& input, const Collective& collective, std::uint32_t steps,
                           Bounds& bounds)
{
    const SearchEnd end = end_after(input.request.budget, input.request.stop);
    std::uint64_t least = steps;
    if (bounds.rounds)
        least = std::max(least, rounded_up(bounds.rounds->rounds));
    for (auto rounds = static_cast<std::uint32_t>(least);; ++rounds) {
        const ExactConfig question{.shape = {steps, rounds}, .end = end, .proof = Proof::drat};
        if (end.has_come())
            return {question.shape, Verdict::unknown, end.is_stopped()};
        ExactAnswer answer = decide_steps(input.network, collective, question);
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

std::optional<ShapeSearch> exhaust(const OptionValues& given, const ChunkInput& input,
                                   const Collective& collective, Bounds& bounds)
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
    return exhaust_rounds(input, collective, steps, bounds);
}

/// What a schedule and the bounds in its file say of each other.
struct ChunkCertification {
    LoadedSchedule file;
    Bounds bounds;
    std::vector<Violation> violations;
    std::vector<std::string> refuted;

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

void print_text(const ChunkCertification& result)
{
    const Schedule& schedule = result.file.schedule;
    fmt::print("{} in {} chunk{} on {}\n", to_string(schedule.collective.kind), schedule.collective.parts,
               schedule.collective.parts == 1 ? "" : "s", result.file.topology.name());
    if (!result.file.is_bound)
        fmt::print("schedule     {} transfers, {}\n", count_transfers(schedule),
                   result.violations.empty() ? "valid" : "NOT VALID");
    for (const Violation& violation : result.violations)
        fmt::print("             {}\n", violation.text);
    if (result.refuted.empty())
        print_bounds(result.bounds, result.file.network());
    for (const std::string& line : result.refuted)
        fmt::print("NOT PROVEN   {}\n", line);
    if (result.bounds.empty())
        fmt::print("bound        none claimed\n");
    if (!result.file.is_bound && result.holds() && !result.bounds.empty()) {
        const std::vector<std::string> met = met_bounds(result);
        fmt::print("verdict      {}\n", met.empty()
                                            ? "valid, at none of the bounds"
                                            : fmt::format("at the bound on {}", fmt::join(met, ", ")));
    }
    std::fflush(stdout);
}

nlohmann::ordered_json document(const ChunkCertification& result)
{
    const Schedule& schedule = result.file.schedule;
    nlohmann::ordered_json violations = nlohmann::ordered_json::array();
    for (const Violation& violation : result.violations)
        violations.push_back(violation.text);
    nlohmann::ordered_json json{
        {"topology", result.file.topology.name()}, {"collective", to_string(schedule.collective.kind)},
        {"chunks", schedule.collective.parts},     {"schedule_valid", nullptr},
        {"violations", std::move(violations)},     {"bounds_hold", nullptr},
        {"refutations", result.refuted},           {"at_bounds_of", met_bounds(result)}};
    if (!result.file.is_bound)
        json["schedule_valid"] = result.violations.empty();
    if (!result.bounds.empty())
        json["bounds_hold"] = result.refuted.empty();
    return json;
}

} // namespace

void print_bounds(const Bounds& bounds, const LinkNetwork& network)
{
    for (const auto& [what, number, reason] : lines_of(bounds, network))
        fmt::print("bound        {} {}: {}\n", number, what, reason);
}

int bound_chunks(const OptionValues& given)
{
    const StopOnSignal signals;
    ChunkInput input = chunk_input(given);
    input.request.stop = &signals.flag();
    const Collective collective = input.request.of_parts(input.request.parts.value_or(1));
    Bounds bounds = best_chunk_bounds(input.network, collective, cost_of(input.request, collective),
                                      input.request.parts ? BoundScope::own_parts : BoundScope::any_parts,
                                      {.stop = input.request.stop});
    if (!bounds.steps)
        throw std::invalid_argument(
            fmt::format("{}: a receiver cannot be reached, or nothing is owed", input.topology.name()));
    const std::optional<ShapeSearch> search = exhaust(given, input, collective, bounds);
    const int status = signals.signal() != 0 ? 128 + signals.signal() : all_is_well;
    if (given.has("output"))
        write_file_atomically(
            given.text("output"),
            bound_text(empty_schedule("", input.topology.name(), collective, ScheduleSynchronization::steps),
                       input.topology, {{"lower_bounds", to_json(bounds)}}, input.defaults));
    if (given.is_on("json")) {
        nlohmann::ordered_json json{{"topology", input.topology.name()},
                                    {"collective", to_string(collective.kind)},
                                    {"chunks", nullptr},
                                    {"bytes", input.request.bytes},
                                    {"bounds", to_json(bounds)},
                                    {"exhaust", nullptr},
                                    {"interrupted", status != all_is_well}};
        if (input.request.parts) // otherwise they hold for any number, and rounds are those of one
            json["chunks"] = collective.parts;
        if (search)
            json["exhaust"] = {{"steps", search->last.steps},
                               {"rounds", search->last.rounds},
                               {"schedule_exists", search->verdict == Verdict::satisfiable}};
        std::cout << json.dump(2) << '\n';
        return status;
    }
    const std::string parts = !input.request.parts    ? "any number of chunks, rounds a chunk,"
                              : collective.parts == 1 ? "1 chunk"
                                                      : fmt::format("{} chunks", collective.parts);
    Table table{fmt::format("{} in {} on {}, {:.6g} bytes", to_string(collective.kind), parts,
                            input.topology.name(), input.request.bytes),
                {{"at least", "", Align::right}, {"", "", Align::left}, {"reason", "", Align::left}},
                {}};
    for (const auto& [what, number, reason] : lines_of(bounds, input.network))
        table.add_row({number, what, reason});
    nocturne::print_text(std::cout, table);
    if (search)
        std::cout << "exhaustive search: " << describe(*search) << '\n';
    if (status != all_is_well)
        std::cout << "interrupted: the best bounds so far\n";
    return status;
}

int certify_chunks(const OptionValues& given, const std::string& file)
{
    const ChunkCertification result = certification_of(given, file);
    if (given.is_on("json"))
        std::cout << document(result).dump(2) << '\n';
    else
        print_text(result);
    return result.holds() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
