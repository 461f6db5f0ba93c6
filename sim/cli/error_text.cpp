#include "sim/cli/error_text.hpp"

#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "sim/cli/installed.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <string_view>

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

/// Of the documentation, whose commands name files of the source.
std::string with_place_of_example(std::string text)
{
    const std::string file = text.substr(0, text.find(": cannot read"));
    if (file.size() == text.size() ||
        !(file.starts_with("examples/") || file.starts_with("schedules/library/")))
        return text;
    const std::string place = place_of_example(file);
    return text + (place.empty() ? "; " + places_of_examples() : fmt::format("; it is {}", place));
}

bool begins_with_name(const std::string& text, const std::string& name)
{
    return !name.empty() && text.starts_with(name) && text.substr(name.size()).starts_with(':');
}

/// What a file begins with; the network of a schedule stands there.
std::string first_bytes_of(const std::string& file)
{
    std::string head(std::size_t{1} << 16U, '\0');
    FilePieces pieces(file);
    head.resize(pieces.next(head));
    return head;
}

std::string_view without_space(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

/// Is the text a value in JSON with this head, and no member's name?
bool has_value(std::string_view head, const std::string& text)
{
    const std::string quoted =
        nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore);
    for (std::size_t at = head.find(quoted); at != head.npos; at = head.find(quoted, at + 1))
        if (!without_space(head.substr(at + quoted.size())).starts_with(':'))
            return true;
    return false;
}

/// Is the network of the schedule with this head in another file?
bool refers_to_file(std::string_view head)
{
    constexpr std::string_view member = "\"topology\"";
    const std::size_t at = head.find(member);
    if (at == head.npos)
        return false;
    std::string_view rest = without_space(head.substr(at + member.size()));
    rest = rest.starts_with(':') ? without_space(rest.substr(1)) : "";
    return rest.starts_with('"') && !is_specification(rest.substr(1, rest.find('"', 1) - 1));
}

/// May the text begin with the name of a network that the file has, and a colon? Reads its beginning alone:
/// most errors are about something else, and a file may be of any size.
bool may_begin_with_name_in(const std::string& text, const std::string& file)
{
    const std::string head = name_inside([&] { return first_bytes_of(file); });
    const bool is_json = is_binary_schedule(file) || without_space(head).starts_with('{');
    for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
        const std::string name = text.substr(0, colon);
        if (is_json ? has_value(head, name) : (head + file).find(name) != std::string::npos)
            return true;
    }
    return refers_to_file(head);
}

} // namespace

std::string with_file_names(std::string text, const std::vector<std::string>& arguments)
{
    text = with_place_of_example(std::move(text));
    if (std::ranges::any_of(arguments, [&](const std::string& one) { return begins_with_name(text, one); }))
        return text; // of a network that the call names
    for (const std::string& argument : arguments) {
        const std::size_t value = argument.starts_with("--") ? argument.find('=') + 1 : 0;
        const std::string file = argument.substr(value);
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error) || text.starts_with(file) ||
            !may_begin_with_name_in(text, file))
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
