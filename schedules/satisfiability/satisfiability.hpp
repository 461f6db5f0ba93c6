// Is a formula satisfiable? Decided by CaDiCaL (Biere et al.), deterministically.
#pragma once

#include "schedules/problem/search_end.hpp"
#include "schedules/satisfiability/cnf_encoding.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace nocturne {

/// What limits the search for a model. The same conflict limit gives the same answer, bit for bit.
struct SolveControl {
    std::uint64_t conflicts = 0; ///< the most; 0 = no limit
    SearchEnd end = {};
    std::function<void(std::uint64_t conflicts)> on_progress = {}; ///< called a few times a second at most
    /// If there are any: what the solver tries first, all other variables being false. Changes which model it
    /// finds, and how soon, not whether there is one.
    std::vector<Literal> phases = {};
};

enum class Verdict { satisfiable, unsatisfiable, unknown };

enum class Proof { none, drat };

struct Solution {
    Verdict verdict = Verdict::unknown;
    Model model = {};            ///< if satisfiable
    std::uint64_t conflicts = 0; ///< learned clauses, that is: at most the limit
    std::string proof = {};      ///< if unsatisfiable and asked for: DRAT, one line a lemma or deletion
};

/// A solver that can go on where a limit stopped it: what it has learned it keeps. Its proof is that of all
/// its runs.
class SolverRun {
public:
    /// The formula is copied. Throws std::runtime_error if the proof cannot be stored in the temporary
    /// directory.
    explicit SolverRun(const Formula& formula, Proof proof = Proof::none);
    SolverRun(SolverRun&&) noexcept;
    SolverRun& operator=(SolverRun&&) noexcept;
    ~SolverRun();

    /// The limits are those of this run. Not again once it has been decided.
    Solution run(const SolveControl& control);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// One run. Throws as SolverRun.
Solution solve(const Formula& formula, const SolveControl& control, Proof proof = Proof::none);

} // namespace nocturne
