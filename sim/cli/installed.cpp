#include "sim/cli/installed.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace nocturne::cli {

namespace {

constexpr std::string_view library_of_source = "schedules/library/";

/// PREFIX/share of PREFIX/bin/nocturne; it may be missing.
std::filesystem::path share_of_prefix()
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    return program.parent_path().parent_path() / "share";
}

std::filesystem::path shared_folder()
{
    return share_of_prefix() / "nocturne";
}

bool is_there(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::exists(path, error);
}

} // namespace

std::string place_of_example(std::string_view path)
{
    if (is_there(path))
        return std::string(path);
    const bool is_schedule = path.starts_with(library_of_source);
    if (!is_schedule && !path.starts_with("examples/"))
        return {};
    const std::filesystem::path installed =
        is_schedule ? shared_folder() / "schedules" / path.substr(library_of_source.size())
                    : shared_folder() / path;
    return is_there(installed) ? installed.string() : std::string();
}

std::string documentation_file(std::string_view path)
{
    const std::filesystem::path file = share_of_prefix() / "doc/nocturne" / path;
    return is_there(file) ? file.string() : std::string();
}

std::string places_of_examples()
{
    const std::filesystem::path folder = shared_folder();
    if (!is_there(folder / "examples"))
        return "examples/ and schedules/library/ are folders of the source of Nocturne";
    return fmt::format("examples/ is {}/examples, and schedules/library/ is {}/schedules", folder.string(),
                       folder.string());
}

} // namespace nocturne::cli
