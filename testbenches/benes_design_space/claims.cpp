#include "testbenches/benes_design_space/claims.hpp"

#include "sim/report/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace nocturne::benes_design_space {
namespace {

const char* name_of(Ruling ruling)
{
    switch (ruling) {
    case Ruling::holds:
        return "holds";
    case Ruling::open:
        return "open";
    default:
        return "fails";
    }
}

/// The numbers as ranges of those that follow each other in `all` (ascending): `2-12, 14`; `none`.
template <typename Number>
std::string ranges(std::span<const Number> all, const std::function<bool(Number)>& is_in)
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_in(all[i]))
            continue;
        const std::size_t first = i;
        while (i + 1 < all.size() && is_in(all[i + 1]))
            ++i;
        parts.push_back(first == i ? fmt::format("{}", all[i]) : fmt::format("{}-{}", all[first], all[i]));
    }
    return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

Ruling rule(const MapCell& cell, const Choice& claimed, bool is_best)
{
    if (is_best)
        return Ruling::holds;
    return cell.best.latency.meets(claimed.latency) ? Ruling::open : Ruling::fails;
}

std::size_t count_of(std::span<const Ruling> rulings, Ruling which)
{
    return static_cast<std::size_t>(std::count(rulings.begin(), rulings.end(), which));
}

/// `holds in 3, open in 1, fails in 4 of 8`.
std::string tally(std::span<const Ruling> rulings)
{
    return fmt::format("holds in {}, open in {}, fails in {} of {}", count_of(rulings, Ruling::holds),
                       count_of(rulings, Ruling::open), count_of(rulings, Ruling::fails), rulings.size());
}

/// A claim in one case of the map.
struct CaseRuling {
    std::string reading;
    std::uint64_t message_bits;
    Ruling ruling;
};

/// One claim over cases, those of a reading by message length: where it holds, reading by reading.
ClaimRow claim_on_cases(std::string claim, std::string where, std::span<const CaseRuling> cases)
{
    std::vector<Ruling> rulings;
    for (const CaseRuling& each : cases)
        rulings.push_back(each.ruling);
    std::string numbers = tally(rulings) + " cases";
    for (const Reading& reading : readings()) {
        std::vector<std::uint64_t> lengths;
        std::vector<std::uint64_t> held;
        for (const CaseRuling& each : cases) {
            if (each.reading != reading.name)
                continue;
            lengths.push_back(each.message_bits);
            if (each.ruling == Ruling::holds)
                held.push_back(each.message_bits);
        }
        if (!held.empty())
            numbers += fmt::format("; {}: {} bits", reading.name,
                                   ranges<std::uint64_t>(lengths, [&](std::uint64_t bits) {
                                       return std::find(held.begin(), held.end(), bits) != held.end();
                                   }));
    }
    return {std::move(claim), std::move(where), verdict_of(rulings), std::move(numbers)};
}

ClaimRow claim_on_cells(std::string claim, const std::string& where, std::span<const MapCell> cells,
                        Ruling (*rule_on)(const MapCell&))
{
    std::vector<CaseRuling> cases;
    for (const MapCell& cell : cells)
        cases.push_back({cell.reading, cell.message_bits, rule_on(cell)});
    return claim_on_cases(std::move(claim), where, cases);
}

/// Of two claims that must hold together.
Ruling both(Ruling a, Ruling b)
{
    if (a == Ruling::fails || b == Ruling::fails)
        return Ruling::fails;
    return a == Ruling::holds ? b : a;
}

/// Points of one kind, by q.
std::vector<const BenesPoint*> select(std::span<const BenesPoint> points, const std::string& permutations,
                                      const std::string& randomization)
{
    std::vector<const BenesPoint*> selected;
    for (const BenesPoint& point : points)
        if (point.permutations == permutations && point.randomization == randomization)
            selected.push_back(&point);
    return selected;
}

/// The q for which a point has been ruled on as `which`.
std::string sizes_with(std::span<const BenesPoint* const> points, std::span<const Ruling> rulings,
                       Ruling which)
{
    std::vector<std::uint32_t> sizes;
    for (const BenesPoint* point : points)
        sizes.push_back(point->switch_size);
    return ranges<std::uint32_t>(sizes, [&](std::uint32_t q) {
        const auto at = std::find(sizes.begin(), sizes.end(), q) - sizes.begin();
        return rulings[static_cast<std::size_t>(at)] == which;
    });
}

} // namespace

std::string verdict_of(std::span<const Ruling> rulings)
{
    const std::size_t holding = count_of(rulings, Ruling::holds);
    const std::size_t failing = count_of(rulings, Ruling::fails);
    if (holding == 0)
        return failing == 0 ? "open" : "refuted";
    return failing == 0 ? "confirmed" : "confirmed under these conditions";
}

Ruling rule_on_share(const BenesPoint& point)
{
    if (point.share_low >= claimed_share)
        return Ruling::holds;
    return point.share_high < claimed_share ? Ruling::fails : Ruling::open;
}

double most_share_within(std::uint32_t q, std::uint32_t limit)
{
    // Messages over outputs, one output after the other: within[m] is the probability that m messages over
    // the outputs so far leave none with more than the limit.
    std::vector<double> within(q + 1, 0);
    within[0] = 1;
    for (std::uint32_t outputs = 1; outputs <= q; ++outputs) {
        std::vector<double> with_one_more(q + 1, 0);
        const double hit = 1.0 / outputs; // the last of them
        for (std::uint32_t messages = 0; messages <= q; ++messages)
            for (std::uint32_t k = 0; k <= std::min(limit, messages); ++k) {
                const double ways = std::exp(std::lgamma(messages + 1.0) - std::lgamma(k + 1.0) -
                                             std::lgamma(messages - k + 1.0));
                with_one_more[messages] +=
                    ways * std::pow(hit, k) * std::pow(1 - hit, messages - k) * within[messages - k];
            }
        within = std::move(with_one_more);
    }
    return std::pow(within[q], q);
}

Ruling rule_on_switch_size(const MapCell& cell)
{
    const Choice& claimed = cell.best_of_claimed_size.value();
    return rule(cell, claimed, cell.best.switch_size == claimed.switch_size);
}

Ruling rule_on_columns(const MapCell& cell)
{
    return rule(cell, cell.best_of_claimed_columns.value(),
                cell.best.randomizing_columns == claimed_randomizing_columns);
}

Ruling rule_on_randomization(const BenesPoint& single, const BenesPoint& multiple)
{
    const Latency slow{single.mean_delay, single.delay_error};
    const Latency fast{multiple.mean_delay, multiple.delay_error};
    if (slow.meets(fast))
        return Ruling::open;
    return fast.clocks < slow.clocks ? Ruling::holds : Ruling::fails;
}

std::vector<ClaimRow> claims_on_share(std::span<const BenesPoint> clos, std::uint32_t limit)
{
    const std::string claim = fmt::format("a permutation over B(q,2) takes at most {} network cycles with "
                                          "probability {}",
                                          limit, claimed_share);
    std::vector<ClaimRow> rows;
    for (const char* randomization : {"single", "multiple"})
        for (const char* permutations : {"random", "worst"}) {
            const auto points = select(clos, permutations, randomization);
            std::vector<Ruling> rulings;
            double least = 1;
            double least_messages = 1;
            for (const BenesPoint* point : points) {
                rulings.push_back(rule_on_share(*point));
                least = std::min(least, point->share_within_limit);
                least_messages = std::min(least_messages, point->messages_within_limit);
            }
            rows.push_back({claim,
                            fmt::format("{} randomization, {} permutations", randomization, permutations),
                            verdict_of(rulings),
                            fmt::format("holds for q = {}; open for {}; fails for {}; least share {:.4f}, of "
                                        "messages {:.6f}",
                                        sizes_with(points, rulings, Ruling::holds),
                                        sizes_with(points, rulings, Ruling::open),
                                        sizes_with(points, rulings, Ruling::fails), least, least_messages)});
        }
    return rows;
}

ClaimRow claim_on_randomization(const std::string& where, std::span<const BenesPoint> points)
{
    std::vector<Ruling> rulings;
    double most = 0;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
        if (randomizing_columns(points[i]) == 0)
            continue;
        rulings.push_back(rule_on_randomization(points[i], points[i + 1]));
        most = std::max(most, points[i].mean_delay / points[i + 1].mean_delay);
    }
    return {"multiple randomization is faster than single", where, verdict_of(rulings),
            fmt::format("{} designs with a randomizing column; single takes up to {:.2f} times as long",
                        tally(rulings), most)};
}

std::vector<ClaimRow> claims_on_designs(const std::string& where, std::span<const MapCell> cells)
{
    std::vector<ClaimRow> rows;
    if (cells.empty() || !cells[0].best_of_claimed_size)
        return rows;
    const std::uint32_t q = cells[0].best_of_claimed_size->switch_size;
    rows.push_back(
        claim_on_cells(fmt::format("{0} x {0} switches are best", q), where, cells, rule_on_switch_size));
    rows.push_back(claim_on_cells("one randomizing column is best", where, cells, rule_on_columns));
    return rows;
}

std::optional<ClaimRow> claim_on_all_sizes(const std::string& traffic, std::span<const MapCell> cells)
{
    std::vector<std::uint32_t> sizes;
    std::vector<CaseRuling> cases;
    for (const MapCell& cell : cells) {
        if (cell.traffic != traffic || !cell.best_of_claimed_size)
            continue;
        if (std::find(sizes.begin(), sizes.end(), cell.processors) == sizes.end())
            sizes.push_back(cell.processors);
        const Ruling ruling = both(rule_on_switch_size(cell), rule_on_columns(cell));
        const auto known = std::find_if(cases.begin(), cases.end(), [&](const CaseRuling& each) {
            return each.reading == cell.reading && each.message_bits == cell.message_bits;
        });
        if (known == cases.end())
            cases.push_back({cell.reading, cell.message_bits, ruling});
        else
            known->ruling = both(known->ruling, ruling);
    }
    if (sizes.size() < 2)
        return std::nullopt;
    return claim_on_cases("the best switch size and one randomizing column at once",
                          fmt::format("{} processors, {}", fmt::join(sizes, " and "), traffic), cases);
}

Table claim_table(std::span<const ClaimRow> rows)
{
    return table_of("The paper's claims", rows,
                    {{"claim", "", &ClaimRow::claim},
                     {"where", "", &ClaimRow::where},
                     {"verdict", "", &ClaimRow::verdict},
                     {"numbers", "", &ClaimRow::numbers}});
}

Table clos_table(std::span<const BenesPoint> clos, std::uint32_t limit)
{
    const auto most_share = [=](const BenesPoint& point) {
        return point.randomization == "single" ? std::optional(most_share_within(point.switch_size, limit))
                                               : std::nullopt;
    };
    return table_of(
        "Permutations over B(q,2)", clos,
        {{"q", "", &BenesPoint::switch_size},
         {"permutations", "", &BenesPoint::permutations},
         {"randomization", "", &BenesPoint::randomization},
         {"samples", "", &BenesPoint::samples},
         {"mean delay", "network cycles", &BenesPoint::mean_delay, 2},
         {"most", "network cycles", &BenesPoint::most_delay},
         {"share", "", &BenesPoint::share_within_limit, 4},
         {"from", "", &BenesPoint::share_low, 4},
         {"to", "", &BenesPoint::share_high, 4},
         {"cannot exceed", "", most_share, 4},
         {"of messages", "", &BenesPoint::messages_within_limit, 6},
         {"claim", "", [](const BenesPoint& point) { return std::string(name_of(rule_on_share(point))); }}});
}

} // namespace nocturne::benes_design_space
