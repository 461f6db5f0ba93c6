#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

std::string extent_name(std::string_view kind, std::span<const unsigned> extent)
{
    return fmt::format("{}:{}", kind, fmt::join(extent, "x"));
}

enum class Links { two_way, one_way };

/// Do links lead from each router to the next one in a dimension of this extent, round to the first? A ring
/// of two is one link, or two channels.
bool closes(const Grid& grid, Links links, unsigned extent)
{
    return grid.wraps && extent > (links == Links::two_way ? 2 : 1);
}

void check_grid(const std::string& name, const Grid& grid)
{
    if (grid.extent.empty() || std::ranges::count(grid.extent, 0u) > 0)
        throw std::invalid_argument(fmt::format("{}: every extent is at least 1", name));
    std::uint64_t routers = 1;
    for (const unsigned extent : grid.extent)
        routers = saturating_product({routers, extent});
    check_size(name, {0, routers, saturating_product({2, grid.extent.size(), routers})});
}

/// The routers and links of a grid, without processors. Links are in the order of routers, for each router in
/// the order of dimensions.
Topology build_grid(const std::string& name, const Grid& grid, const NameOfPlace& router_name,
                    unsigned processors = 1, Links links = Links::two_way)
{
    Topology topology(name);
    add_grid_routers(topology, grid, router_name, processors);
    const auto routers = static_cast<RouterId>(topology.router_count());
    const auto join = [&](RouterId from, RouterId to) {
        if (links == Links::two_way)
            topology.add_link(from, to);
        else
            topology.add_channel(from, to);
    };
    for (RouterId r = 0; r < routers; ++r) {
        const std::vector<unsigned> place = topology.coordinates(r);
        RouterId stride = routers;
        for (std::size_t d = 0; d < place.size(); ++d) {
            const unsigned extent = grid.extent[d];
            stride /= extent;
            if (place[d] + 1 < extent)
                join(r, r + stride);
            else if (closes(grid, links, extent))
                join(r, r - (extent - 1) * stride);
        }
    }
    return topology;
}

Topology build_direct_grid(std::string_view kind, Grid grid, Links links = Links::two_way)
{
    const std::string name = extent_name(kind, grid.extent);
    check_grid(name, grid);
    std::uint64_t routers = 1;
    for (const unsigned extent : grid.extent)
        routers *= extent;
    check_size(name, {routers, routers, 0});
    Topology topology = build_grid(name, grid, coordinate_names(grid), 1, links);
    for (RouterId r = 0; r < topology.router_count(); ++r)
        topology.add_processor(r);
    return topology;
}

Topology build_hypercube(const std::string& name, unsigned dimensions)
{
    const std::uint64_t routers = saturating_power(2, dimensions);
    check_size(name, {routers, routers, saturating_product({dimensions + std::uint64_t{1}, routers})});
    Topology topology = build_grid(name, Grid{std::vector<unsigned>(dimensions, 2), false},
                                   [](std::span<const unsigned>) { return std::string(); });
    for (RouterId r = 0; r < topology.router_count(); ++r)
        topology.add_processor(r);
    return topology;
}

} // namespace

Topology make_mesh(std::span<const unsigned> extent)
{
    return build_direct_grid("mesh", Grid{{extent.begin(), extent.end()}, false});
}

Topology make_torus(std::span<const unsigned> extent)
{
    return build_direct_grid("torus", Grid{{extent.begin(), extent.end()}, true});
}

Topology make_oneway_torus(std::span<const unsigned> extent)
{
    return build_direct_grid("oneway_torus", Grid{{extent.begin(), extent.end()}, true}, Links::one_way);
}

Topology make_hypercube(unsigned dimensions)
{
    const std::string name = fmt::format("hypercube:{}", dimensions);
    if (dimensions < 1)
        throw std::invalid_argument(fmt::format("{}: at least 1 dimension", name));
    return build_hypercube(name, dimensions);
}

Topology make_folded_hypercube(unsigned dimensions)
{
    const std::string name = fmt::format("folded_hypercube:{}", dimensions);
    if (dimensions < 2)
        throw std::invalid_argument(fmt::format("{}: at least 2 dimensions", name));
    Topology topology = build_hypercube(name, dimensions);
    const auto routers = static_cast<RouterId>(topology.router_count());
    for (RouterId r = 0; r < routers / 2; ++r)
        topology.add_link(r, routers - 1 - r);
    return topology;
}

Topology make_coated_mesh(unsigned rows, unsigned columns)
{
    const Grid grid{{rows, columns}, false};
    const std::string name = extent_name("coated_mesh", grid.extent);
    if (rows < 2 || columns < 2)
        throw std::invalid_argument(fmt::format("{}: at least 2 rows and 2 columns", name));
    check_grid(name, grid);
    check_size(name, {2 * (std::uint64_t{rows} + columns), 0, 0});

    Topology topology = build_grid(name, grid, coordinate_names(grid));
    const auto attach = [&](unsigned row, unsigned column) {
        const RouterId router = row * columns + column;
        topology.add_processor(router, router, fmt::format("p{}", topology.processor_count()));
    };
    for (unsigned c = 0; c < columns; ++c)
        attach(0, c);
    for (unsigned r = 0; r < rows; ++r)
        attach(r, columns - 1);
    for (unsigned c = columns; c-- > 0;)
        attach(rows - 1, c);
    for (unsigned r = rows; r-- > 0;)
        attach(r, 0);
    topology.set_default_ports(one_port);
    return topology;
}

Topology make_concentrated_mesh(unsigned rows, unsigned columns, unsigned processors)
{
    const Grid grid{{rows, columns}, false};
    const std::string name = fmt::format("cmesh:{}x{}x{}", rows, columns, processors);
    if (processors < 1)
        throw std::invalid_argument(fmt::format("{}: at least 1 processor a router", name));
    check_grid(name, grid);
    check_size(name, {saturating_product({rows, columns, processors}), 0, 0});
    Topology topology = build_grid(name, grid, coordinate_names(grid), processors);
    attach_processors(topology, processors);
    return topology;
}

Topology make_folded_torus(std::span<const unsigned> extent)
{
    const Grid grid{{extent.begin(), extent.end()}, true};
    const std::string name = extent_name("folded_torus", grid.extent);
    check_grid(name, grid);
    const Topology torus = build_grid(name, grid, coordinate_names(grid));
    // Where a router of a ring stands: out over the even places, back over the odd ones.
    const auto fold = [](unsigned at, unsigned places) {
        return 2 * at < places ? 2 * at : 2 * (places - at) - 1;
    };
    const std::vector<Position> steps = drawing_steps(grid.extent);
    Topology topology(name);
    std::vector<std::vector<unsigned>> places;
    for (RouterId r = 0; r < torus.router_count(); ++r) {
        std::vector<unsigned>& place = places.emplace_back(torus.coordinates(r));
        for (std::size_t d = 0; d < place.size(); ++d)
            place[d] = fold(place[d], grid.extent[d]);
        topology.add_router(torus.router_name(r), place_of(place, steps));
    }
    topology.set_grid(grid);
    for (Channel channel : torus.channels()) {
        unsigned length = 0;
        for (std::size_t d = 0; d < grid.extent.size(); ++d) {
            const unsigned a = places[channel.source][d], b = places[channel.target][d];
            length += std::max(a, b) - std::min(a, b);
        }
        channel.latency_cycles = length;
        channel.length = length;
        topology.add_channel(channel);
    }
    attach_processors(topology, 1);
    return topology;
}

Topology make_twisted_torus(unsigned rows, unsigned columns, unsigned twist)
{
    const Grid grid{{rows, columns}, false};
    const std::string name = 2 * std::uint64_t{twist} == columns
                                 ? fmt::format("twisted_torus:{},{}", rows, columns)
                                 : fmt::format("twisted_torus:{},{},{}", rows, columns, twist);
    if (rows < 2 || columns < 3 || twist >= columns)
        throw std::invalid_argument(
            fmt::format("{}: at least 2 rows and 3 columns, and a twist below the columns", name));
    check_grid(name, grid);
    check_size(name, {saturating_product({rows, columns}), 0, 0});
    Topology topology(name);
    add_grid_routers(topology, grid, coordinate_names(grid));
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column) {
            const RouterId router = row * columns + column;
            if (row + 1 < rows)
                topology.add_link(router, router + columns);
            else if (rows > 2 || twist > 0)
                topology.add_link(router, (column + twist) % columns);
            topology.add_link(router, row * columns + (column + 1) % columns);
        }
    attach_processors(topology, 1);
    return topology;
}

Topology make_elevator_mesh(unsigned layers, unsigned rows, unsigned columns, unsigned period)
{
    const Grid grid{{layers, rows, columns}, false};
    const std::string name = fmt::format("elevator_mesh:{}x{}x{}x{}", layers, rows, columns, period);
    if (period < 1 || period / 2 >= rows || period / 2 >= columns)
        throw std::invalid_argument(fmt::format(
            "{}: the period is at least 1, and there is an elevator at row and column {}", name, period / 2));
    check_grid(name, grid);
    check_size(name, {saturating_product({layers, rows, columns}), 0, 0});
    const Topology full = build_grid(name, grid, coordinate_names(grid));
    Topology topology(name);
    add_grid_routers(topology, grid, coordinate_names(grid));
    for (const Channel& channel : full.channels()) {
        const std::vector<unsigned> from = full.coordinates(channel.source),
                                    to = full.coordinates(channel.target);
        if (from[0] == to[0] || (from[1] % period == period / 2 && from[2] % period == period / 2))
            topology.add_channel(channel);
    }
    attach_processors(topology, 1);
    return topology;
}

} // namespace nocturne
