#include "schedules/satisfiability/satisfiability.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <cstdio>
#include <limits>
#include <stdexcept>

namespace nocturne {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

namespace {

using Clock = SearchEnd::Clock;

/// What the solver asks and tells while it searches: it counts conflicts nowhere that we could read.
class Watcher final : public CaDiCaL::Terminator, public CaDiCaL::Learner {
public:
    explicit Watcher(const SolveControl& control) : control_(control) {}

    bool terminate() override
    {
        if (control_.on_progress && !control_.end.is_stopped() && Clock::now() >= next_report_) {
            control_.on_progress(conflicts());
            next_report_ = Clock::now() + std::chrono::milliseconds(250);
        }
        return control_.end.has_come();
    }

    bool learning(int) override
    {
        ++learned_;
        return false;
    }
    void learn(int) override {}

    /// Units that were learned otherwise are counted too, but never beyond the limit.
    std::uint64_t conflicts() const
    {
        return control_.conflicts == 0 ? learned_ : std::min(learned_, control_.conflicts);
    }

private:
    const SolveControl& control_;
    std::uint64_t learned_ = 0;
    Clock::time_point next_report_ = Clock::now() + std::chrono::milliseconds(250);
};

File open_temporary_file()
{
    File file(std::tmpfile());
    if (!file)
        throw std::runtime_error("proof: no temporary file can be made");
    return file;
}

std::string contents(std::FILE* file)
{
    if (std::fflush(file) != 0 || std::fseek(file, 0, SEEK_END) != 0)
        throw std::runtime_error("proof: the temporary file cannot be written");
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    if (std::fread(text.data(), 1, text.size(), file) != text.size())
        throw std::runtime_error("proof: the temporary file cannot be read");
    return text;
}

Model model_of(CaDiCaL::Solver& solver, int variables)
{
    Model model(static_cast<std::size_t>(variables) + 1);
    for (int variable = 1; variable <= variables; ++variable)
        model[static_cast<std::size_t>(variable)] = solver.val(variable) > 0;
    return model;
}

} // namespace

struct SolverRun::Implementation {
    int variables;
    File proof; // outlives the solver, which writes it
    CaDiCaL::Solver solver;
};

SolverRun::SolverRun(const Formula& formula, Proof proof)
    : implementation_(new Implementation{
          formula.variable_count(), proof == Proof::drat ? open_temporary_file() : nullptr, {}})
{
    CaDiCaL::Solver& solver = implementation_->solver;
    solver.set("quiet", 1);
    if (implementation_->proof) {
        solver.set("binary", 0);
        solver.trace_proof(implementation_->proof.get(), "proof");
    }
    solver.reserve(formula.variable_count());
    for (std::size_t i = 0; i < formula.clause_count(); ++i) {
        for (const Literal literal : formula.clause(i))
            solver.add(literal);
        solver.add(0);
    }
}

SolverRun::SolverRun(SolverRun&&) noexcept = default;
SolverRun& SolverRun::operator=(SolverRun&&) noexcept = default;
SolverRun::~SolverRun() = default;

Solution SolverRun::run(const SolveControl& control)
{
    auto& [variables, proof, solver] = *implementation_;
    Watcher watcher(control);
    solver.connect_terminator(&watcher);
    solver.connect_learner(&watcher);
    if (control.conflicts > 0)
        solver.limit("conflicts", static_cast<int>(std::min<std::uint64_t>(control.conflicts,
                                                                           std::numeric_limits<int>::max())));
    if (!control.phases.empty()) {
        for (int variable = 1; variable <= variables; ++variable)
            solver.phase(-variable);
        for (const Literal literal : control.phases)
            solver.phase(literal);
    }

    Solution solution;
    const int answer = solver.solve();
    solution.conflicts = watcher.conflicts();
    if (answer == 10) {
        solution.verdict = Verdict::satisfiable;
        solution.model = model_of(solver, variables);
    } else if (answer == 20) {
        solution.verdict = Verdict::unsatisfiable;
        if (proof) {
            solver.close_proof_trace();
            solution.proof = contents(proof.get());
        }
    }
    solver.disconnect_terminator();
    solver.disconnect_learner();
    return solution;
}

Solution solve(const Formula& formula, const SolveControl& control, Proof proof)
{
    return SolverRun(formula, proof).run(control);
}

} // namespace nocturne
