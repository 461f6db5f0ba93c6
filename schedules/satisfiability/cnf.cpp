#include "schedules/satisfiability/cnf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace nocturne {

void Formula::add_clause(std::span<const Literal> literals)
{
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    first_.push_back(literals_.size());
}

void Formula::add_implication(Literal condition, std::span<const Literal> any_of)
{
    literals_.push_back(-condition);
    add_clause(any_of);
}

void Formula::add_at_most_one(std::span<const Literal> literals)
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
                add_clause({-members[i], -members[j]});
        if (next == literals.size())
            return;
        const Literal link = add_variable();
        for (const Literal member : members)
            add_clause({-member, link});
        members.assign(1, link);
    }
}

void Formula::add_at_most(unsigned most, std::span<const Literal> literals)
{
    if (literals.size() <= most)
        return;
    if (most == 0) {
        for (const Literal literal : literals)
            add_clause({-literal});
        return;
    }
    if (most == 1) {
        add_at_most_one(literals);
        return;
    }
    // counter[k]: more than k of the literals so far hold.
    std::vector<Literal> counter;
    for (std::size_t i = 0; i < literals.size(); ++i) {
        const bool last = i + 1 == literals.size();
        std::vector<Literal> next;
        for (std::size_t k = 0; k < most && k <= i && !last; ++k) {
            next.push_back(add_variable());
            if (k < counter.size())
                add_clause({-counter[k], next[k]});
            if (k == 0)
                add_clause({-literals[i], next[k]});
            else
                add_clause({-literals[i], -counter[k - 1], next[k]});
        }
        if (counter.size() == most)
            add_clause({-literals[i], -counter[most - 1]});
        counter = std::move(next);
    }
}

bool satisfies(const Model& model, const Formula& formula)
{
    for (std::size_t i = 0; i < formula.clause_count(); ++i) {
        const auto clause = formula.clause(i);
        if (std::none_of(clause.begin(), clause.end(),
                         [&](Literal literal) { return holds(model, literal); }))
            return false;
    }
    return true;
}

std::string to_dimacs(const Formula& formula)
{
    std::string text = fmt::format("p cnf {} {}\n", formula.variable_count(), formula.clause_count());
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < formula.clause_count(); ++i) {
        for (const Literal literal : formula.clause(i))
            fmt::format_to(out, "{} ", literal);
        text += "0\n";
    }
    return text;
}

} // namespace nocturne
