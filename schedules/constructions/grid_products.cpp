#include "schedules/constructions/grid_products.hpp"

#include "schedules/constructions/network_shape.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nocturne {

bool advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& sizes)
{
    for (std::size_t d = digits.size(); d-- > 0; digits[d] = 0)
        if (++digits[d] < sizes[d])
            return true;
    return false;
}

GridScatter::GridScatter(const Problem& problem, const Grid& grid, std::vector<ProcessorId> processors,
                         std::string_view construction)
    : problem_(&problem), schedule_(empty_schedule(problem, construction)), extent_(grid.extent),
      stride_(grid.extent.size(), 1), processors_(std::move(processors))
{
    for (std::size_t d = extent_.size() - 1; d-- > 0;)
        stride_[d] = stride_[d + 1] * extent_[d + 1];
}

std::optional<GridScatter> GridScatter::begin(const Problem& problem, const Grid& grid, unsigned ports,
                                              std::string_view construction)
{
    if (!is_among_all(problem.collective, CollectiveKind::alltoall) || common_ports(problem) < ports)
        return std::nullopt;
    const Topology& topology = problem.topology;
    auto processors = processors_of_routers(topology);
    if (!processors)
        return std::nullopt;
    GridScatter scatter(problem, grid, std::move(*processors), construction);
    for (RouterId r = 0; r < topology.router_count(); ++r)
        for (std::size_t d = 0; d < grid.extent.size(); ++d)
            for (const std::size_t direction : {0U, 1U}) {
                const bool at_end =
                    scatter.coordinate(r, d) == (direction == 0 ? grid.extent[d] - 1 : 0) && !grid.wraps;
                const auto channel = at_end ? std::optional(no_channel)
                                            : find_channel(topology, r, scatter.neighbour(r, d, direction));
                if (!channel)
                    return std::nullopt;
                scatter.channels_.push_back(*channel);
            }
    return scatter;
}

RouterId GridScatter::neighbour(RouterId router, std::size_t dimension, std::size_t direction) const
{
    const unsigned here = coordinate(router, dimension), extent = extent_[dimension];
    const unsigned there = (here + (direction == 0 ? 1 : extent - 1)) % extent;
    return router - here * stride_[dimension] + there * stride_[dimension];
}

void GridScatter::send(std::span<const LineMove* const> moves, LegOrder order)
{
    RouterId from = 0;
    for (std::size_t d = 0; d < moves.size(); ++d)
        from += moves[d]->from * stride_[d];
    Path path;
    RouterId at = from;
    for (std::size_t leg = 0; leg < moves.size(); ++leg) {
        const std::size_t d = order == LegOrder::first_first ? leg : moves.size() - 1 - leg;
        while (coordinate(at, d) != moves[d]->to) {
            path.push_back(channels_[(at * extent_.size() + d) * 2 + moves[d]->direction]);
            at = neighbour(at, d, moves[d]->direction);
        }
    }
    if (at == from)
        return;
    path.shrink_to_fit();
    schedule_.steps.back().push_back({*find_message(problem_->collective, processors_[from], processors_[at]),
                                      processors_[from], processors_[at], std::move(path)});
}

void GridScatter::add_product(std::span<const LinePattern* const> patterns, LegOrder order)
{
    std::vector<std::size_t> index(patterns.size(), 0), sizes;
    for (const LinePattern* const pattern : patterns)
        sizes.push_back(pattern->size());
    std::vector<const LineMove*> moves(patterns.size());
    do {
        for (std::size_t d = 0; d < moves.size(); ++d)
            moves[d] = &(*patterns[d])[index[d]];
        send(moves, order);
    } while (advance(index, sizes));
}

void GridScatter::add_products(std::span<const LineTuple* const> tuples, std::size_t shift, LegOrder order)
{
    std::vector<std::size_t> sizes;
    for (const LineTuple* const tuple : tuples)
        sizes.push_back(tuple->size());
    const auto largest = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
    const std::size_t patterns_there = std::exchange(sizes[largest], 1);
    std::vector<std::size_t> index(tuples.size(), 0);
    std::vector<const LinePattern*> patterns(tuples.size());
    do {
        const std::size_t sum = std::accumulate(index.begin(), index.end(), shift);
        for (std::size_t d = 0; d < tuples.size(); ++d)
            patterns[d] = &(*tuples[d])[d == largest ? sum % patterns_there : index[d]];
        add_product(patterns, order);
    } while (advance(index, sizes));
}

std::optional<Schedule> GridScatter::finish() &&
{
    if (!keeps_transfer_rules(*problem_, schedule_))
        return std::nullopt;
    return std::move(schedule_);
}

} // namespace nocturne
