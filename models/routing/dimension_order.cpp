#include "models/routing/dimension_order.hpp"

#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

namespace nocturne {

namespace {

enum Direction : std::size_t { positive, negative };

/// The way from router to neighbour in each dimension and direction.
class GridSteps {
public:
    explicit GridSteps(const Topology& topology)
        : grid_(*topology.grid()), stride_(grid_.extent.size(), 1),
          channels_(topology.router_count() * grid_.extent.size() * 2)
    {
        for (std::size_t d = grid_.extent.size(); d-- > 1;)
            stride_[d - 1] = stride_[d] * grid_.extent[d];
        for (RouterId router = 0; router < topology.router_count(); ++router)
            for (std::size_t d = 0; d < dimensions(); ++d)
                for (const Direction direction : {positive, negative})
                    if (const auto next = neighbour(router, d, direction))
                        add(topology, router, d, direction, *next);
    }

    std::size_t dimensions() const { return stride_.size(); }
    unsigned coordinate(RouterId router, std::size_t d) const
    {
        return router / stride_[d] % grid_.extent[d];
    }
    ChannelId channel(RouterId router, std::size_t d, Direction direction) const
    {
        return channels_[(router * dimensions() + d) * 2 + direction];
    }
    /// The shorter way from coordinate `from` to coordinate `to`.
    Direction direction(std::size_t d, unsigned from, unsigned to) const
    {
        if (!grid_.wraps)
            return from < to ? positive : negative;
        const unsigned forward = (to + grid_.extent[d] - from) % grid_.extent[d];
        return 2 * forward <= grid_.extent[d] ? positive : negative;
    }

    bool are_neighbours(RouterId a, RouterId b) const
    {
        for (std::size_t d = 0; d < dimensions(); ++d)
            if (neighbour(a, d, positive) == b || neighbour(a, d, negative) == b)
                return true;
        return false;
    }

    /// What a message says of the first channel that is missing.
    const std::optional<std::string>& missing() const { return missing_; }

private:
    std::optional<RouterId> neighbour(RouterId router, std::size_t d, Direction direction) const
    {
        const unsigned extent = grid_.extent[d];
        const unsigned from = coordinate(router, d);
        const bool at_edge = from == (direction == positive ? extent - 1 : 0);
        if (extent == 1 || (at_edge && !grid_.wraps))
            return std::nullopt;
        const unsigned to = (from + (direction == positive ? 1 : extent - 1)) % extent;
        return router + to * stride_[d] - from * stride_[d];
    }

    void add(const Topology& topology, RouterId router, std::size_t d, Direction direction, RouterId next)
    {
        const auto ports = topology.channels_from(router);
        const auto found = std::find_if(ports.begin(), ports.end(),
                                        [&](ChannelId id) { return topology.channel(id).target == next; });
        if (found != ports.end())
            channels_[(router * dimensions() + d) * 2 + direction] = *found;
        else if (!missing_)
            missing_ = fmt::format("link {}-{} does not exist", topology.router_name(router),
                                   topology.router_name(next));
    }

    Grid grid_;
    std::vector<unsigned> stride_;    ///< by dimension: distance of neighbours in router indices
    std::vector<ChannelId> channels_; ///< by router, dimension, direction
    std::optional<std::string> missing_;
};

} // namespace

bool is_complete_grid(const Topology& topology)
{
    if (!topology.grid())
        return false;
    const GridSteps steps(topology);
    const auto channels = topology.channels();
    return !steps.missing() && std::all_of(channels.begin(), channels.end(), [&](const Channel& channel) {
        return steps.are_neighbours(channel.source, channel.target);
    });
}

Routing dimension_order(const Topology& topology)
{
    if (!topology.grid())
        throw std::invalid_argument(fmt::format("{}: no grid for dimension-order routing", topology.name()));
    const auto steps = std::make_shared<const GridSteps>(topology);
    if (steps->missing())
        throw std::invalid_argument(
            fmt::format("{}: dimension-order routing: {}", topology.name(), *steps->missing()));

    auto route = [&topology, steps](ProcessorId source, ProcessorId destination) {
        auto [at, end] = endpoints(topology, source, destination);
        Route result;
        for (std::size_t d = steps->dimensions(); d-- > 0;) {
            const unsigned to = steps->coordinate(end, d);
            const Direction direction = steps->direction(d, steps->coordinate(at, d), to);
            while (steps->coordinate(at, d) != to) {
                result.push_back({steps->channel(at, d, direction)});
                at = topology.channel(result.back().channel).target;
            }
        }
        return result;
    };
    return {"dor", 1, route};
}

} // namespace nocturne
