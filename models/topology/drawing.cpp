#include "models/topology/drawing.hpp"

#include "models/topology/dot_format.hpp"
#include "models/topology/drawing_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <vector>

extern char** environ; // NOLINT: POSIX declares it nowhere

namespace nocturne {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A file without a name, gone when it is closed.
File temporary_file()
{
    File file(std::tmpfile(), &std::fclose);
    if (!file)
        throw std::runtime_error(fmt::format("cannot create a temporary file: {}", std::strerror(errno)));
    return file;
}

std::string contents(std::FILE* file)
{
    std::string text;
    std::array<char, 1 << 16> buffer;
    std::rewind(file);
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file))
        text.append(buffer.data(), count);
    return text;
}

/// What a program of the search path writes to its output when it is given `input`. Files, not pipes:
/// neither process then waits for the other.
std::string run(const std::vector<std::string>& command, std::string_view input)
{
    const File in = temporary_file(), out = temporary_file(), complaints = temporary_file();
    if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
        throw std::runtime_error(fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
    std::rewind(in.get());

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints.get()), 2);
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        throw std::runtime_error(
            fmt::format("cannot draw: the program '{}' of Graphviz is not installed", command[0]));
    if (error != 0)
        throw std::runtime_error(fmt::format("cannot run '{}': {}", command[0], std::strerror(error)));

    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::string reason = contents(complaints.get());
        reason.resize(std::min(reason.find('\n'), reason.size()));
        throw std::runtime_error(fmt::format("'{}' failed: {}", command[0], reason));
    }
    return contents(out.get());
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
