#include "sim/measurement/point_store.hpp"

#include "models/topology/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr const char* format_name = "nocturne-traffic-points";

} // namespace

PointStore::PointStore(std::filesystem::path path) : path_(std::move(path))
{
    if (path_.empty() || !std::filesystem::exists(path_))
        return;
    try {
        const nlohmann::json json = nlohmann::json::parse(read_file(path_));
        if (json.at("format") != format_name)
            throw nlohmann::json::other_error::create(0, "another format", &json);
        for (const auto& [key, point] : json.at("points").items())
            points_.emplace(key, point.get<TrafficPoint>());
    } catch (const nlohmann::json::exception&) {
        throw std::runtime_error(
            fmt::format("{}: no file of measured points ({})", path_.string(), format_name));
    }
}

std::optional<TrafficPoint> PointStore::find(const std::string& key) const
{
    const auto found = points_.find(key);
    return found == points_.end() ? std::nullopt : std::optional(found->second);
}

void PointStore::add(const std::string& key, const TrafficPoint& point)
{
    points_[key] = point;
    if (path_.empty())
        return;
    nlohmann::json points = nlohmann::json::object();
    for (const auto& [known, value] : points_)
        points[known] = value;
    write_file_atomically(path_, nlohmann::json{{"format", format_name}, {"points", points}}.dump(1) + "\n");
}

} // namespace nocturne
