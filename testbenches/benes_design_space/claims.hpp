// The paper's claims (Youssef and El-Sayed, Optimization of Randomized Routing on Benes Networks), and what
// is to be said of each.
#pragma once

#include "testbenches/benes_design_space/design_map.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne::benes_design_space {

/// What the measurements say of a claim in one case.
enum class Ruling {
    holds,
    open, ///< the confidence intervals do not decide it
    fails
};

/// `confirmed` if all hold (open ones aside), `refuted` if none does, `confirmed under these conditions`
/// otherwise; `open` if all are.
std::string verdict_of(std::span<const Ruling> rulings);

/// The probability that the permutation delay is at most `limit` is claimed to be at least this.
inline constexpr double claimed_share = 0.995;

/// Is the share of permutations within the limit at least claimed_share? By the point's confidence interval.
Ruling rule_on_share(const BenesPoint& point);

/// What the share of permutations within `limit` network cycles cannot exceed with single randomization on
/// B(q,2), whatever the permutation: the probability that none of the q first switches draws one of its
/// outputs more than `limit` times, since a source keeps its draw and an output takes one message a network
/// cycle. Exact. q from 2, limit from 1.
double most_share_within(std::uint32_t q, std::uint32_t limit);

/// Is the claimed switch size (is one randomizing column) the best? Open if another one is faster, but the
/// intervals meet. The cell has designs with it.
Ruling rule_on_switch_size(const MapCell& cell);
Ruling rule_on_columns(const MapCell& cell);

/// Is `multiple` faster than `single` on one design? Both are the same network under the same kind of
/// permutations. Open if the intervals meet.
Ruling rule_on_randomization(const BenesPoint& single, const BenesPoint& multiple);

/// A row of the verdicts.
struct ClaimRow {
    std::string claim;
    std::string where; ///< `1024 processors, random permutations`
    std::string verdict;
    std::string numbers; ///< what it is said by
};

/// The claims on the share of permutations: of points of B(q,2), random and worst, single and multiple.
std::vector<ClaimRow> claims_on_share(std::span<const BenesPoint> clos, std::uint32_t limit);
/// Of points with both randomizations, design by design next to each other.
ClaimRow claim_on_randomization(const std::string& where, std::span<const BenesPoint> points);
/// Of cells of one machine size and one kind of traffic; none for a machine size without a claim.
std::vector<ClaimRow> claims_on_designs(const std::string& where, std::span<const MapCell> cells);

/// Is the best design what the paper says, with both its switch size and one randomizing column, on all
/// machine sizes at once? Under one kind of traffic, over cells of several sizes: one case for each reading
/// and message length. Nothing for less than two sizes with a claim.
std::optional<ClaimRow> claim_on_all_sizes(const std::string& traffic, std::span<const MapCell> cells);

Table claim_table(std::span<const ClaimRow> rows);

/// One row for each B(q,2): the claim on the share, and what decides it.
Table clos_table(std::span<const BenesPoint> clos, std::uint32_t limit);

} // namespace nocturne::benes_design_space
