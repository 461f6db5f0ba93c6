#include "models/routing/distances.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/chunk_search/all_reduce.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/message_engines.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/sums/sum_schedules.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// From where the farthest processor is nearest; the first of equal ones.
ProcessorId centre_of(const Topology& topology)
{
    ProcessorId centre = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const auto distances = distances_from(topology, topology.processor(id).injection);
        std::uint64_t farthest = 0;
        for (const Processor& other : topology.processors())
            farthest = std::max<std::uint64_t>(farthest, distances[other.ejection]);
        if (farthest < least) {
            least = farthest;
            centre = id;
        }
    }
    return centre;
}

/// Where the sum of each chunk comes together.
std::vector<ProcessorId> roots_of(const Problem& problem)
{
    const std::size_t chunks = problem.collective.chunks.size();
    if (chunks == 1)
        return {centre_of(problem.topology)};
    std::vector<ProcessorId> roots;
    for (std::size_t id = 0; id < chunks; ++id)
        roots.push_back(static_cast<ProcessorId>(id * problem.collective.processors / chunks));
    return roots;
}

/// With the kind of its messages, by which constructions know it.
Collective with_kind(Collective collective)
{
    if (collective.chunks.size() == 1) {
        const std::uint32_t root = collective.chunks.front().contributors.front();
        if (Collective known = broadcast({collective.processors}, root);
            known.demands == collective.demands && known.chunks == collective.chunks)
            return known;
    } else if (Collective known = allgather({collective.processors});
               known.demands == collective.demands && known.chunks == collective.chunks) {
        return known;
    }
    return collective;
}

/// Looks for a schedule of few steps, and keeps count of what it tries.
class HalfSearch {
public:
    HalfSearch(const SearchControl& control, std::uint64_t effort) : control_(control)
    {
        control_.effort = effort;
        control_.start = nullptr;
    }

    /// Of at most `most` steps, from the lower bound upwards.
    std::optional<Schedule> find(const Problem& problem, unsigned most)
    {
        for (unsigned steps = lower_bound(problem, control_.end.deadline).steps; steps <= most; ++steps)
            for (const std::string_view engine_name : {"construct", "local"}) {
                const Engine& engine = find_engine(engine_name);
                if (control_.end.has_come())
                    return std::nullopt;
                if (!can_try(engine, problem))
                    continue;
                SearchResult result = search(engine, problem, steps, control_);
                tried_ += result.tried;
                if (result.schedule)
                    return std::move(result.schedule);
            }
        return std::nullopt;
    }

    std::uint64_t tried() const { return tried_; }

private:
    SearchControl control_;
    std::uint64_t tried_ = 0;
};

} // namespace

bool suits_reduce_broadcast(const Problem& problem)
{
    const Collective& collective = problem.collective;
    return owes_whole(collective) && std::ranges::all_of(collective.chunks, [&](const Chunk& chunk) {
               return chunk.contributors.size() == collective.processors;
           });
}

SearchResult search_reduce_broadcast(const Problem& problem, unsigned steps, const SearchControl& control)
{
    const std::vector<ProcessorId> roots = roots_of(problem);
    AllReduceHalves halves = all_reduce_halves(problem.collective, roots);
    Problem to_roots = problem, from_roots = problem;
    to_roots.collective = std::move(halves.reduce);
    from_roots.collective = with_kind(std::move(halves.spread));
    Problem backwards = turned(to_roots);
    backwards.collective = with_kind(std::move(backwards.collective));
    // Each half asks two engines, for two numbers of steps or so.
    HalfSearch half(control, control.effort == 0 ? 0 : std::max<std::uint64_t>(1, control.effort / 8));
    const auto gave_up = [&] { return SearchResult{Outcome::gave_up, std::nullopt, half.tried(), 0}; };
    const unsigned least = lower_bound(from_roots, control.end.deadline).steps;
    if (steps <= least)
        return gave_up();
    const auto first = half.find(backwards, steps - least);
    if (!first)
        return gave_up();
    const auto second = half.find(from_roots, steps - static_cast<unsigned>(first->steps.size()));
    if (!second)
        return gave_up();
    Schedule schedule = empty_schedule(problem, "reduce-broadcast");
    schedule.steps = run_backwards(*first, to_roots).steps;
    std::ranges::copy(second->steps, std::back_inserter(schedule.steps));
    return {Outcome::found, std::move(schedule), half.tried(), 0};
}

} // namespace nocturne
