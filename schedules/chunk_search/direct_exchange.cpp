#include "schedules/chunk_search/direct_exchange.hpp"

#include "schedules/chunk_search/boxes.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace nocturne {
namespace {

/// Where a processor is: its box, and its place in it, which is its column.
struct Seat {
    std::uint32_t box = 0;
    std::uint32_t column = 0;
};

std::uint64_t key_of(std::uint32_t first, std::uint32_t second)
{
    return std::uint64_t{first} << 32 | second;
}

/// Hops are in the order of their destinations.
std::span<const std::uint32_t> hops_between(const TimedProblem& problem, NodeId from, NodeId to)
{
    const std::vector<std::uint32_t>& hops = problem.hops_from[from];
    const auto destination = [&](std::uint32_t hop) { return problem.hops[hop].destination; };
    const auto begin = std::ranges::lower_bound(hops, to, {}, destination);
    const auto end = std::ranges::upper_bound(hops, to, {}, destination);
    return {begin, end};
}

bool are_joined(const TimedProblem& problem, NodeId from, NodeId to)
{
    return !hops_between(problem, from, to).empty();
}

std::vector<NodeId> members_of(const TimedProblem& problem)
{
    std::vector<bool> is_member(problem.network.processor_count(), false);
    for (ChunkId c = 0; c < problem.receivers.size(); ++c) {
        is_member[problem.collective.chunks[c].contributors.front()] = true;
        for (const NodeId receiver : problem.receivers[c])
            is_member[receiver] = true;
    }
    std::vector<NodeId> members;
    for (NodeId node = 0; node < is_member.size(); ++node)
        if (is_member[node])
            members.push_back(node);
    return members;
}

/// Those of a box that take part; nothing unless all boxes have as many, two or more, each one hop from each.
std::optional<Boxes> with_members_only(const Boxes& boxes, const std::vector<NodeId>& members,
                                       const TimedProblem& problem)
{
    Boxes result;
    for (const std::vector<NodeId>& box : boxes) {
        std::vector<NodeId>& own = result.emplace_back();
        std::ranges::set_intersection(box, members, std::back_inserter(own));
        if (own.empty())
            result.pop_back();
    }
    for (const std::vector<NodeId>& box : result) {
        if (box.size() != result.front().size() || box.size() < 2)
            return std::nullopt;
        for (const NodeId a : box)
            for (const NodeId b : box)
                if (a != b && !are_joined(problem, a, b))
                    return std::nullopt;
    }
    return result.size() < 2 ? std::nullopt : std::optional(std::move(result));
}

/// Orders each box so that those at one place are joined, each to each; false if that fails.
bool align(Boxes& boxes, const TimedProblem& problem)
{
    std::vector<NodeId>& first = boxes.front();
    for (auto box = boxes.begin() + 1; box != boxes.end(); ++box)
        for (std::size_t place = 0; place < first.size(); ++place) {
            // Who is at the same place already if that is possible, else the first that is joined to it.
            const auto begin = box->begin() + static_cast<std::ptrdiff_t>(place);
            const auto partner = std::find_if(
                begin, box->end(), [&](NodeId node) { return are_joined(problem, first[place], node); });
            if (partner == box->end())
                return false;
            std::iter_swap(begin, partner);
        }
    for (std::size_t place = 0; place < first.size(); ++place)
        for (const auto& from : boxes)
            for (const auto& to : boxes)
                if (&from != &to && !are_joined(problem, from[place], to[place]))
                    return false;
    return true;
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

/// `boxes` are of one size.
TimedOutcome exchange_in(const Boxes& boxes, const TimedProblem& problem)
{
    const auto box_count = static_cast<std::uint32_t>(boxes.size()),
               box_size = static_cast<std::uint32_t>(boxes.front().size());
    std::vector<Seat> seats(problem.network.processor_count());
    for (std::uint32_t box = 0; box < box_count; ++box)
        for (std::uint32_t column = 0; column < box_size; ++column)
            seats[boxes[box][column]] = {box, column};
    const auto ways_between = [&](NodeId from, NodeId to) {
        return static_cast<std::uint32_t>(hops_between(problem, from, to).size());
    };
    const std::uint32_t ways = std::max({1U, ways_between(boxes.front().front(), boxes.front().back()),
                                         ways_between(boxes.front().front(), boxes.back().front())});
    Exchange exchange(problem);
    std::unordered_map<std::uint64_t, std::uint32_t> alike; // chunks of an owner, by their first receiver
    std::vector<Turn> turns;
    for (ChunkId c = 0; c < problem.receivers.size(); ++c) {
        if (problem.receivers[c].empty())
            continue;
        const NodeId owner = problem.collective.chunks[c].contributors.front();
        const Seat own = seats[owner];
        const std::uint32_t slice = alike[key_of(owner, problem.receivers[c].front())]++;
        std::vector<bool> has_chunk(box_count, false);
        has_chunk[own.box] = true;
        for (const NodeId receiver : problem.receivers[c]) {
            const Seat seat = seats[receiver];
            const NodeId first = boxes[seat.box][own.column];
            if (!has_chunk[seat.box])
                turns.push_back({slice / ways, false, (seat.box + box_count - own.box) % box_count, slice,
                                 owner, first, c});
            has_chunk[seat.box] = true;
            if (receiver != first)
                turns.push_back({slice / ways, true, (seat.column + box_size - own.column) % box_size, slice,
                                 first, receiver, c});
        }
    }
    std::ranges::sort(turns);
    for (const Turn& turn : turns)
        if (!exchange.send(turn.chunk, turn.from, turn.to))
            return {};
    return exchange.finished();
}

} // namespace

std::vector<TimedOutcome> direct_exchanges(const TimedProblem& problem)
{
    const std::vector<NodeId> members = members_of(problem);
    std::vector<Boxes> partitions;
    const auto is_joined_to_first = [&](NodeId member) {
        return member == members.front() || are_joined(problem, members.front(), member);
    };
    if (std::ranges::all_of(members, is_joined_to_first))
        partitions.push_back({members});
    for (const Boxes& boxes : boxes_of(problem.network))
        if (auto own = with_members_only(boxes, members, problem); own && align(*own, problem))
            partitions.push_back(std::move(*own));
    std::vector<TimedOutcome> outcomes;
    for (const Boxes& boxes : partitions)
        if (TimedOutcome outcome = exchange_in(boxes, problem); outcome.is_complete)
            outcomes.push_back(std::move(outcome));
    return outcomes;
}

} // namespace nocturne
