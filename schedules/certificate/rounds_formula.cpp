#include "schedules/certificate/rounds_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

void require_steps_and_rounds(const StepsAndRounds& shape)
{
    if (shape.steps == 0 || shape.rounds < shape.steps)
        throw std::invalid_argument(fmt::format("{} steps, {} rounds: a schedule has a step or more, and "
                                                "each of them a round or more",
                                                shape.steps, shape.rounds));
}

RoundsFormula::RoundsFormula(Formula& formula, const StepsAndRounds& shape) : formula_(formula)
{
    // A step has one round and shares in the others.
    const std::uint32_t spare = shape.rounds - shape.steps;
    std::vector<Literal> spent; // spent[k]: the steps so far have more than k of the spare rounds
    for (std::uint32_t t = 0; t < shape.steps; ++t) {
        std::vector<Literal> more(spare);
        for (std::uint32_t k = 0; k < spare; ++k) {
            more[k] = formula_.add_variable();
            if (k > 0)
                formula_.add_clause({-more[k], more[k - 1]});
        }
        std::vector<Literal> next(spare);
        for (std::uint32_t k = 0; k < spare; ++k) {
            next[k] = formula_.add_variable();
            formula_.add_clause({-more[k], next[k]});
            if (!spent.empty())
                formula_.add_clause({-spent[k], next[k]});
        }
        // i + 1 before and k + 1 now are i + k + 2 together; not more than there are.
        for (std::uint32_t i = 0; i < spent.size(); ++i)
            for (std::uint32_t k = 0; k < spare; ++k) {
                if (i + k + 1 < spare)
                    formula_.add_clause({-spent[i], -more[k], next[i + k + 1]});
                else
                    formula_.add_clause({-spent[i], -more[k]});
            }
        spent = std::move(next);
        more_.push_back(std::move(more));
    }
}

void RoundsFormula::limit(std::uint32_t t, std::uint64_t units, std::span<const WeightedLiteral> literals)
{
    const std::vector<Literal>& more = more_[t];
    const std::uint64_t most = units * (more.size() + 1);
    const std::uint64_t total = std::accumulate(literals.begin(), literals.end(), std::uint64_t{0},
                                                [](auto sum, const auto& one) { return sum + one.weight; });
    if (total <= units)
        return;
    Limited key{t, units, {}};
    for (const auto& [literal, weight] : literals)
        key.literals.emplace_back(literal, weight);
    std::sort(key.literals.begin(), key.literals.end());
    if (!limited_.insert(std::move(key)).second)
        return;
    std::vector<Literal> counter; // counter[k]: those so far weigh more than k
    std::uint64_t so_far = 0;
    for (const WeightedLiteral& one : literals) {
        so_far = std::min(so_far + one.weight, most);
        std::vector<Literal> next(so_far);
        for (std::uint64_t k = 0; k < so_far; ++k)
            next[k] = formula_.add_variable();
        for (std::uint64_t k = 0; k < counter.size(); ++k)
            formula_.add_clause({-counter[k], next[k]});
        for (std::uint64_t k = 0; k < std::min(one.weight, most); ++k)
            formula_.add_clause({-one.literal, next[k]});
        if (one.weight > most)
            formula_.add_clause({-one.literal});
        for (std::uint64_t k = 0; k < counter.size(); ++k) {
            if (k + one.weight < most)
                formula_.add_clause({-one.literal, -counter[k], next[k + one.weight]});
            else
                formula_.add_clause({-one.literal, -counter[k]});
        }
        counter = std::move(next);
    }
    // More than k rounds' worth needs more than k rounds.
    for (std::size_t k = 0; k < more.size(); ++k)
        if ((k + 1) * units < counter.size())
            formula_.add_clause({-counter[(k + 1) * units], more[k]});
}

} // namespace nocturne
