#include "schedules/flows/congestion_program.hpp"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <algorithm>

namespace nocturne {
namespace {

/// Has a linear program give up when a search ends: looks at the clock every few iterations of the simplex
/// method. CLP's own limit of seconds is of processor time, and it knows no flag.
class EndWatcher final : public ClpEventHandler {
public:
    explicit EndWatcher(const SearchEnd& end) : end_(end) {}

    int event(Event what) override
    {
        constexpr int go_on = -1, give_up = 5;
        constexpr unsigned look_interval = 16;
        const bool looks = what == endOfIteration && ++iterations_ % look_interval == 0;
        return looks && end_.has_come() ? give_up : go_on;
    }
    ClpEventHandler* clone() const override { return new EndWatcher(*this); } // NOLINT: CLP takes it

private:
    SearchEnd end_;
    unsigned iterations_ = 0;
};

/// After the end the model is not isProvenOptimal().
void watch(ClpSimplex& model, const SearchEnd& end)
{
    EndWatcher watcher(end);
    model.passInEventHandler(&watcher); // copies it
}

} // namespace

/// CLP's model, and the columns that it does not have yet.
struct CongestionProgram::Solver {
    ClpSimplex model;
    int first_group_row = 0;
    std::vector<int> starts{0};
    std::vector<int> rows;
    std::vector<double> values;

    void add_columns(double objective);
};

void CongestionProgram::Solver::add_columns(double objective)
{
    const std::size_t count = starts.size() - 1;
    const std::vector<double> lower(count, 0);
    const std::vector<double> upper(count, COIN_DBL_MAX);
    const std::vector<double> objectives(count, objective);
    model.addColumns(static_cast<int>(count), lower.data(), upper.data(), objectives.data(), starts.data(),
                     rows.data(), values.data());
    starts.assign(1, 0);
    rows.clear();
    values.clear();
}

CongestionProgram::CongestionProgram(const WalkGraph& graph, std::size_t groups)
    : graph_(graph), row_(graph.resource_count(), -1), solver_(std::make_unique<Solver>())
{
    Solver& solver = *solver_;
    solver.model.setLogLevel(0);
    // The first column is the congestion: no resource takes more than its capacity times that.
    for (ResourceId resource = 0; resource < graph.resource_count(); ++resource) {
        if (!graph.is_scarce(resource))
            continue;
        row_[resource] = solver.first_group_row++;
        solver.rows.push_back(row_[resource]);
        solver.values.push_back(-static_cast<double>(graph.capacity(resource)));
    }
    const int row_count = solver.first_group_row + static_cast<int>(groups);
    solver.model.resize(row_count, 0);
    for (int row = 0; row < row_count; ++row) {
        const bool is_group = row >= solver.first_group_row;
        solver.model.setRowBounds(row, is_group ? 1 : -COIN_DBL_MAX, is_group ? 1 : 0);
    }
    solver.starts.push_back(static_cast<int>(solver.rows.size()));
    solver.add_columns(1);
}

CongestionProgram::~CongestionProgram() = default;

void CongestionProgram::add(std::size_t group, std::span<const Load> loads)
{
    for (const Load& load : loads)
        if (row_[load.resource] >= 0) {
            solver_->rows.push_back(row_[load.resource]);
            solver_->values.push_back(load.messages);
        }
    solver_->rows.push_back(solver_->first_group_row + static_cast<int>(group));
    solver_->values.push_back(1);
    solver_->starts.push_back(static_cast<int>(solver_->rows.size()));
}

std::optional<CongestionProgram::Solution> CongestionProgram::solve(const SearchEnd& end)
{
    solver_->add_columns(0);
    ClpSimplex& model = solver_->model;
    watch(model, end);
    model.primal();
    work_ +=
        static_cast<std::uint64_t>(model.numberIterations()) * static_cast<std::uint64_t>(model.numberRows());
    if (!model.isProvenOptimal())
        return std::nullopt;
    Solution solution{model.objectiveValue(), std::vector<double>(graph_.resource_count(), 0), {}, {}};
    const double* const duals = model.getRowPrice();
    const double* const values = model.getColSolution();
    for (ResourceId resource = 0; resource < row_.size(); ++resource)
        if (row_[resource] >= 0)
            solution.prices[resource] = std::max(0.0, -duals[row_[resource]]);
    solution.group_costs.assign(duals + solver_->first_group_row, duals + model.numberRows());
    solution.shares.assign(values + 1, values + model.numberColumns());
    return solution;
}

} // namespace nocturne
