#include "models/topology/drawing.hpp"

#include "models/text/child_process.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/drawing_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// What a program of Graphviz makes of a graph.
std::string run(const std::vector<std::string>& command, std::string_view graph)
{
    ProgramEnd drawn = run_program(command, graph);
    if (drawn.start_error == ENOENT)
        throw std::runtime_error(
            fmt::format("cannot draw: the program '{}' of Graphviz is not installed", command[0]));
    if (drawn.start_error != 0)
        throw std::runtime_error(
            fmt::format("cannot run '{}': {}", command[0], std::strerror(drawn.start_error)));
    if (!drawn.has_succeeded())
        throw std::runtime_error(
            fmt::format("'{}' failed: {}", command[0], drawn.errors.substr(0, drawn.errors.find('\n'))));
    return std::move(drawn.output);
}

} // namespace

std::string draw_topology(const Topology& topology, std::string_view format, const DrawingMarks& marks)
{
    require_pairwise_size(topology, "drawings");
    constexpr std::array<std::string_view, 4> formats{"svg", "png", "pdf", "dot"};
    if (std::ranges::count(formats, format) == 0)
        throw std::invalid_argument(
            fmt::format("picture format '{}': known are {}", format, fmt::join(formats, ", ")));
    if (format == "dot")
        return to_dot(topology, marks);
    if (topology.router_count() > largest_drawing_routers)
        throw std::invalid_argument(fmt::format("{}: {} routers, a drawing holds at most {}", topology.name(),
                                                topology.router_count(), largest_drawing_routers));
    bool placed = true;
    for (RouterId r = 0; r < topology.router_count(); ++r)
        placed = placed && topology.position(r).has_value();
    std::vector<std::string> command{"neato"};
    if (placed)
        command.emplace_back("-n2"); // take the places and the lines as they are
    command.push_back(fmt::format("-T{}", format));
    return run(command, to_dot(topology, marks));
}

namespace {

constexpr Position own_processor_offset{0.26, 0.26}; // of one whose place the drawing does not show

/// Of a network whose routers have no places, those that Graphviz gives them.
DrawingLayout layout_by_graphviz(const Topology& topology)
{
    DrawingLayout layout;
    layout.routers.resize(topology.router_count());
    layout.sources.resize(topology.processor_count());
    layout.sinks.resize(topology.processor_count());
    std::vector<bool> is_drawn(topology.processor_count());
    std::istringstream lines(run({"neato", "-Tplain"}, to_dot(topology)));
    std::string line, word, name;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        Position place{};
        if (!(words >> word >> name >> place.x >> place.y) || word != "node" || name.size() < 2)
            continue;
        place.y = -place.y; // in inches, upwards: a pitch is an inch
        const std::size_t index = std::stoul(name.substr(1));
        if (name[0] == 'r') {
            layout.routers[index] = place;
        } else {
            is_drawn[index] = true;
            layout.sinks[index] = place;
            if (!name.ends_with("_out"))
                layout.sources[index] = place;
        }
    }
    for (ProcessorId p = 0; p < topology.processor_count(); ++p)
        if (!is_drawn[p]) {
            const Position router = layout.routers[topology.processor(p).injection];
            layout.sources[p] =
                layout.sinks[p] = {router.x + own_processor_offset.x, router.y + own_processor_offset.y};
        }
    return layout;
}

/// Rows of as many routers as there are rows.
DrawingLayout layout_in_rows(const Topology& topology)
{
    DrawingLayout layout;
    const auto width =
        static_cast<RouterId>(std::ceil(std::sqrt(static_cast<double>(topology.router_count()))));
    for (RouterId r = 0; r < topology.router_count(); ++r)
        layout.routers.push_back(
            {static_cast<double>(r % width), std::floor(static_cast<double>(r) / width)});
    const auto beside = [&](RouterId router) {
        return Position{layout.routers[router].x + own_processor_offset.x,
                        layout.routers[router].y + own_processor_offset.y};
    };
    for (const Processor& processor : topology.processors()) {
        layout.sources.push_back(beside(processor.injection));
        layout.sinks.push_back(beside(processor.ejection));
    }
    return layout;
}

} // namespace

DrawingPlaces drawing_places(const Topology& topology)
{
    require_pairwise_size(topology, "drawings");
    std::optional<DrawingLayout> layout = lay_out(topology);
    if (!layout)
        layout = topology.router_count() > largest_drawing_routers ? layout_in_rows(topology)
                                                                   : layout_by_graphviz(topology);
    DrawingPlaces places{
        std::move(layout->routers), std::move(layout->sources), std::move(layout->sinks), {}};
    places.channels = draw_channels(topology, places.routers);
    for (ChannelId id = 0; id < topology.channel_count(); id += starts_link(topology, id) ? 2 : 1)
        if (starts_link(topology, id)) // its opposite has the same line
            std::ranges::reverse(places.channels[id + 1]);
    return places;
}

} // namespace nocturne
