#include "schedules/satisfiability/cnf_encoding.hpp"

namespace nocturne {
namespace {

void add_at_most_one(Formula& formula, std::span<const Literal> literals)
{
    // Groups of three and a link to the next: a link holds if any literal of the groups before does.
    constexpr std::size_t group = 3;
    std::vector<Literal> members;
    std::size_t next = 0;
    while (next < literals.size()) {
        const std::size_t left = literals.size() - next;
        const std::size_t taken = left <= group + 1 ? left : group;
        members.insert(members.end(), literals.begin() + next, literals.begin() + next + taken);
        next += taken;
        for (std::size_t i = 0; i < members.size(); ++i)
            for (std::size_t j = i + 1; j < members.size(); ++j)
                formula.add_clause({-members[i], -members[j]});
        if (next == literals.size())
            return;
        const Literal link = formula.add_variable();
        for (const Literal member : members)
            formula.add_clause({-member, link});
        members.assign(1, link);
    }
}

} // namespace

void add_implication(Formula& formula, Literal condition, std::span<const Literal> any_of)
{
    std::vector<Literal> clause{-condition};
    clause.insert(clause.end(), any_of.begin(), any_of.end());
    formula.add_clause(clause);
}

void add_at_most(Formula& formula, unsigned most, std::span<const Literal> literals)
{
    if (literals.size() <= most)
        return;
    if (most == 0) {
        for (const Literal literal : literals)
            formula.add_clause({-literal});
        return;
    }
    if (most == 1) {
        add_at_most_one(formula, literals);
        return;
    }
    // counter[k]: more than k of the literals so far hold.
    std::vector<Literal> counter;
    for (std::size_t i = 0; i < literals.size(); ++i) {
        const bool last = i + 1 == literals.size();
        std::vector<Literal> next;
        for (std::size_t k = 0; k < most && k <= i && !last; ++k) {
            next.push_back(formula.add_variable());
            if (k < counter.size())
                formula.add_clause({-counter[k], next[k]});
            if (k == 0)
                formula.add_clause({-literals[i], next[k]});
            else
                formula.add_clause({-literals[i], -counter[k - 1], next[k]});
        }
        if (counter.size() == most)
            formula.add_clause({-literals[i], -counter[most - 1]});
        counter = std::move(next);
    }
}

} // namespace nocturne
