// Tables in steps and rounds.
#include "models/text/number.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/certificate/drat.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/round_bounds.hpp"
#include "testbenches/collectives_of_today/networks.hpp"
#include "testbenches/collectives_of_today/tables.hpp"
#include "testbenches/driver/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace nocturne::collectives_of_today {
namespace {

std::string fraction(std::uint64_t numerator, std::uint64_t denominator)
{
    const std::uint64_t common = std::gcd(numerator, denominator);
    return denominator == common ? fmt::format("{}", numerator / common)
                                 : fmt::format("{}/{}", numerator / common, denominator / common);
}

/// What nothing can beat: steps, and rounds a chunk.
std::string bounds_of(const LinkNetwork& network, const Collective& of_one_part)
{
    const auto [weight, units] = least_round_ratio(network, of_one_part);
    return fmt::format("S >= {}, R/C >= {}", least_steps(network, of_one_part).value_or(0),
                       fraction(weight, units));
}

RowComparison decide_allgather(const LinkNetwork& network, std::uint32_t chunks, const StepsAndRounds& shape,
                               bool satisfiable)
{
    const Collective gathered = allgather({.processors = network.processor_count(), .parts = chunks});
    const ExactAnswer answer =
        decide_steps(network, gathered,
                     {.shape = shape, .end = end_after(std::chrono::seconds(600)), .proof = Proof::drat});
    RowComparison result;
    result.theirs = satisfiable ? "yes" : "no";
    result.bound = bounds_of(network, allgather({.processors = network.processor_count()}));
    if (answer.schedule) {
        result.ours = "yes";
        result.refutation = refutation_of(*answer.schedule, network);
        result.verdict = fmt::format("schedule with {} transfers, valid", count_transfers(*answer.schedule));
    } else if (answer.verdict == Verdict::unsatisfiable) {
        result.ours = "no";
        const auto why = refute_proof(step_formula(network, gathered, shape).formula, answer.proof);
        result.refutation = why.value_or("");
        result.verdict = fmt::format("proof with {} lines, checked",
                                     std::count(answer.proof.begin(), answer.proof.end(), '\n'));
    } else {
        result.ours = "not decided";
    }
    if (result.refutation.empty() && result.ours != result.theirs)
        result.refutation = "not what the table says";
    return result;
}

/// The first point of the front that is as good as theirs in both.
RowComparison find_as_good(const LinkNetwork& network, const Collective& whole, std::uint32_t chunks,
                           const StepsAndRounds& theirs)
{
    RowComparison result;
    result.theirs = fmt::format("C={} S={} R={}", chunks, theirs.steps, theirs.rounds);
    result.bound = bounds_of(network, whole);
    FrontConfig config;
    config.most_parts = std::min(chunks, 8u);
    config.end = end_after(std::chrono::seconds(600));
    for (const FrontPoint& point : find_front(network, whole, config)) {
        if (point.steps > theirs.steps ||
            std::uint64_t{point.rounds} * chunks > std::uint64_t{theirs.rounds} * point.parts)
            continue;
        result.ours = fmt::format("C={} S={} R={}", point.parts, point.steps, point.rounds);
        result.refutation = refutation_of(point.schedule, network);
        const bool fewer = point.steps < theirs.steps ||
                           std::uint64_t{point.rounds} * chunks < std::uint64_t{theirs.rounds} * point.parts;
        result.verdict =
            fmt::format("{}{}", fewer ? "better" : "as good", point.is_least ? ", R/C at the bound" : "");
        return result;
    }
    result.ours = "none";
    result.refutation = "no schedule as good as theirs";
    return result;
}

RowComparison find_all_reduce_front(const std::string& text)
{
    const LinkNetwork network = link_network_of(topology_from(text));
    const std::uint32_t processors = network.processor_count();
    const Collective whole = allreduce({.processors = processors});
    RowComparison result;
    result.theirs = "-";
    result.bound = bounds_of(network, whole);
    FrontConfig config;
    config.most_parts = 4;
    config.extra_steps = 3;
    config.conflicts_each = 20'000;
    config.end = end_after(std::chrono::seconds(600));
    const std::vector<FrontPoint> points = find_front(network, whole, config);
    if (points.empty())
        return {"-", result.bound, "none", "", 0, "no schedule"};
    for (const FrontPoint& point : points) {
        result.ours += fmt::format("{}C={} S={} R={}", result.ours.empty() ? "" : "; ", point.parts,
                                   point.steps, point.rounds);
        if (result.refutation.empty())
            result.refutation = refutation_of(point.schedule, network);
    }
    const auto [weight, units] = least_round_ratio(network, whole);
    const FrontPoint& last = points.back();
    const double over = static_cast<double>(last.rounds) * static_cast<double>(units) /
                            (static_cast<double>(last.parts) * static_cast<double>(weight)) -
                        1;
    const bool fewest = points.front().steps == least_steps(network, whole);
    result.verdict = fmt::format("{}; {}", fewest ? "fewest steps" : "more steps than the bound",
                                 last.is_least ? "R/C at the bound"
                                               : fmt::format("R/C {:.1f} % over the bound", 100 * over));
    return result;
}

} // namespace

std::vector<ReferenceRow> dgx1_allgather_rows(const nlohmann::json& settings)
{
    const LinkNetwork network = make_dgx1(settings.at("dgx1_links"));
    std::vector<ReferenceRow> rows;
    for (const nlohmann::json& each : settings.at("dgx1_allgather")) {
        const StepsAndRounds shape{testbench::number_in<unsigned>(each, "steps"),
                                   testbench::number_in<unsigned>(each, "rounds")};
        const unsigned chunks = testbench::number_in<unsigned>(each, "chunks");
        const bool satisfiable = testbench::text_in(each, "satisfiable") == "yes";
        rows.push_back({"DGX-1 allgather", fmt::format("C={} S={} R={}", chunks, shape.steps, shape.rounds),
                        [=] { return decide_allgather(network, chunks, shape, satisfiable); }});
    }
    return rows;
}

std::vector<ReferenceRow> dgx1_other_rows(const nlohmann::json& settings)
{
    const LinkNetwork network = make_dgx1(settings.at("dgx1_links"));
    std::vector<ReferenceRow> rows;
    for (const nlohmann::json& each : settings.at("dgx1_other")) {
        // `gather to 5`, `scatter from 5`
        const std::string text = testbench::text_in(each, "collective");
        const CollectiveKind kind = parse_collective_kind(text.substr(0, text.find(' ')));
        const auto root =
            has_root(kind) ? number_of<unsigned>(text.substr(text.rfind(' ') + 1)) : std::nullopt;
        const Collective whole = make_collective(kind, CollectiveShape{.processors = 8}, root);
        // The chunks of an all-to-all are counted by buffer there, 8 to a part of each pair.
        const unsigned chunks =
            testbench::number_in<unsigned>(each, "chunks") / (kind == CollectiveKind::alltoall ? 8 : 1);
        const unsigned steps = testbench::number_in<unsigned>(each, "steps");
        const unsigned rounds =
            testbench::number_if_any<unsigned>(each, "rounds")
                .value_or(static_cast<unsigned>(least_rounds(network, in_parts(whole, chunks))));
        rows.push_back({"DGX-1", text + fmt::format(" C={}", testbench::text_in(each, "chunks")),
                        [=] { return find_as_good(network, whole, chunks, {steps, rounds}); }});
    }
    return rows;
}

std::vector<ReferenceRow> all_reduce_rows(const nlohmann::json& settings)
{
    std::vector<ReferenceRow> rows;
    for (const nlohmann::json& each : settings.at("all_reduce"))
        rows.push_back(
            {"all-reduce", testbench::text_in(each, "network"),
             [text = testbench::text_in(each, "network")] { return find_all_reduce_front(text); }});
    return rows;
}

} // namespace nocturne::collectives_of_today
