#include "models/topology/faults.hpp"
#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace nocturne {

namespace {

constexpr unsigned kite_ports = 4;

struct Offset {
    int rows;
    int columns;
};

constexpr std::array kite_offsets{Offset{1, -2}, Offset{2, -1}, Offset{2, 1}, Offset{1, 2}, Offset{2, 0},
                                  Offset{0, 2},  Offset{1, -1}, Offset{1, 1}, Offset{0, 1}, Offset{1, 0}};

/// Where among them a Kite of a size begins.
std::size_t first_offset(KiteSize size)
{
    return size == KiteSize::large ? 0 : size == KiteSize::medium ? 4 : 6;
}

std::string_view size_name(KiteSize size)
{
    return size == KiteSize::large ? "large" : size == KiteSize::medium ? "medium" : "small";
}

void add_link_of_length(Topology& topology, RouterId a, RouterId b, const Offset& offset)
{
    const double length = std::hypot(offset.rows, offset.columns);
    topology.add_channel(Channel{.source = a, .target = b, .length = length});
    topology.add_channel(Channel{.source = b, .target = a, .length = length});
}

} // namespace

Topology make_hexamesh(unsigned rings)
{
    const std::string name = fmt::format("hexamesh:{}", rings);
    if (rings < 1)
        throw std::invalid_argument(fmt::format("{}: at least 1 ring", name));
    const std::uint64_t count = saturating_product({3, rings, rings + std::uint64_t{1}}) + 1;
    check_size(name, {count, count, saturating_product({count, 6})});
    const unsigned rows = 2 * rings + 1;
    const auto length_of = [&](unsigned row) { return rows - (row < rings ? rings - row : row - rings); };
    Topology topology(name);
    std::vector<RouterId> first;
    for (unsigned row = 0; row < rows; ++row) {
        first.push_back(static_cast<RouterId>(topology.router_count()));
        for (unsigned column = 0; column < length_of(row); ++column)
            topology.add_router(digit_name(std::array{row, column}, rows),
                                Position{column - 0.5 * length_of(row), row * std::sqrt(0.75)});
    }
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < length_of(row); ++column) {
            const RouterId router = first[row] + column;
            if (column + 1 < length_of(row))
                topology.add_link(router, router + 1);
            if (row + 1 == rows)
                continue;
            // Rows grow by one chiplet to the middle, half of it at each end.
            const bool grows = row < rings;
            if (grows || column > 0)
                topology.add_link(router, first[row + 1] + column - (grows ? 0 : 1));
            if (grows || column < length_of(row + 1))
                topology.add_link(router, first[row + 1] + column + (grows ? 1 : 0));
        }
    attach_processors(topology, 1);
    return topology;
}

Topology make_kite(KiteSize size, unsigned rows, unsigned columns)
{
    const std::string name = fmt::format("kite_{}:{}x{}", size_name(size), rows, columns);
    if (rows < 2 || columns < 2)
        throw std::invalid_argument(fmt::format("{}: at least 2 rows and 2 columns", name));
    const std::uint64_t count = saturating_product({rows, columns});
    check_size(name, {count, count, saturating_product({count, kite_ports})});
    Topology topology(name);
    const Grid grid{{rows, columns}, false};
    add_grid_routers(topology, grid, coordinate_names(grid));
    std::vector<unsigned> taken(topology.router_count());
    for (std::size_t i = first_offset(size); i < kite_offsets.size(); ++i) {
        const Offset offset = kite_offsets[i];
        for (RouterId a = 0; a < topology.router_count(); ++a) {
            const std::int64_t row = a / columns + std::int64_t{offset.rows};
            const std::int64_t column = a % columns + std::int64_t{offset.columns};
            if (row >= rows || column < 0 || column >= columns)
                continue;
            const auto b = static_cast<RouterId>(row * columns + column);
            if (taken[a] == kite_ports || taken[b] == kite_ports)
                continue;
            ++taken[a];
            ++taken[b];
            add_link_of_length(topology, a, b, offset);
        }
    }
    attach_processors(topology, 1);
    require_connected(topology);
    return topology;
}

Topology make_butterdonut(unsigned side)
{
    const std::string name = fmt::format("butterdonut:{}", side);
    exact_log2(name, side);
    if (side < 4)
        throw std::invalid_argument(fmt::format("{}: at least 4", name));
    const std::uint64_t count = saturating_product({side, side});
    check_size(name, {count, count, saturating_product({count, 4})});
    Topology topology(name);
    const Grid grid{{side, side}, false};
    add_grid_routers(topology, grid, coordinate_names(grid));
    for (unsigned row = 0; row < side; ++row) {
        const RouterId first = row * side;
        add_link_of_length(topology, first, first + 1, {0, 1});
        for (unsigned column = 0; column + 2 < side; ++column)
            add_link_of_length(topology, first + column, first + column + 2, {0, 2});
        add_link_of_length(topology, first + side - 2, first + side - 1, {0, 1});
    }
    for (unsigned column = 0; column + 1 < side; ++column) {
        const unsigned distance = (column + 1) & ~column; // the highest power of two that divides column + 1
        for (unsigned row = 0; row < side; ++row)
            add_link_of_length(topology, row * side + column, (row ^ distance) * side + column + 1,
                               {static_cast<int>(distance), 1});
    }
    attach_processors(topology, 1);
    return topology;
}

} // namespace nocturne
