#include "models/routing/random.hpp"
#include "schedules/certificate/drat.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace nocturne::drat_test {

namespace {

/// `holes + 1` pigeons do not fit into `holes` holes.
Formula pigeons(unsigned holes)
{
    Formula formula;
    std::vector<std::vector<Literal>> in_hole(holes);
    for (unsigned pigeon = 0; pigeon <= holes; ++pigeon) {
        std::vector<Literal> somewhere;
        for (auto& hole : in_hole) {
            hole.push_back(formula.add_variable());
            somewhere.push_back(hole.back());
        }
        formula.add_clause(somewhere);
    }
    for (const auto& hole : in_hole)
        add_at_most(formula, 1, hole);
    return formula;
}

/// Three literals a clause, about as many clauses as leave the answer open.
Formula random_formula(std::uint64_t seed, unsigned variables, unsigned clauses)
{
    SplitMix64 random(seed);
    Formula formula;
    for (unsigned i = 0; i < variables; ++i)
        formula.add_variable();
    for (unsigned i = 0; i < clauses; ++i) {
        std::vector<Literal> clause;
        for (unsigned k = 0; k < 3; ++k) {
            const auto variable = static_cast<Literal>(1 + random.below(variables));
            clause.push_back(random.below(2) == 0 ? variable : -variable);
        }
        formula.add_clause(clause);
    }
    return formula;
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string join(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line + '\n';
    return text;
}

} // namespace

TEST_CASE("the solver's proofs are accepted", "[bounds][drat]")
{
    SECTION("pigeons")
    {
        const Formula formula = pigeons(GENERATE(1u, 3u, 6u));
        const Solution solution = solve(formula, {}, Proof::drat);
        REQUIRE(solution.verdict == Verdict::unsatisfiable);
        CHECK(refute_proof(formula, solution.proof) == std::nullopt);
    }
    SECTION("random formulas")
    {
        unsigned unsatisfiable = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Formula formula = random_formula(seed, 60, 300);
            const Solution solution = solve(formula, {}, Proof::drat);
            if (solution.verdict != Verdict::unsatisfiable)
                continue;
            ++unsatisfiable;
            INFO(seed);
            CHECK(refute_proof(formula, solution.proof) == std::nullopt);
        }
        CHECK(unsatisfiable > 20);
    }
}

TEST_CASE("no proof is accepted for a formula that has a model", "[bounds][drat]")
{
    // Proofs of a formula, offered for the same one without some clauses that it cannot do without.
    unsigned offered = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Formula whole = random_formula(seed, 30, 160);
        const Solution solution = solve(whole, {}, Proof::drat);
        if (solution.verdict != Verdict::unsatisfiable)
            continue;
        Formula part;
        for (int i = 0; i < whole.variable_count(); ++i)
            part.add_variable();
        for (std::size_t i = 0; i < whole.clause_count() && solve(part, {}).verdict == Verdict::satisfiable;
             ++i)
            part.add_clause(whole.clause(i));
        Formula satisfiable;
        for (int i = 0; i < whole.variable_count(); ++i)
            satisfiable.add_variable();
        for (std::size_t i = 0; i + 1 < part.clause_count(); ++i)
            satisfiable.add_clause(part.clause(i));
        REQUIRE(solve(satisfiable, {}).verdict == Verdict::satisfiable);
        INFO(seed);
        CHECK(refute_proof(satisfiable, solution.proof) != std::nullopt);
        ++offered;
    }
    CHECK(offered > 20);
}

TEST_CASE("damaged proofs are rejected with the line", "[bounds][drat]")
{
    const Formula formula = pigeons(5);
    const std::string proof = solve(formula, {}, Proof::drat).proof;
    REQUIRE(refute_proof(formula, proof) == std::nullopt);
    std::vector<std::string> lines = lines_of(proof);
    REQUIRE(lines.size() > 10);
    const std::string no_line = "proof, line 1: neither a lemma nor a deletion";
    const std::pair<const char*, std::string> damaged[] = {
        {"", "proof: it ends without a contradiction"},
        {"0\n", "proof, line 1: the lemma does not follow"},
        {"d 1 x 0\n", no_line},
        {"1 2\n", no_line},
        {"1 0 2 0\n", no_line},
        {"-2147483648 0\n", no_line},
        {"99999999999 0\n", no_line},
        {"d 1 2 3 4 0\n", "proof, line 1: it deletes a clause that is not there"},
    };
    for (const auto& [text, refutation] : damaged)
        CHECK(refute_proof(formula, text) == refutation);
    CHECK(refute_proof(formula, proof.substr(0, proof.size() / 3)) != std::nullopt);
    // Without any lemma what is left are deletions and the empty clause.
    lines.erase(std::remove_if(lines.begin(), lines.end(),
                               [](const std::string& line) { return line[0] != 'd' && line != "0"; }),
                lines.end());
    CHECK(refute_proof(formula, join(lines)) != std::nullopt);
}

TEST_CASE("deleting what makes a literal true is ignored, other deletions count", "[bounds][drat]")
{
    Formula formula;
    const Literal a = formula.add_variable();
    const Literal b = formula.add_variable();
    formula.add_clause({a, b});
    formula.add_clause({a, -b});
    formula.add_clause({-a, b});
    formula.add_clause({-a, -b});
    CHECK(refute_proof(formula, "1 0\n0\n") == std::nullopt);
    CHECK(refute_proof(formula, "1 0\nd 1 0\n0\n") == std::nullopt);
    CHECK(refute_proof(formula, "d 2 1 0\n1 0\n") == "proof, line 2: the lemma does not follow");
}

TEST_CASE("a lemma that does not follow may be a resolution asymmetric tautology", "[bounds][drat]")
{
    // A definition of a new variable: x if and only if a and b.
    Formula formula;
    const Literal a = formula.add_variable();
    const Literal b = formula.add_variable();
    formula.add_clause({a, b});
    CHECK(refute_proof(formula, "3 -1 -2 0\n-3 1 0\n-3 2 0\n") == "proof: it ends without a contradiction");
    CHECK(refute_proof(formula, "3 -1 -2 0\n-3 1 0\n-3 2 0\n3 0\n") ==
          "proof, line 4: the lemma does not follow");
}

} // namespace nocturne::drat_test
