#include "models/text/foreign_configuration.hpp"

#include "models/text/terminal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <vector>

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

bool is_of_digits(std::string_view word)
{
    return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

/// The words of the first lines that have some.
std::vector<std::vector<std::string_view>> first_lines(std::string_view text, std::size_t count)
{
    std::vector<std::vector<std::string_view>> lines;
    while (!text.empty() && lines.size() < count) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (std::vector<std::string_view> words = words_of_line(line); !words.empty())
            lines.push_back(std::move(words));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return lines;
}

/// Five numbers and the name of a GPU, then numbers of nodes.
bool is_simai_topology(std::string_view text)
{
    const auto lines = first_lines(text, 2);
    return lines.size() == 2 && (lines[0].size() == 6 || lines[0].size() == 7) &&
           std::all_of(lines[0].begin(), lines[0].begin() + 5, is_of_digits) && !is_of_digits(lines[0][5]) &&
           std::ranges::all_of(lines[1], is_of_digits);
}

/// A heading `GPU0 GPU1 ...`, or of one GPU, and a row `GPU0 X`, near the beginning.
bool has_gpu_matrix(std::string_view text)
{
    constexpr std::size_t longest_preface = 1 << 16;
    const std::string plain = without_terminal_codes(text.substr(0, longest_preface));
    bool has_heading = false;
    for (const std::vector<std::string_view>& words : first_lines(plain, plain.size())) {
        if (words[0] != "GPU0" || words.size() < 2)
            continue;
        if (words[1] == "GPU1" || (has_heading && words[1] == "X"))
            return true;
        has_heading =
            has_heading || words[1] == "CPU" || words[1].starts_with("NIC") || words[1].starts_with("mlx");
    }
    return false;
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
    if (is_marked_up)
        return text[begin] == '<' && text.substr(begin, 4096).find("<system") != text.npos
                   ? "a topology of NCCL or RCCL"
                   : std::string_view();
    if (has("Link Type between two GPUs") || has("Hops between two GPUs") || has("Weight between two GPUs"))
        return "a matrix of rocm-smi";
    if (has_gpu_matrix(text))
        return "a matrix of nvidia-smi topo";
    if (is_simai_topology(text))
        return "a SimAI topology";
    return {};
}

std::string import_hint(std::string_view path, std::string_view text)
{
    const std::string_view kind = foreign_configuration(text);
    if (kind.empty())
        return {};
    const bool is_machine =
        kind.starts_with("a topology") || kind.starts_with("a matrix") || kind == "a SimAI topology";
    const std::string_view model = kind == "a matrix of nvidia-smi topo" ? "H100"
                                   : kind == "a matrix of rocm-smi"      ? "MI300X"
                                                                         : "";
    if (is_machine)
        return fmt::format(
            "{0}: this is {1}; 'nocturne import {0}{2} -o network.json' makes a network of it{3}", path, kind,
            model.empty() ? "" : fmt::format(" --gpu {}", model),
            model.empty() ? "" : fmt::format(" ({} stands for your GPUs)", model));
    const std::string_view file = kind == "an ASTRA-sim network" ? " -o network.json" : "";
    return fmt::format("{0}: this is {1}; 'nocturne import {0}{2}' prints the command for it", path, kind,
                       file);
}

} // namespace nocturne
