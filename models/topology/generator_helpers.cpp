#include "models/topology/generator_helpers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nocturne {

namespace {

/// Where one step in each dimension leads in a drawing: to the right in the last dimension, down in the one
/// before it, backwards in the third from the end. Further dimensions repeat such drawings alternately to the
/// right and below, with a tilt that keeps the lines between them off the routers on their way.
std::vector<Position> drawing_steps(std::span<const unsigned> extent)
{
    constexpr double tilt = 0.9, gap = 0.6;
    const std::size_t dimensions = extent.size();
    const double pitch = dimensions > 2 ? 0.9 * extent[dimensions - 3] + 0.3 : 1.0; // room for those behind
    double width = pitch, height = pitch; // of all that is placed so far
    std::vector<Position> steps(dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) {
        const unsigned places = extent[dimensions - 1 - i];
        Position& step = steps[dimensions - 1 - i];
        const double aside = i < 3 ? 0 : tilt;
        if (i == 2) {
            step = {0.8, -0.65};
        } else if (i == 0 || (i > 2 && i % 2 == 1)) {
            step = {width, aside};
            width = width * places + (i == 0 ? 0 : gap);
            height += aside * (places - 1);
        } else {
            step = {aside, height};
            height = height * places + (i == 1 ? 0 : gap);
            width += aside * (places - 1);
        }
    }
    return steps;
}

Position place_of(std::span<const unsigned> coordinates, std::span<const Position> steps)
{
    Position place{0, 0};
    for (std::size_t d = 0; d < coordinates.size(); ++d) {
        place.x += coordinates[d] * steps[d].x;
        place.y += coordinates[d] * steps[d].y;
    }
    return place;
}

} // namespace

std::string digit_name(std::span<const unsigned> digits, unsigned base)
{
    return fmt::format("{}", fmt::join(digits, base <= 10 ? "" : ","));
}

std::vector<unsigned> digits_of(std::uint64_t value, unsigned base, std::size_t count)
{
    std::vector<unsigned> digits(count);
    for (; count-- > 0; value /= base)
        digits[count] = static_cast<unsigned>(value % base);
    return digits;
}

Position on_circle(unsigned i, unsigned n, double pitch)
{
    if (n < 2)
        return {0, 0};
    const double radius = on_circle_radius(n, pitch);
    const double angle = 2 * std::numbers::pi * i / n;
    return {radius * std::sin(angle), -radius * std::cos(angle)};
}

double on_circle_radius(unsigned n, double pitch)
{
    return n < 2 ? 0 : pitch / (2 * std::sin(std::numbers::pi / n));
}

void attach_processors(Topology& topology, unsigned each)
{
    const auto routers = static_cast<RouterId>(topology.router_count());
    for (RouterId r = 0; r < routers; ++r)
        for (unsigned i = 0; i < each; ++i)
            if (each == 1)
                topology.add_processor(r);
            else
                topology.add_processor(r, r);
    if (each > 1)
        topology.set_default_ports(one_port);
}

void add_grid_routers(Topology& topology, const Grid& grid, const NameOfPlace& router_name,
                      unsigned processors)
{
    const double pitch = processors > 1 ? 0.5 * (processors + 1.0) : 1;
    std::vector<Position> steps = drawing_steps(grid.extent);
    for (Position& step : steps)
        step = {pitch * step.x, pitch * step.y};
    std::size_t routers = 1;
    for (const unsigned extent : grid.extent)
        routers *= extent;
    std::vector<unsigned> at(grid.extent.size(), 0);
    for (RouterId r = 0; r < routers; ++r) {
        topology.add_router(router_name(at), place_of(at, steps));
        for (std::size_t d = at.size(); d-- > 0 && ++at[d] == grid.extent[d];)
            at[d] = 0;
    }
    topology.set_grid(grid);
}

NameOfPlace coordinate_names(const Grid& grid)
{
    return [base = *std::ranges::max_element(grid.extent)](std::span<const unsigned> at) {
        return digit_name(at, base);
    };
}

} // namespace nocturne
