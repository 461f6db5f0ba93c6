#include "sim/cli/error_text.hpp"

#include "models/topology/topology_files.hpp"
#include "schedules/schedule/schedule_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>

namespace nocturne::cli {

namespace {

/// Empty for a file that is something else.
std::string name_inside(const std::function<std::string()>& read)
{
    try {
        return read();
    } catch (const std::exception&) {
        return {};
    }
}

bool begins_with_name(const std::string& text, const std::string& name)
{
    return !name.empty() && text.starts_with(name) && text.substr(name.size()).starts_with(':');
}

} // namespace

std::string with_file_names(std::string text, const std::vector<std::string>& arguments)
{
    if (std::ranges::any_of(arguments, [&](const std::string& one) { return begins_with_name(text, one); }))
        return text; // of a network that the call names
    for (const std::string& argument : arguments) {
        const std::size_t value = argument.starts_with("--") ? argument.find('=') + 1 : 0;
        const std::string file = argument.substr(value);
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error) || text.starts_with(file))
            continue;
        const std::string network = name_inside([&] { return load_topology(file).name(); });
        if (begins_with_name(text, network))
            return text.replace(0, network.size(), file);
        if (begins_with_name(text, name_inside([&] { return load_schedule(file).topology.name(); })))
            return fmt::format("{}: {}", file, text);
    }
    return text;
}

std::string without_middle(std::string text)
{
    constexpr std::size_t most = 600;
    if (text.size() <= most)
        return text;
    const auto is_inside_character = [&](std::size_t i) {
        return (static_cast<unsigned char>(text[i]) & 0xc0u) == 0x80u; // of UTF-8
    };
    std::size_t begin = most / 2;
    while (begin > 0 && is_inside_character(begin))
        --begin;
    std::size_t end = text.size() - most / 2;
    while (end < text.size() && is_inside_character(end))
        ++end;
    return text.replace(begin, end - begin, "...");
}

} // namespace nocturne::cli
