#include "models/topology/drawing_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace nocturne {

namespace {

constexpr double terminal_distance = 0.46; // of a processor from its router
constexpr double own_distance = 0.36;      // of an unlabelled one
constexpr double column_distance = 0.9;    // of the processors of a multistage network from its outer columns
constexpr double clearance = 0.27; // a line that comes closer than this to a router seems to end there

Position operator+(Position a, Position b)
{
    return {a.x + b.x, a.y + b.y};
}

Position operator-(Position a, Position b)
{
    return {a.x - b.x, a.y - b.y};
}

Position operator*(double factor, Position a)
{
    return {factor * a.x, factor * a.y};
}

double length(Position a)
{
    return std::hypot(a.x, a.y);
}

/// How far `point` is from the line between two places.
double distance_to_line(Position point, Position from, Position to)
{
    const Position along = to - from, offset = point - from;
    const double squared = along.x * along.x + along.y * along.y;
    const double part =
        squared == 0 ? 0 : std::clamp((along.x * offset.x + along.y * offset.y) / squared, 0.0, 1.0);
    return length(offset - part * along);
}

/// Places for `count` processors at a distance or more from `router`, in the widest gap between the
/// directions of its channels; clockwise from the top.
std::vector<Position> places_around(const Topology& topology, const std::vector<Position>& routers,
                                    RouterId router, std::size_t count, double distance)
{
    constexpr double full = 2 * std::numbers::pi;
    const Position centre = routers[router];
    std::vector<double> directions;
    const auto add = [&](RouterId other) {
        if (other != router)
            directions.push_back(std::atan2(routers[other].y - centre.y, routers[other].x - centre.x));
    };
    for (const ChannelId id : topology.channels_from(router))
        add(topology.channel(id).target);
    for (const ChannelId id : topology.channels_to(router))
        add(topology.channel(id).source);
    std::ranges::sort(directions);
    double start = 0, gap = full; // alone: all around
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const double next = i + 1 < directions.size() ? directions[i + 1] : directions.front() + full;
        const double here = next - directions[i], slack = here - gap;
        // Of equal gaps the one at the lower left: lines around others pass above rows and to the right of
        // columns.
        const auto towards_lower_left = [](double middle) { return std::sin(middle) - std::cos(middle); };
        if (i == 0 || slack > 1e-6 ||
            (slack > -1e-6 &&
             towards_lower_left(directions[i] + here / 2) > towards_lower_left(start + gap / 2))) {
            start = directions[i];
            gap = here;
        }
    }

    const double turn = gap / static_cast<double>(count + 1);
    if (count > 1) // farther away where the gap is too narrow for them side by side
        distance = std::max(distance, 1.05 * processor_side / (2 * std::sin(turn / 2)));
    std::vector<Position> places;
    for (std::size_t k = 1; k <= count; ++k) {
        const double angle = start + turn * static_cast<double>(k);
        places.push_back(centre + distance * Position{std::cos(angle), std::sin(angle)});
    }
    std::ranges::sort(places, {}, [&](Position p) {
        return std::fmod(std::atan2(p.y - centre.y, p.x - centre.x) + 2.5 * std::numbers::pi + 1e-6, full);
    });
    return places;
}

/// `count` places beside one router: next to each other along `step`, their middle at `middle`.
std::vector<Position> places_in_line(Position middle, Position step, std::size_t count)
{
    std::vector<Position> places;
    for (std::size_t k = 0; k < count; ++k)
        places.push_back(middle + (static_cast<double>(k) - (static_cast<double>(count) - 1) / 2) * step);
    return places;
}

/// How far apart the routers are at which processors sit, in direction x or y (`axis`); 1 if there is only
/// one.
double pitch_of(const std::vector<Position>& routers, const std::vector<RouterId>& used,
                double Position::* axis)
{
    std::vector<double> values;
    for (const RouterId r : used)
        values.push_back(routers[r].*axis);
    std::ranges::sort(values);
    double pitch = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (const double step = values[i] - values[i - 1]; step > 1e-6 && (pitch == 0 || step < pitch))
            pitch = step;
    return pitch == 0 ? 1 : pitch;
}

std::vector<RouterId> routers_with(const Topology& topology, RouterId Processor::* end)
{
    std::vector<RouterId> used;
    for (const Processor& processor : topology.processors())
        used.push_back(processor.*end);
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    return used;
}

} // namespace

std::optional<DrawingLayout> lay_out(const Topology& topology)
{
    DrawingLayout layout;
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        const auto place = topology.position(r);
        if (!place)
            return std::nullopt;
        layout.routers.push_back(*place);
    }
    const auto& routers = layout.routers;
    layout.sources.resize(topology.processor_count());
    layout.sinks.resize(topology.processor_count());
    const std::vector<RouterId> first = routers_with(topology, &Processor::injection);
    const std::vector<RouterId> last = routers_with(topology, &Processor::ejection);
    const bool multistage =
        std::ranges::any_of(topology.processors(),
                            [](const Processor& p) { return p.injection != p.ejection; }) ||
        !topology.tag_digits().empty();
    const bool bottom_row =
        std::ranges::all_of(
            routers, [&](Position place) { return first.empty() || place.y <= routers[first.front()].y; }) &&
        std::ranges::all_of(first, [&](RouterId r) { return routers[r].y == routers[first.front()].y; });

    for (const RouterId r : first) {
        const auto processors = topology.processors_injecting_into(r);
        std::vector<Position> places;
        if (multistage) {
            const double step =
                pitch_of(routers, first, &Position::y) / static_cast<double>(processors.size());
            places = places_in_line(routers[r] - Position{column_distance, 0}, {0, step}, processors.size());
        } else if (bottom_row) {
            const double step =
                pitch_of(routers, first, &Position::x) / static_cast<double>(processors.size());
            places = places_in_line(routers[r] + Position{0, 1.3 * terminal_distance}, {step, 0},
                                    processors.size());
        } else {
            places = places_around(topology, routers, r, processors.size(),
                                   is_routers_own(topology, processors.front()) ? own_distance
                                                                                : terminal_distance);
        }
        for (std::size_t i = 0; i < processors.size(); ++i)
            layout.sources[processors[i]] = layout.sinks[processors[i]] = places[i];
    }
    if (multistage) // source p is drawn at row p, whatever the shuffle after it
        for (const RouterId r : last) {
            const auto processors = topology.processors_ejected_by(r);
            const double step =
                pitch_of(routers, last, &Position::y) / static_cast<double>(processors.size());
            const auto places =
                places_in_line(routers[r] + Position{column_distance, 0}, {0, step}, processors.size());
            for (std::size_t i = 0; i < processors.size(); ++i) {
                layout.sinks[processors[i]] = places[i];
                layout.sources[processors[i]] = {routers[first.front()].x - column_distance, places[i].y};
            }
        }
    return layout;
}

bool is_routers_own(const Topology& topology, ProcessorId id)
{
    const Processor& processor = topology.processor(id);
    return topology.processors_injecting_into(processor.injection).size() == 1 &&
           processor.injection == processor.ejection &&
           processor.name == topology.router_name(processor.injection);
}

bool starts_link(const Topology& topology, ChannelId id)
{
    if (id + 1 >= topology.channel_count())
        return false;
    Channel back = topology.channel(id + 1);
    std::swap(back.source, back.target);
    return back == topology.channel(id) && back.source != back.target;
}

BezierCurve straight_line(Position from, Position to, double from_radius, double to_radius)
{
    const Position along = to - from;
    const double distance = std::max(length(along), 1e-9);
    const Position start = from + (from_radius / distance) * along;
    const Position end = to - (to_radius / distance) * along;
    return {start, start + 1.0 / 3 * (end - start), start + 2.0 / 3 * (end - start), end};
}

namespace {

/// A curve whose middle is `height` to the side of the straight line; a positive height is to the left of its
/// direction.
BezierCurve bent_line(Position from, Position to, double height)
{
    const Position along = to - from;
    const double distance = std::max(length(along), 1e-9);
    const Position aside = (4.0 / 3 * height / distance) * Position{along.y, -along.x};
    const Position near = from + 0.25 * along + aside, far = from + 0.75 * along + aside;
    const auto rim = [](Position centre, Position towards) {
        return centre + (router_radius / std::max(length(towards - centre), 1e-9)) * (towards - centre);
    };
    return {rim(from, near), near, far, rim(to, far)};
}

/// Of one of so many lines in its direction, and in both: around the straight line if there is but one
/// direction, or else to its left. Many are a narrow bundle.
double height_among(unsigned line, unsigned in_direction, unsigned in_both)
{
    const double pitch = std::min(0.14, 0.3 / std::max(1U, in_direction - 1));
    return in_direction == in_both ? pitch * (line - 0.5 * (in_direction - 1)) : 0.08 + pitch * line;
}

BezierCurve self_loop(Position at)
{
    return {at + Position{-0.1, -router_radius}, at + Position{-0.4, -0.7}, at + Position{0.4, -0.7},
            at + Position{0.1, -router_radius}};
}

Position on_curve(const BezierCurve& c, double t)
{
    const double u = 1 - t;
    return u * u * u * c[0] + 3 * u * u * t * c[1] + 3 * u * t * t * c[2] + t * t * t * c[3];
}

/// How far a curve stays away from the routers that it does not join.
double distance_to_others(const BezierCurve& curve, const std::vector<Position>& routers,
                          const Channel& channel)
{
    constexpr int samples = 24;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= samples; ++i) {
        const Position point = on_curve(curve, static_cast<double>(i) / samples);
        for (RouterId r = 0; r < routers.size(); ++r)
            if (r != channel.source && r != channel.target)
                least = std::min(least, length(routers[r] - point));
    }
    return least;
}

bool is_hidden(const std::vector<Position>& routers, const Channel& channel)
{
    for (RouterId r = 0; r < routers.size(); ++r)
        if (r != channel.source && r != channel.target &&
            distance_to_line(routers[r], routers[channel.source], routers[channel.target]) < clearance)
            return true;
    return false;
}

/// The flattest curve around the routers in between; above a row and to the right of a column where there is
/// a choice.
BezierCurve curve_around(const std::vector<Position>& routers, const Channel& channel)
{
    const Position from = routers[channel.source], to = routers[channel.target];
    const double side = to.x < from.x || (to.x == from.x && to.y < from.y) ? -1 : 1;
    BezierCurve best{};
    double most = -1;
    for (const double height : {0.52, -0.52, 0.65, -0.65, 0.8, -0.8, 1.0, -1.0, 1.4, -1.4}) {
        const BezierCurve curve = bent_line(from, to, side * height);
        const double distance = distance_to_others(curve, routers, channel);
        if (distance > most) {
            best = curve;
            most = distance;
        }
        if (distance >= clearance)
            break;
    }
    return best;
}

} // namespace

std::vector<BezierCurve> draw_channels(const Topology& topology, const std::vector<Position>& routers)
{
    std::map<std::pair<RouterId, RouterId>, unsigned> lines;        // between two routers, whichever way
    std::map<std::pair<RouterId, RouterId>, unsigned> in_direction; // of these
    const auto ends = [](const Channel& c) {
        return std::pair(std::min(c.source, c.target), std::max(c.source, c.target));
    };
    for (ChannelId id = 0; id < topology.channel_count(); id += starts_link(topology, id) ? 2 : 1) {
        const Channel& channel = topology.channel(id);
        ++lines[ends(channel)];
        ++in_direction[{channel.source, channel.target}];
    }

    std::vector<BezierCurve> curves;
    std::map<std::pair<RouterId, RouterId>, unsigned> drawn; // with direction
    while (curves.size() < topology.channel_count()) {
        const auto id = static_cast<ChannelId>(curves.size());
        const Channel& channel = topology.channel(id);
        const Position from = routers[channel.source], to = routers[channel.target];
        const unsigned parallel = drawn[{channel.source, channel.target}]++;
        if (channel.source == channel.target)
            curves.push_back(self_loop(from));
        else if (lines[ends(channel)] > 1)
            curves.push_back(bent_line(from, to,
                                       height_among(parallel, in_direction[{channel.source, channel.target}],
                                                    lines[ends(channel)])));
        else if (is_hidden(routers, channel))
            curves.push_back(curve_around(routers, channel));
        else
            curves.push_back(straight_line(from, to, router_radius, router_radius));
        if (starts_link(topology, id))
            curves.emplace_back(curves.back());
    }
    return curves;
}

} // namespace nocturne
