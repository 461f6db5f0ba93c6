#include "schedules/certificate/drat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace nocturne {
namespace {

using ClauseId = std::uint32_t;

constexpr ClauseId no_clause = ~ClauseId{0};

/// One line of a proof.
struct ProofLine {
    bool deletes = false;
    std::vector<Literal> literals;
};

/// `1 -2 0`, `d 1 -2 0`; nothing if it is not of that form.
std::optional<ProofLine> parse_line(std::string_view text)
{
    ProofLine line;
    if (text.starts_with("d ")) {
        line.deletes = true;
        text.remove_prefix(2);
    }
    while (true) {
        while (text.starts_with(' '))
            text.remove_prefix(1);
        Literal literal = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), literal);
        if (error != std::errc{} || literal == std::numeric_limits<Literal>::min())
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (literal == 0)
            return text.empty() ? std::optional(std::move(line)) : std::nullopt;
        line.literals.push_back(literal);
    }
}

/// The clauses that hold so far, and what unit propagation makes of them.
class Checker {
public:
    explicit Checker(int variables) { reserve(variables); }

    /// Have the clauses been found to contradict each other?
    bool refuted() const { return refuted_; }
    void add(std::span<const Literal> literals);
    /// Does the clause follow, or can it be added without making a satisfiable formula unsatisfiable?
    bool is_redundant(std::span<const Literal> literals);
    /// False if there is no such clause.
    bool remove(std::span<const Literal> literals);

private:
    struct Clause {
        std::size_t begin;
        std::uint32_t size;
        bool removed = false;
    };

    /// A clause that watches a literal, and another literal of it: if that one is true there is nothing to
    /// do.
    struct Watch {
        ClauseId clause;
        Literal blocker;
    };

    static std::size_t index(Literal literal)
    {
        return 2 * static_cast<std::size_t>(std::abs(literal)) + (literal < 0 ? 1 : 0);
    }
    static std::vector<Literal> normal(std::span<const Literal> literals);
    static std::uint64_t hash(std::span<const Literal> literals);

    void reserve(int variables);
    std::span<Literal> literals_of(ClauseId id)
    {
        return std::span(literals_).subspan(clauses_[id].begin, clauses_[id].size);
    }
    bool is_true(Literal literal) const { return value_[index(literal)] > 0; }
    bool is_false(Literal literal) const { return value_[index(literal)] < 0; }
    void assign(Literal literal, ClauseId reason);
    bool propagate();
    bool visit_watches(Literal falsified);
    bool assume_negation(std::span<const Literal> literals, Literal except);
    void undo(std::size_t assigned);
    bool is_resolution_asymmetric_tautology(Literal pivot);

    std::vector<Literal> literals_;
    std::vector<Clause> clauses_;
    std::unordered_multimap<std::uint64_t, ClauseId> by_hash_;
    std::vector<std::vector<Watch>> watches_; ///< by index of a literal: the clauses that watch it
    std::vector<std::int8_t> value_;          ///< by index of a literal: 1 true, -1 false, 0 open
    std::vector<ClauseId> reason_;            ///< by variable: the clause that made it true or false
    std::vector<Literal> trail_;              ///< true literals, in the order of assignment
    std::size_t propagated_ = 0;
    bool refuted_ = false;
};

void Checker::reserve(int variables)
{
    const auto size = static_cast<std::size_t>(variables) + 1;
    if (reason_.size() >= size)
        return;
    reason_.resize(size, no_clause);
    watches_.resize(2 * size);
    value_.resize(2 * size);
}

/// Ascending, none twice: one form for every order in which a clause is written down.
std::vector<Literal> Checker::normal(std::span<const Literal> literals)
{
    std::vector<Literal> sorted(literals.begin(), literals.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
}

/// The same for every order of the literals.
std::uint64_t Checker::hash(std::span<const Literal> literals)
{
    std::uint64_t sum = literals.size();
    for (const Literal literal : literals) {
        std::uint64_t x = static_cast<std::uint32_t>(literal) * 0x9e3779b97f4a7c15u;
        x ^= x >> 32;
        sum += x * 0xd6e8feb86659fd93u;
    }
    return sum;
}

void Checker::assign(Literal literal, ClauseId reason)
{
    value_[index(literal)] = 1;
    value_[index(-literal)] = -1;
    reason_[static_cast<std::size_t>(std::abs(literal))] = reason;
    trail_.push_back(literal);
}

void Checker::undo(std::size_t assigned)
{
    for (; trail_.size() > assigned; trail_.pop_back()) {
        const Literal literal = trail_.back();
        value_[index(literal)] = value_[index(-literal)] = 0;
        reason_[static_cast<std::size_t>(std::abs(literal))] = no_clause;
    }
    propagated_ = assigned;
}

/// Makes true what the last open literal of a clause must be, until there are no more; false if a clause has
/// no literal left.
bool Checker::propagate()
{
    while (propagated_ < trail_.size())
        if (!visit_watches(-trail_[propagated_++]))
            return false;
    return true;
}

bool Checker::visit_watches(Literal falsified)
{
    std::vector<Watch>& watches = watches_[index(falsified)];
    std::size_t kept = 0;
    bool consistent = true;
    for (std::size_t i = 0; i < watches.size(); ++i) {
        const Watch watch = watches[i];
        if (!consistent || is_true(watch.blocker)) {
            watches[kept++] = watch;
            continue;
        }
        const Clause& clause = clauses_[watch.clause];
        if (clause.removed)
            continue;
        Literal* const literals = literals_.data() + clause.begin; // the first two are watched
        if (literals[0] == falsified)
            std::swap(literals[0], literals[1]);
        const Literal other = literals[0];
        if (!is_true(other)) {
            Literal* const end = literals + clause.size;
            Literal* const open = std::find_if(literals + 2, end, [&](Literal l) { return !is_false(l); });
            if (open != end) {
                std::swap(literals[1], *open);
                watches_[index(literals[1])].push_back({watch.clause, other});
                continue;
            }
            if (is_false(other))
                consistent = false;
            else
                assign(other, watch.clause);
        }
        watches[kept++] = {watch.clause, other};
    }
    watches.resize(kept);
    return consistent;
}

void Checker::add(std::span<const Literal> given)
{
    const std::vector<Literal> literals = normal(given);
    if (!literals.empty())
        reserve(std::max(std::abs(literals.front()), std::abs(literals.back())));
    const auto id = static_cast<ClauseId>(clauses_.size());
    clauses_.push_back({literals_.size(), static_cast<std::uint32_t>(literals.size())});
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    by_hash_.emplace(hash(literals), id);

    const std::span<Literal> its = literals_of(id);
    const auto open = std::partition(its.begin(), its.end(), [&](Literal l) { return !is_false(l); });
    if (its.size() >= 2)
        for (const std::size_t watched : {0, 1})
            watches_[index(its[watched])].push_back({id, its[1 - watched]});
    if (open == its.begin())
        refuted_ = true;
    else if (open == its.begin() + 1 && !is_true(its[0]))
        assign(its[0], id);
    refuted_ = refuted_ || !propagate();
}

/// Makes all literals false but `except`, and what follows from that; false if that is contradictory.
bool Checker::assume_negation(std::span<const Literal> literals, Literal except)
{
    for (const Literal literal : literals) {
        if (literal == except || is_false(literal))
            continue;
        if (is_true(literal))
            return false;
        assign(-literal, no_clause);
    }
    return propagate();
}

bool Checker::is_redundant(std::span<const Literal> literals)
{
    for (const Literal literal : literals)
        reserve(std::abs(literal));
    const std::size_t assigned = trail_.size();
    const bool redundant = !assume_negation(literals, 0) ||
                           (!literals.empty() && is_resolution_asymmetric_tautology(literals.front()));
    undo(assigned);
    return redundant;
}

/// With the negation of a lemma assumed: does each of its resolvents upon `pivot` follow?
bool Checker::is_resolution_asymmetric_tautology(Literal pivot)
{
    const std::size_t assigned = trail_.size();
    for (ClauseId id = 0; id < clauses_.size(); ++id) {
        if (clauses_[id].removed)
            continue;
        const std::span<const Literal> literals = literals_of(id);
        if (std::find(literals.begin(), literals.end(), -pivot) == literals.end())
            continue;
        // Propagation reorders the literals of clauses.
        const std::vector<Literal> resolved(literals.begin(), literals.end());
        const bool follows = !assume_negation(resolved, -pivot);
        undo(assigned);
        if (!follows)
            return false;
    }
    return true;
}

bool Checker::remove(std::span<const Literal> given)
{
    const std::vector<Literal> literals = normal(given);
    const auto [first, last] = by_hash_.equal_range(hash(literals));
    for (auto entry = first; entry != last; ++entry) {
        const ClauseId id = entry->second;
        if (normal(literals_of(id)) != literals)
            continue;
        const bool is_reason = std::any_of(literals.begin(), literals.end(), [&](Literal literal) {
            return is_true(literal) &&
                   reason_[static_cast<std::size_t>(literal < 0 ? -literal : literal)] == id;
        });
        if (!is_reason) {
            clauses_[id].removed = true;
            by_hash_.erase(entry);
        }
        return true;
    }
    return false;
}

} // namespace

std::optional<std::string> refute_proof(const Formula& formula, std::string_view proof)
{
    Checker checker(formula.variable_count());
    for (std::size_t i = 0; i < formula.clause_count() && !checker.refuted(); ++i)
        checker.add(formula.clause(i));
    for (std::size_t number = 1; !checker.refuted() && !proof.empty(); ++number) {
        const std::size_t end = proof.find('\n');
        if (end == std::string_view::npos)
            return fmt::format("proof, line {}: it is cut off", number);
        const auto line = parse_line(proof.substr(0, end));
        proof.remove_prefix(end + 1);
        if (!line)
            return fmt::format("proof, line {}: neither a lemma nor a deletion", number);
        if (line->deletes) {
            if (!checker.remove(line->literals))
                return fmt::format("proof, line {}: it deletes a clause that is not there", number);
        } else if (!checker.is_redundant(line->literals)) {
            return fmt::format("proof, line {}: the lemma does not follow", number);
        } else {
            checker.add(line->literals);
        }
    }
    if (!checker.refuted())
        return "proof: it ends without a contradiction";
    return std::nullopt;
}

} // namespace nocturne
