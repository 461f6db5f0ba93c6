#include "sim/cli/outputs.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

namespace nocturne::cli {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const char* what, int error)
{
    throw std::runtime_error(fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(error)));
}

/// `/.` behind a name: only a folder has that.
bool takes_files(const fs::path& folder)
{
    return ::access((folder.empty() ? fs::path(".") : folder / ".").c_str(), W_OK | X_OK) == 0;
}

} // namespace

bool is_special(const fs::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void require_file_place(const fs::path& path)
{
    std::error_code error;
    if (fs::is_directory(path, error))
        fail(path, "write", EISDIR);
    if (is_special(path) ? ::access(path.c_str(), W_OK) != 0 : !takes_files(path.parent_path()))
        fail(path, "write", errno);
}

void require_folder_place(const fs::path& path)
{
    fs::path folder = path;
    std::error_code error;
    while (!folder.empty() && !fs::exists(fs::symlink_status(folder, error)) && folder != folder.root_path())
        folder = folder.parent_path();
    if (!takes_files(folder))
        fail(path, "create", errno);
}

void print_notice(const std::string& text)
{
    fmt::print(stderr, "nocturne: {}\n", text);
}

void create_folder(const fs::path& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        fail(path, "create", error.value());
}

} // namespace nocturne::cli
