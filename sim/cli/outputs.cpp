#include "sim/cli/outputs.hpp"

#include "models/topology/files.hpp"
#include "sim/cli/origin_of.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <map>
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
    constexpr std::size_t suffix = 7; // while it is written a file has a longer name: write_file_atomically()
    if (path.filename().native().size() + suffix > NAME_MAX)
        fail(path, "write", ENAMETOOLONG);
    if (is_special(path) ? ::access(path.c_str(), W_OK) != 0 : !takes_files(path.parent_path()))
        fail(path, "write", errno);
}

void require_folder_place(const fs::path& path)
{
    fs::path folder = path;
    std::error_code error;
    while (!folder.empty() && !fs::exists(fs::symlink_status(folder, error)) &&
           folder != folder.root_path()) {
        if (folder.filename().native().size() > NAME_MAX)
            fail(path, "create", ENAMETOOLONG);
        folder = folder.parent_path();
    }
    if (!takes_files(folder))
        fail(path, "create", errno);
}

void require_places(const OptionValues& given)
{
    std::map<fs::path, std::string> places;
    for (const OptionRow& row : given.options().rows()) {
        const nlohmann::json value = given.json(row);
        if (row.value.written == Written::nothing || value.is_null())
            continue;
        const std::string option = row.long_name();
        const fs::path path = value.get<std::string>();
        if (path == "-")
            throw std::invalid_argument(
                fmt::format("--{} -: a file or folder is wanted; standard output is /dev/stdout", option));
        if (row.value.written == Written::file)
            require_file_place(path);
        if (row.value.written == Written::new_folder)
            require_new_folder(path);
        if (row.value.written == Written::folder || row.value.written == Written::new_folder)
            require_folder_place(path);
        if (is_special(path))
            continue;
        std::error_code ignored;
        const auto [other, is_new] =
            places.emplace(fs::weakly_canonical(fs::absolute(path, ignored), ignored), option);
        if (!is_new)
            throw std::invalid_argument(
                fmt::format("--{} and --{} are the same place, {}", other->second, option, path.string()));
    }
}

void write_table(const OptionValues& given, const char* option, const Table& table)
{
    if (given.has(option))
        write_file_atomically(given.text(option), csv_of(with_origin(table, origin_of(given))));
}

void print_notice(const std::string& text)
{
    fmt::print(stderr, "nocturne: {}\n", text);
}

} // namespace nocturne::cli
