#include "schedules/chunk_search/timed_schedules.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace nocturne {
namespace {

std::uint64_t key_of(std::uint32_t first, std::uint32_t second)
{
    return std::uint64_t{first} << 32 | second;
}

/// Chunks that go on from processor to processor, in an order that the caller says.
class Exchange {
public:
    explicit Exchange(const TimedProblem& problem)
        : problem_(problem), free_from_(problem.network.link_count(), 0)
    {
    }

    /// One of the hops between them takes the chunk. False if there is none.
    bool send(ChunkId chunk, NodeId from, NodeId to)
    {
        const auto hops = hops_between(problem_, from, to);
        if (hops.empty())
            return false;
        const double bytes = problem_.collective.chunks[chunk].weight * problem_.cost.bytes_per_weight;
        const auto arrival = arrivals_.find(key_of(chunk, from));
        const double there = arrival == arrivals_.end() ? 0 : arrival->second;
        const auto begin_over = [&](std::uint32_t hop) {
            double begin = there;
            for (const LinkId link : problem_.hops[hop].path)
                begin = std::max(begin, free_from_[link]);
            return begin;
        };
        const std::uint32_t best = *std::ranges::min_element(hops, {}, [&](std::uint32_t hop) {
            return begin_over(hop) + bytes / static_cast<double>(problem_.times[hop].bytes_per_cycle);
        });
        const double begin = begin_over(best);
        double end = begin;
        for (const LinkId link : problem_.hops[best].path) {
            free_from_[link] =
                begin + bytes / static_cast<double>(problem_.network.link(link).bytes_per_cycle);
            end = std::max(end, free_from_[link]);
        }
        arrivals_[key_of(chunk, to)] = end;
        outcome_.cycles = std::max(outcome_.cycles, end);
        outcome_.sends.push_back({best, chunk, end});
        return true;
    }

    TimedOutcome finished()
    {
        outcome_.is_complete = true;
        return std::move(outcome_);
    }

private:
    const TimedProblem& problem_;
    std::vector<double> free_from_;                      ///< by link, as if it sent one chunk at a time
    std::unordered_map<std::uint64_t, double> arrivals_; ///< by chunk and node
    TimedOutcome outcome_;
};

/// A transfer, and when its turn is: of an owner's chunks as many go together as there are ways apart, first
/// to the boxes, then inside them, first to those that are near.
struct Turn {
    std::uint32_t slices; ///< that go together
    bool is_inside;       ///< a box
    std::uint32_t distance;
    std::uint32_t slice; ///< among the owner's chunks for the same receivers
    NodeId from;
    NodeId to;
    ChunkId chunk;

    friend auto operator<=>(const Turn&, const Turn&) = default;
};

} // namespace

TimedOutcome direct_exchange(const ProcessorGrid& grid, const TimedProblem& problem)
{
    const auto box_size = grid.sizes.front(),
               box_count = static_cast<std::uint32_t>(grid.members.size()) / box_size;
    std::vector<std::uint32_t> seats(problem.network.processor_count());
    for (std::uint32_t seat = 0; seat < grid.members.size(); ++seat)
        seats[grid.members[seat]] = seat;
    const auto ways_to = [&](std::uint32_t seat) {
        return static_cast<std::uint32_t>(
            hops_between(problem, grid.members.front(), grid.members[seat]).size());
    };
    const std::uint32_t ways = std::max({1U, ways_to(box_size - 1), ways_to(box_size * (box_count - 1))});
    Exchange exchange(problem);
    std::unordered_map<std::uint64_t, std::uint32_t> alike; // chunks of an owner, by their first receiver
    std::vector<Turn> turns;
    for (ChunkId c = 0; c < problem.receivers.size(); ++c) {
        if (problem.receivers[c].empty())
            continue;
        const NodeId owner = problem.collective.chunks[c].contributors.front();
        const std::uint32_t box = seats[owner] / box_size, column = seats[owner] % box_size;
        const std::uint32_t slice = alike[key_of(owner, problem.receivers[c].front())]++;
        std::vector<bool> has_chunk(box_count, false);
        has_chunk[box] = true;
        for (const NodeId receiver : problem.receivers[c]) {
            const std::uint32_t box_there = seats[receiver] / box_size,
                                column_there = seats[receiver] % box_size;
            const NodeId first = grid.members[box_there * box_size + column];
            if (!has_chunk[box_there])
                turns.push_back(
                    {slice / ways, false, (box_there + box_count - box) % box_count, slice, owner, first, c});
            has_chunk[box_there] = true;
            if (receiver != first)
                turns.push_back({slice / ways, true, (column_there + box_size - column) % box_size, slice,
                                 first, receiver, c});
        }
    }
    std::ranges::sort(turns);
    for (const Turn& turn : turns)
        if (!exchange.send(turn.chunk, turn.from, turn.to))
            return {};
    return exchange.finished();
}

std::vector<TimedOutcome> direct_exchanges(const TimedProblem& problem)
{
    std::vector<ProcessorGrid> grids = grids_of_boxes(problem);
    ProcessorGrid line = single_line(problem);
    const NodeId first = line.members.front();
    // What the others do not reach from each other they need not have to send.
    if (std::ranges::all_of(line.members, [&](NodeId member) {
            return member == first || are_joined(problem, first, member);
        }))
        grids.insert(grids.begin(), std::move(line));
    std::vector<TimedOutcome> outcomes;
    for (const ProcessorGrid& grid : grids)
        if (TimedOutcome outcome = direct_exchange(grid, problem); outcome.is_complete)
            outcomes.push_back(std::move(outcome));
    return outcomes;
}

} // namespace nocturne
