#include "models/text/unknown_name.hpp"

#include "models/text/neighbour_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::size_t most_shown = 40;
constexpr std::size_t most_edits = 3;
constexpr std::size_t most_listed = 26;

bool same_letter(char a, char b)
{
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                edits[i][j] = i + j;
                continue;
            }
            const std::size_t substitution = edits[i - 1][j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
            edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, substitution});
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
    return edits[a.size()][b.size()];
}

} // namespace

std::string shortened(std::string_view text)
{
    if (text.size() <= most_shown)
        return std::string(text);
    std::size_t end = most_shown - 3;
    while (end > 0 &&
           (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) // not inside a character of UTF-8
        --end;
    return fmt::format("{}...", text.substr(0, end));
}

std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> known)
{
    std::optional<std::string> nearest;
    std::size_t fewest = most_edits + 1;
    for (const std::string& name : known) {
        const std::size_t longer = std::max(text.size(), name.size());
        if (longer - std::min(text.size(), name.size()) >= fewest)
            continue;
        const std::size_t edits = edit_distance(text, name);
        if (edits < fewest && 3 * edits < std::max<std::size_t>(longer, 4)) {
            nearest = name;
            fewest = edits;
        }
    }
    return nearest;
}

std::string meant_name(std::string_view text, std::span<const std::string> known)
{
    if (const NeighbourWord* const word = find_neighbour_word(text, known)) {
        std::string difference(word->difference);
        std::ranges::replace(difference, '`', '\'');
        return fmt::format("here it is '{}'{}{}{}", word->here,
                           word->tool.empty() ? "" : fmt::format(" ({})", word->tool),
                           difference.empty() ? "" : ": ", difference);
    }
    const auto nearest = nearest_name(text, known);
    return nearest ? fmt::format("did you mean '{}'?", *nearest) : "";
}

std::string unknown_name(std::string_view kind, std::string_view text, std::span<const std::string> known,
                         std::span<const std::string> also)
{
    std::vector<std::string> all(known.begin(), known.end());
    all.insert(all.end(), also.begin(), also.end());
    const std::string unknown = fmt::format("unknown {} '{}'", kind, shortened(text));
    const std::string meant = meant_name(text, all);
    if (known.empty())
        return fmt::format("{}: {}", unknown, meant.empty() ? "there are none" : meant);
    const auto listed = known.first(std::min(known.size(), most_listed));
    const std::string others = listed.size() < known.size()
                                   ? fmt::format(" and {} others", known.size() - listed.size())
                                   : std::string();
    const std::string list = fmt::format("nown are {}{}", fmt::join(listed, ", "), others);
    if (!meant.empty())
        return fmt::format("{}: {}{} K{}", unknown, meant, meant.ends_with('?') ? "" : ".", list);
    return fmt::format("{}: k{}", unknown, list);
}

std::size_t index_of_name(std::string_view kind, std::string_view text, std::span<const std::string> known)
{
    const auto found = std::ranges::find(known, text);
    if (found == known.end())
        throw std::invalid_argument(unknown_name(kind, text, known));
    return static_cast<std::size_t>(found - known.begin());
}

} // namespace nocturne
