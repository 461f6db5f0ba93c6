#include "schedules/chunk_search/processor_grid.hpp"

#include "schedules/collective/bandwidth.hpp"

#include <algorithm>
#include <iterator>

namespace nocturne {

bool is_joined(const ProcessorGrid& grid, std::size_t dimension, const TimedProblem& problem)
{
    for (std::uint32_t member = 0; member < grid.members.size(); ++member)
        for (std::uint32_t other = 0; other < grid.sizes[dimension]; ++other) {
            const std::uint32_t there = grid.moved(member, dimension, other);
            if (there != member && !are_joined(problem, grid.members[member], grid.members[there]))
                return false;
        }
    return true;
}

ProcessorGrid single_line(const TimedProblem& problem)
{
    ProcessorGrid line{{}, members_in(problem.collective)};
    line.sizes.push_back(static_cast<std::uint32_t>(line.members.size()));
    return line;
}

namespace {

/// Orders each box so that those at one place are joined, as far as the first box shows.
bool align(Boxes& boxes, const AreJoined& are_joined)
{
    const std::vector<NodeId>& first = boxes.front();
    for (auto box = boxes.begin() + 1; box != boxes.end(); ++box)
        for (std::size_t place = 0; place < first.size(); ++place) {
            // Who is at the same place already if that is possible, else the first that is joined to it.
            const auto begin = box->begin() + static_cast<std::ptrdiff_t>(place);
            const auto partner =
                std::find_if(begin, box->end(), [&](NodeId node) { return are_joined(first[place], node); });
            if (partner == box->end())
                return false;
            std::iter_swap(begin, partner);
        }
    return true;
}

} // namespace

std::optional<ProcessorGrid> aligned_boxes(const Boxes& candidate, const std::vector<NodeId>& members,
                                           const AreJoined& are_joined)
{
    Boxes boxes;
    for (const std::vector<NodeId>& box : candidate) {
        std::vector<NodeId> own;
        std::ranges::set_intersection(box, members, std::back_inserter(own));
        if (!own.empty())
            boxes.push_back(std::move(own));
    }
    const auto size = boxes.empty() ? 0 : boxes.front().size();
    if (boxes.size() < 2 || size < 2 ||
        !std::ranges::all_of(
            boxes, [&](const auto& box) { return box.size() == size; }) ||
        !align(boxes, are_joined))
        return std::nullopt;
    ProcessorGrid grid{{static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(boxes.size())}, {}};
    for (const std::vector<NodeId>& box : boxes)
        grid.members.insert(grid.members.end(), box.begin(), box.end());
    return grid;
}

std::optional<ProcessorGrid> grid_of_columns(const Boxes& candidate, const std::vector<NodeId>& members,
                                             const TimedProblem& problem)
{
    auto grid = aligned_boxes(candidate, members,
                              [&](NodeId from, NodeId to) { return are_joined(problem, from, to); });
    return grid && is_joined(*grid, 1, problem) ? std::move(grid) : std::nullopt;
}

bool is_connected(const ProcessorGrid& grid, std::uint32_t count, const TimedProblem& problem)
{
    std::vector<bool> is_reached(count, false);
    std::vector<std::uint32_t> open{0};
    for (is_reached[0] = true; !open.empty();) {
        const NodeId node = grid.members[open.back()];
        open.pop_back();
        for (std::uint32_t other = 0; other < count; ++other)
            if (!is_reached[other] && are_joined(problem, node, grid.members[other]) &&
                are_joined(problem, grid.members[other], node)) {
                is_reached[other] = true;
                open.push_back(other);
            }
    }
    return std::ranges::find(is_reached, false) == is_reached.end();
}

bool has_equal_boxes(const ProcessorGrid& grid, const TimedProblem& problem)
{
    const std::uint32_t size = grid.sizes.front();
    for (std::uint32_t member = 0; member < grid.members.size(); ++member)
        for (std::uint32_t other = 0; other < size; ++other) {
            const std::uint32_t first = member % size, there = member - first + other;
            if (are_joined(problem, grid.members[member], grid.members[there]) !=
                are_joined(problem, grid.members[first], grid.members[other]))
                return false;
        }
    return is_connected(grid, size, problem);
}

std::vector<ProcessorGrid> grids_of_boxes(const TimedProblem& problem)
{
    const std::vector<NodeId> members = members_in(problem.collective);
    std::vector<ProcessorGrid> grids;
    for (const Boxes& boxes : boxes_of(problem.network))
        if (auto grid = grid_of_columns(boxes, members, problem);
            grid && is_joined(*grid, 0, problem) && std::ranges::find(grids, *grid) == grids.end())
            grids.push_back(std::move(*grid));
    return grids;
}

} // namespace nocturne
