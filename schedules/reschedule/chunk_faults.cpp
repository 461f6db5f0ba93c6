#include "schedules/reschedule/chunk_faults.hpp"

#include "models/topology/faults.hpp"
#include "schedules/chunk_search/network_symmetry.hpp"

#include <map>
#include <stdexcept>

namespace nocturne {
namespace {

/// What tells networks apart that differ by more than names; nothing where the processors play parts of their
/// own.
std::optional<std::vector<std::uint32_t>> form_of(const ChunkProblem& problem)
{
    using enum CollectiveKind;
    for (const CollectiveKind kind : {allreduce, allgather, reduce_scatter, alltoall})
        if (is_among_all(problem.collective, kind))
            return network_form(problem.network);
    return std::nullopt;
}

void search(ChunkFault& row, const ChunkProblem& problem, const PortfolioOptions& options)
{
    const PortfolioResult found = find_schedule(problem, options);
    row.engine = found.engine;
    row.end = found.end;
    row.seconds = found.seconds;
    if (found.schedule)
        row.cycles = found.cycles;
    if (found.bounds.cycles) {
        row.bound = found.bounds.cycles->cycles;
        row.bound_reason = describe(*found.bounds.cycles, problem.network);
    }
}

} // namespace

ChunkFaults chunk_faults(const Topology& topology, FaultKind kind, const ProblemOnRest& problem_on,
                         const PortfolioOptions& options,
                         const std::function<void(std::size_t done, std::size_t total)>& on_progress)
{
    const SearchEnd end{.stop = options.stop};
    ChunkFaults result;
    const std::vector<FaultSet> faults = all_faults(topology, kind);
    result.before = find_schedule(problem_on(topology), options);
    std::map<std::vector<std::uint32_t>, std::size_t> rows_by_form;
    for (std::size_t i = 0; i < faults.size() && !end.is_stopped(); ++i) {
        ChunkFault row{.faults = faults[i], .like = i};
        try {
            const Topology rest = with_faults(topology, row.faults);
            require_connected(rest);
            const ChunkProblem problem = problem_on(rest);
            if (const auto form = form_of(problem))
                row.like = rows_by_form.try_emplace(*form, i).first->second;
            if (row.like == i) {
                search(row, problem, options);
            } else {
                row = result.rows[row.like];
                row.faults = faults[i];
                row.seconds = 0;
            }
        } catch (const std::invalid_argument& error) {
            row.refusal = error.what();
        }
        result.rows.push_back(std::move(row));
        if (on_progress)
            on_progress(i + 1, faults.size());
    }
    return result;
}

} // namespace nocturne
