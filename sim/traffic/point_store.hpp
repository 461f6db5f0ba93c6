// Points that have been measured, kept in a file so that a long run can be taken up again.
#pragma once

#include "sim/report/traffic_results.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace nocturne {

/// Several processes may use one file at the same time.
class PointStore {
public:
    /// Reads the file if it exists. An empty path: nothing is read or written. Throws std::runtime_error, one
    /// line that names the file, if it cannot be read or is no file of points.
    explicit PointStore(std::filesystem::path path);

    std::optional<TrafficPoint> find(const std::string& key) const;
    /// Writes the whole file anew, with the points that other processes have added in the meantime, or leaves
    /// it as it was: throws std::runtime_error then.
    void add(const std::string& key, const TrafficPoint& point);

private:
    void read();

    std::filesystem::path path_;
    std::map<std::string, nlohmann::json>
        points_; ///< by all that they depend on; other versions may have had other members
};

} // namespace nocturne
