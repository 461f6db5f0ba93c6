#include "models/traffic/npe_grid.hpp"

#include "models/routing/plane_routing.hpp"
#include "models/text/number.hpp"
#include "models/topology/json_place.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>

namespace nocturne {

NpeGrid::NpeGrid(const Topology& topology, const std::string& path)
{
    const std::optional<Grid>& grid = topology.grid();
    const std::size_t dimensions = grid ? grid->extent.size() : 0;
    bool fits = dimensions == 2 || (dimensions == 3 && has_planes(topology));
    if (fits) {
        rows_ = grid->extent[dimensions - 2];
        columns_ = grid->extent[dimensions - 1];
        networks_ = topology.processor_count() / (rows_ * columns_);
        fits = topology.processor_count() == networks_ * rows_ * columns_ &&
               (dimensions == 2 ? networks_ == 1 : networks_ > 1);
    }
    for (ProcessorId id = 0; fits && id < topology.processor_count(); ++id)
        fits = topology.processor(id).injection == id;
    if (!fits)
        throw std::runtime_error(fmt::format(
            "{}: a file of tt-npe has places on a grid of rows and columns with a processor each, "
            "or one in each of several planes; {} is none",
            path, topology.name()));
}

std::optional<std::uint64_t> NpeGrid::network_of(std::string_view name) const
{
    constexpr std::string_view prefix = "NOC_";
    if (networks_ == 1)
        return 0;
    const auto network =
        name.starts_with(prefix) ? number_of<std::uint64_t>(name.substr(prefix.size())) : std::nullopt;
    return network && *network < networks_ ? network : std::nullopt;
}

NpeRectangle with_ordered_ends(NpeRectangle corners)
{
    if (corners.first_x > corners.last_x)
        std::swap(corners.first_x, corners.last_x);
    if (corners.first_y > corners.last_y)
        std::swap(corners.first_y, corners.last_y);
    return corners;
}

bool begins_with(ByteSource& bytes, char first)
{
    for (const char c : bytes.peek(64))
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            return c == first;
    return false;
}

nlohmann::json read_npe_json(const std::string& path, ByteSource& bytes)
{
    std::string text;
    for (;;) {
        const std::span<const char> piece = bytes.peek(std::size_t{1} << 16);
        if (piece.empty())
            break;
        text.append(piece.data(), piece.size());
        bytes.skip(piece.size());
        if (text.size() > largest_file_bytes)
            throw std::runtime_error(fmt::format("{}: more than {} bytes of JSON", path, largest_file_bytes));
    }
    return parse_json(text, path);
}

} // namespace nocturne
