#include "schedules/satisfiability/satisfiability.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/satisfiability/satisfies.hpp"

#include <sstream>
#include <string>

namespace nocturne::cnf_test {

using namespace nocturne::test;

namespace {

/// What a reader of DIMACS sees.
Formula read_dimacs(const std::string& text)
{
    std::istringstream in(text);
    std::string p, cnf;
    int variables = 0;
    std::size_t clauses = 0;
    in >> p >> cnf >> variables >> clauses;
    REQUIRE(p == "p");
    REQUIRE(cnf == "cnf");
    Formula formula;
    for (int i = 0; i < variables; ++i)
        formula.add_variable();
    std::vector<Literal> clause;
    for (Literal literal = 0; in >> literal;) {
        if (literal != 0) {
            clause.push_back(literal);
            continue;
        }
        formula.add_clause(clause);
        clause.clear();
    }
    CHECK(clause.empty());
    CHECK(formula.clause_count() == clauses);
    return formula;
}

} // namespace

TEST_CASE("at most k of n literals: satisfiable together with an assignment if and only if k of it hold",
          "[bounds][cnf]")
{
    const unsigned most = GENERATE(0u, 1u, 2u, 3u);
    const unsigned count = GENERATE(1u, 2u, 4u, 5u, 8u);
    for (unsigned assignment = 0; assignment < 1u << count; ++assignment) {
        Formula formula;
        std::vector<Literal> literals;
        for (unsigned i = 0; i < count; ++i)
            literals.push_back(formula.add_variable());
        add_at_most(formula, most, literals);
        unsigned ones = 0;
        for (unsigned i = 0; i < count; ++i) {
            const bool one = (assignment >> i & 1) != 0;
            ones += one ? 1 : 0;
            formula.add_clause({one ? literals[i] : -literals[i]});
        }
        const Solution solution = solve(formula, {});
        REQUIRE(solution.verdict == (ones <= most ? Verdict::satisfiable : Verdict::unsatisfiable));
        if (solution.verdict == Verdict::satisfiable)
            REQUIRE(satisfies(solution.model, formula));
    }
}

TEST_CASE("a formula survives DIMACS", "[bounds][cnf]")
{
    Formula formula;
    const Literal a = formula.add_variable();
    const Literal b = formula.add_variable();
    formula.add_variable();
    formula.add_clause({a, -b});
    formula.add_clause({-a});
    formula.add_clause({});
    add_implication(formula, b, std::vector{a, -b});
    CHECK(to_dimacs(formula) == "p cnf 3 4\n1 -2 0\n-1 0\n0\n-2 1 -2 0\n");
    CHECK(read_dimacs(to_dimacs(formula)) == formula);
    CHECK(solve(formula, {}).verdict == Verdict::unsatisfiable);
}

} // namespace nocturne::cnf_test
