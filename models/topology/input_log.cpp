#include "models/topology/input_log.hpp"

#include "models/text/fnv1a.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

thread_local InputLog* innermost_log = nullptr;

} // namespace

std::string content_digest(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    try {
        FilePieces file(path);
        char piece[1 << 16];
        std::uint64_t hash = fnv1a({});
        while (const std::size_t count = file.next(piece))
            hash = fnv1a({piece, count}, hash);
        return fmt::format("{:016x}", hash);
    } catch (const std::runtime_error&) {
        return {};
    }
}

InputLog::InputLog() : outer_(innermost_log)
{
    innermost_log = this;
}

InputLog::~InputLog()
{
    innermost_log = outer_;
}

void InputLog::note_read(const std::filesystem::path& path)
{
    // The digest reads the file too: at that time it is in the log already.
    for (InputLog* log = innermost_log; log != nullptr; log = log->outer_)
        if (const auto [place, is_new] = log->files_.try_emplace(path.string()); is_new)
            if (place->second = content_digest(path); place->second.empty())
                log->files_.erase(place);
}

void InputLog::note_written(const std::filesystem::path& path)
{
    for (InputLog* log = innermost_log; log != nullptr; log = log->outer_)
        log->files_.erase(path.string());
}

void InputLog::remark(const std::string& text)
{
    for (InputLog* log = innermost_log; log != nullptr; log = log->outer_)
        if (std::ranges::find(log->remarks_, text) == log->remarks_.end())
            log->remarks_.push_back(text);
}

std::vector<std::string> InputLog::remarks_so_far()
{
    return innermost_log == nullptr ? std::vector<std::string>() : innermost_log->remarks_;
}

std::vector<std::string> InputLog::take_remarks()
{
    if (innermost_log == nullptr)
        return {};
    const std::vector<std::string>& all = innermost_log->remarks_;
    const auto first = static_cast<std::ptrdiff_t>(std::exchange(innermost_log->taken_, all.size()));
    return {all.begin() + first, all.end()};
}

} // namespace nocturne
