// A checker of proofs of unsatisfiability that shares nothing with the solver.
#pragma once

#include "schedules/certificate/cnf_formula.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// Why `proof`, DRAT as text, does not prove that the formula is unsatisfiable, in one line that names the
/// line of the proof; nothing if it does. Each lemma is checked when it comes: by unit propagation (RUP),
/// else by resolution upon its first literal (RAT). Deletions of clauses that make a literal true are
/// ignored, as usual.
///
/// Two watched literals a clause. Source: Wetzler, Heule, Hunt, DRAT-trim: Efficient checking and trimming
/// using expressive clausal proofs, SAT 2014.
std::optional<std::string> refute_proof(const Formula& formula, std::string_view proof);

} // namespace nocturne
