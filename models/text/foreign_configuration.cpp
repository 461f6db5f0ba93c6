#include "models/text/foreign_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace nocturne {

namespace {

bool is_in_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Does a line begin with one of these words and a colon?
bool has_line_of(std::string_view text, std::initializer_list<std::string_view> words)
{
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const std::size_t end = line.find(':');
        if (end != line.npos && std::ranges::find(words, line.substr(0, end)) != words.end())
            return true;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return false;
}

/// `word = value;` on one line, behind comments.
bool begins_with_assignment(std::string_view text)
{
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (!text.starts_with("//"))
            break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    const std::string_view statement = text.substr(0, text.find_first_of(";\n"));
    const std::size_t equals = statement.find('=');
    if (statement.size() == text.size() || text[statement.size()] != ';' || equals == statement.npos)
        return false;
    const std::string_view name = statement.substr(0, statement.find_last_not_of(" \t", equals - 1) + 1);
    return equals > 0 && !name.empty() && std::ranges::all_of(name, is_in_word);
}

} // namespace

std::string_view foreign_configuration(std::string_view text)
{
    const auto has = [&](std::string_view word) { return text.find(word) != text.npos; };
    if (begins_with_assignment(text))
        return "a BookSim2 configuration";
    if (has_line_of(text, {"mesh_dim_x", "n_delta_tiles", "packet_injection_rate", "n_virtual_channels"}))
        return "a Noxim configuration";
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    const bool is_marked_up = begin != text.npos && (text[begin] == '{' || text[begin] == '<');
    if (!is_marked_up && (has("garnet_synth_traffic") || has("--injectionrate") || has("--synthetic")))
        return "a gem5 command line";
    if (has_line_of(text, {"npus_count"}))
        return "an ASTRA-sim network";
    if (has("\"scheduling-policy\"") || has("\"all-reduce-implementation\""))
        return "an ASTRA-sim system";
    return {};
}

std::string import_hint(std::string_view path, std::string_view text)
{
    const std::string_view kind = foreign_configuration(text);
    if (kind.empty())
        return {};
    const std::string_view file = kind == "an ASTRA-sim network" ? " -o network.json" : "";
    return fmt::format("{0}: this is {1}; 'nocturne import {0}{2}' prints the command for it", path, kind,
                       file);
}

} // namespace nocturne
