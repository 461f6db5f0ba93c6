#include "schedules/broadcast/informed_sets.hpp"

#include <CbcEventHandler.hpp>
#include <CbcModel.hpp>
#include <CbcSolver.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>

namespace nocturne {
namespace {

/// Ends the search when the control says so.
class StopHandler final : public CbcEventHandler {
public:
    explicit StopHandler(const SearchControl& control) : control_(&control) {}
    CbcAction event(CbcEvent) override { return control_->is_over() ? stop : noAction; }
    CbcEventHandler* clone() const override { return new StopHandler(*this); }

private:
    const SearchControl* control_;
};

/// The program: nothing to minimise, any solution will do.
///   informed(t, p) in {0, 1}        p has the message after step t; fixed before the first and after the
///   last step sent(t, p) in [0, ports(p)]     how often p sends it in step t, at most ports(p) informed(t -
///   1, p) flow(t, a) in [0, capacity(a)]  in step t over arc a
/// At every node and in every step, what is sent there and flows in is what flows out and informs processors
/// there. With the sets fixed this is a network matrix, so the flows need not be integers.
class Program {
public:
    Program(const StepNetwork& network, const Message& message, unsigned steps);
    InformedSetsResult solve(const SearchControl& control, std::uint64_t most_nodes);

private:
    using Column = int;
    using Row = int;

    Column add_column(double lower, double upper);
    Row add_row(double lower, double upper);
    void add(Row row, Column column, double value) { matrix_.push_back({row, column, value}); }
    void add_step(unsigned step);
    OsiClpSolverInterface load() const;

    struct Entry {
        Row row;
        Column column;
        double value;
    };

    const StepNetwork& network_;
    std::vector<std::vector<Column>> informed_; ///< by step (0 = before the first) and processor
    std::vector<double> column_lower_, column_upper_, row_lower_, row_upper_;
    std::vector<Entry> matrix_;
};

Program::Program(const StepNetwork& network, const Message& message, unsigned steps) : network_(network)
{
    for (unsigned step = 0; step <= steps; ++step) {
        std::vector<Column>& columns = informed_.emplace_back();
        for (ProcessorId p = 0; p < network.processor_count(); ++p) {
            const bool has =
                p == message.origin ||
                (step == steps && std::binary_search(message.receivers.begin(), message.receivers.end(), p));
            const bool may_have = has || step > 0;
            columns.push_back(add_column(has ? 1 : 0, may_have ? 1 : 0));
        }
    }
    for (unsigned step = 1; step <= steps; ++step)
        add_step(step);
}

Program::Column Program::add_column(double lower, double upper)
{
    column_lower_.push_back(lower);
    column_upper_.push_back(upper);
    return static_cast<Column>(column_lower_.size() - 1);
}

Program::Row Program::add_row(double lower, double upper)
{
    row_lower_.push_back(lower);
    row_upper_.push_back(upper);
    return static_cast<Row>(row_lower_.size() - 1);
}

void Program::add_step(unsigned step)
{
    std::vector<Row> balance(network_.node_count());
    for (Row& row : balance)
        row = add_row(0, 0);
    for (const StepNetwork::Arc& arc : network_.arcs()) {
        const Column flow = add_column(0, arc.capacity);
        add(balance[arc.from], flow, -1);
        add(balance[arc.to], flow, 1);
    }
    for (ProcessorId p = 0; p < network_.processor_count(); ++p) {
        const Column before = informed_[step - 1][p];
        const Column after = informed_[step][p];
        const double ports = network_.send_ports(p);
        const Column sent = add_column(0, ports);
        const Row only_informed = add_row(-std::numeric_limits<double>::max(), 0);
        add(only_informed, sent, 1);
        add(only_informed, before, -ports);
        const Row stays_informed = add_row(0, 1);
        add(stays_informed, after, 1);
        add(stays_informed, before, -1);
        add(balance[network_.injection(p)], sent, 1);
        add(balance[network_.ejection(p)], after, -1);
        add(balance[network_.ejection(p)], before, 1);
    }
}

OsiClpSolverInterface Program::load() const
{
    std::vector<int> rows, columns;
    std::vector<double> values;
    for (const Entry& entry : matrix_) {
        rows.push_back(entry.row);
        columns.push_back(entry.column);
        values.push_back(entry.value);
    }
    CoinPackedMatrix matrix(true, rows.data(), columns.data(), values.data(),
                            static_cast<int>(values.size()));
    matrix.setDimensions(static_cast<int>(row_lower_.size()), static_cast<int>(column_lower_.size()));
    const std::vector<double> objective(column_lower_.size(), 0.0);
    OsiClpSolverInterface solver;
    solver.messageHandler()->setLogLevel(0);
    solver.loadProblem(matrix, column_lower_.data(), column_upper_.data(), objective.data(),
                       row_lower_.data(), row_upper_.data());
    for (const std::vector<Column>& step : informed_)
        for (const Column column : step)
            solver.setInteger(column);
    return solver;
}

InformedSetsResult Program::solve(const SearchControl& control, std::uint64_t most_nodes)
{
    OsiClpSolverInterface solver = load();
    CbcModel model(solver);
    model.setLogLevel(0);
    model.messageHandler()->setLogLevel(0);
    CbcMain0(model);
    const StopHandler stop(control);
    model.passInEventHandler(&stop);
    if (most_nodes > 0)
        model.setMaximumNodes(static_cast<int>(std::min<std::uint64_t>(most_nodes, 1 << 30)));
    if (control.deadline !=
        std::chrono::steady_clock::time_point::max()) // the handler is not asked while presolving
        model.setMaximumSeconds(
            std::chrono::duration<double>(control.deadline - std::chrono::steady_clock::now()).count());
    // Presolving of CoinUtils 2.11 leaks memory where it finds a program infeasible.
    std::array<const char*, 9> arguments{"nocturne",    "-log", "0",      "-presolve", "off",
                                         "-preprocess", "off",  "-solve", "-quit"};
    CbcMain1(static_cast<int>(arguments.size()), arguments.data(), model);

    InformedSetsResult result;
    result.nodes = static_cast<std::uint64_t>(std::max(0, model.getNodeCount()));
    if (const double* const solution = model.bestSolution()) {
        result.outcome = Outcome::found;
        InformedSets& sets = result.sets.emplace();
        for (const std::vector<Column>& columns : informed_) {
            std::vector<bool>& set = sets.emplace_back();
            for (const Column column : columns)
                set.push_back(solution[column] > 0.5);
        }
    } else if (model.isProvenInfeasible() && !control.is_over()) {
        result.outcome = Outcome::impossible;
    }
    return result;
}

} // namespace

InformedSetsResult find_informed_sets(const StepNetwork& network, const Message& message, unsigned steps,
                                      const SearchControl& control, std::uint64_t most_nodes)
{
    return Program(network, message, steps).solve(control, most_nodes);
}

} // namespace nocturne
