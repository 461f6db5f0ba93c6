// The channels of a grid by dimension and direction: what routings that follow coordinates go by.
#pragma once

#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// Along a dimension: towards higher coordinates, or towards lower ones.
enum class GridDirection : std::uint8_t { positive, negative };

/// Which way round a torus a message goes whose destination is half a ring away: always in the positive
/// direction, or alternating, in the positive one where the sum of the coordinates of the router at which it
/// enters the ring is even. Under uniform traffic the positive channels of a ring of k (even) carry (k + 2) /
/// (k - 2) times what the negative ones do; alternating, all of them the same if k is a multiple of 4.
enum class HalfWay { positive, alternating };

/// The way from each router to its neighbours in the grid. A dimension of a torus is one-way if all its
/// channels lead in one direction: a message then goes that way round, however far it is. A value that needs
/// the topology no longer once it is made.
class GridSteps {
public:
    /// Of a topology that has a grid(). Of parallel channels the first is taken, and channels that do not
    /// join neighbours of the grid are ignored.
    explicit GridSteps(const Topology& topology);

    std::size_t dimensions() const { return stride_.size(); }
    bool wraps() const { return grid_.wraps; }
    unsigned extent(std::size_t d) const { return grid_.extent[d]; }
    /// Of neighbours in router indices.
    RouterId stride(std::size_t d) const { return stride_[d]; }
    unsigned coordinate(RouterId router, std::size_t d) const
    {
        return router / stride_[d] % grid_.extent[d];
    }
    ChannelId channel(RouterId router, std::size_t d, GridDirection direction) const
    {
        return channels_[index(router, d, direction)];
    }
    bool is_one_way() const;

    /// The shorter way from coordinate `from` to coordinate `to`, or the only one.
    GridDirection direction(std::size_t d, unsigned from, unsigned to) const;
    /// The shorter way from a router to coordinate `to`, or the only one.
    GridDirection direction_from(RouterId router, std::size_t d, unsigned to, HalfWay half_way) const;
    /// Is it as far both ways round from a router to coordinate `to`?
    bool is_half_way(RouterId router, std::size_t d, unsigned to) const;
    /// Does the way from coordinate `from` to coordinate `to` cross the dateline, but not in its first hop?
    bool crosses_later(std::size_t d, unsigned from, unsigned to) const;
    bool are_neighbours(RouterId a, RouterId b) const;

    /// Adds the hops in one dimension to coordinate `to`, in class 0; the router at which they end. Without a
    /// division or a look at the topology for each hop: traffic takes a route for each packet.
    RouterId go_along(std::size_t d, unsigned to, GridDirection direction, RouterId at, Route& route) const;

    /// What a message says of the first channel that is missing.
    const std::optional<std::string>& missing() const { return missing_; }

private:
    std::size_t index(RouterId router, std::size_t d, GridDirection direction) const
    {
        return (router * dimensions() + d) * 2 + static_cast<std::size_t>(direction);
    }
    std::optional<RouterId> neighbour(RouterId router, std::size_t d, GridDirection direction) const;
    void add(const Topology& topology, RouterId router, std::size_t d, GridDirection direction);
    bool is_there(std::size_t d, GridDirection direction) const;
    void find_only_directions();
    void find_missing(const Topology& topology);

    Grid grid_;
    std::vector<RouterId> stride_;    ///< by dimension
    std::vector<ChannelId> channels_; ///< by router, dimension, direction
    /// By dimension, of all its channels, if they have but one.
    std::vector<std::optional<GridDirection>> only_;
    std::optional<std::string> missing_;
};

using SharedGridSteps = std::shared_ptr<const GridSteps>;

/// Throws std::invalid_argument, naming `routing`, if the topology has no grid() or misses a channel between
/// two neighbours of the grid.
SharedGridSteps complete_grid(const Topology& topology, std::string_view routing);

/// Has the topology a grid with all channels between neighbours, and only these? Then dimension order is
/// minimal: it is not in a folded hypercube, whose links across it ignores.
bool is_complete_grid(const Topology& topology);

} // namespace nocturne
