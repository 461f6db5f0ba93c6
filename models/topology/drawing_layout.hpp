// Where a drawing puts routers, processors and channels, for a topology that knows the places of its routers.
// Of use inside this module only; units as in Position.
#pragma once

#include "models/topology/topology.hpp"

#include <array>
#include <optional>
#include <vector>

namespace nocturne {

/// Of a DOT drawing: what lies between two routers side by side.
inline constexpr double points_per_pitch = 72;

/// Sizes in units of one router pitch.
inline constexpr double router_radius = 0.22;
inline constexpr double processor_side = 0.26;
inline constexpr double unlabelled_side = 0.14; ///< of a processor whose router bears its name

/// A line between two vertices: a cubic Bezier curve.
using BezierCurve = std::array<Position, 4>;

struct DrawingLayout {
    std::vector<Position> routers;
    std::vector<Position>
        sources; ///< where a processor injects; the same place as its sink if both are at one router
    std::vector<Position> sinks;
};

/// Processors of a multistage network go to the left of the first column and to the right of the last, those
/// of a tree below the bottom switches, others to where their router has most room. Nothing if some router
/// has no place.
std::optional<DrawingLayout> lay_out(const Topology& topology);

/// The lines of the channels, in their order, from the rim of one router to that of the other: straight, but
/// bent around routers in between, and apart from each other when they join the same two routers. A channel
/// and the one after it, its opposite, have the same line where starts_link() takes them for one link. Takes
/// routers * channels time.
std::vector<BezierCurve> draw_channels(const Topology& topology, const std::vector<Position>& routers);

/// Is it the only processor of its router and called like it? Then a small square without a label will do.
bool is_routers_own(const Topology& topology, ProcessorId id);

/// Is channel `id` the first half of a link whose second half, alike in every property, is the next channel?
bool starts_link(const Topology& topology, ChannelId id);

/// A straight line from the rim of a vertex of radius `from_radius` to that of another one.
BezierCurve straight_line(Position from, Position to, double from_radius, double to_radius);

} // namespace nocturne
