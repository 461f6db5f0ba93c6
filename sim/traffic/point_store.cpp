#include "sim/traffic/point_store.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace nocturne {

namespace {

constexpr const char* format_name = "nocturne-traffic-points";

/// No other process that asks for it changes files in the folder of `path` meanwhile. The folder, not the
/// file: that one is replaced with each change.
class FolderLock {
public:
    explicit FolderLock(const std::filesystem::path& path)
        : folder_(::open(path.has_parent_path() ? path.parent_path().c_str() : ".",
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    {
        int status = -1;
        if (folder_ >= 0)
            do
                status = ::flock(folder_, LOCK_EX);
            while (status != 0 && errno == EINTR);
        if (status == 0)
            return;
        const int error = errno;
        if (folder_ >= 0)
            ::close(folder_);
        throw std::runtime_error(fmt::format("{}: cannot lock: {}", path.string(), std::strerror(error)));
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    ~FolderLock() { ::close(folder_); }

private:
    int folder_;
};

} // namespace

PointStore::PointStore(std::filesystem::path path) : path_(std::move(path))
{
    read();
}

void PointStore::read()
{
    if (path_.empty() || !std::filesystem::exists(path_))
        return;
    try {
        const nlohmann::json json = json_from_text(read_file(path_));
        if (json.at("format") != format_name)
            throw nlohmann::json::other_error::create(0, "another format", &json);
        for (const auto& [key, point] : json.at("points").items()) {
            point.at("load").get<double>();
            points_.insert_or_assign(key, point);
        }
    } catch (const nlohmann::json::exception&) {
        throw std::runtime_error(
            fmt::format("{}: no file of measured points ({})", path_.string(), format_name));
    }
}

std::optional<TrafficPoint> PointStore::find(const std::string& key) const
{
    const auto found = points_.find(key);
    if (found == points_.end())
        return std::nullopt;
    try {
        return found->second.get<TrafficPoint>();
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void PointStore::add(const std::string& key, const TrafficPoint& point)
{
    if (path_.empty()) {
        points_[key] = point;
        return;
    }
    const FolderLock lock(path_);
    read();
    points_[key] = point;
    write_file_atomically(path_,
                          json_text(nlohmann::json{{"format", format_name}, {"points", points_}}, 1) + "\n");
}

} // namespace nocturne
