#include "schedules/collective/kind_names.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace nocturne {
namespace {

struct KindName {
    CollectiveKind kind;
    std::string_view name;
    std::string_view in_words;
    std::string_view in_mpi; ///< the name that libraries of today use; empty where it is one of the others
};

constexpr std::array kind_names{
    KindName{CollectiveKind::oab, "OAB", "one-to-all broadcast", "broadcast"},
    KindName{CollectiveKind::aab, "AAB", "all-to-all broadcast", "all-gather"},
    KindName{CollectiveKind::oas, "OAS", "one-to-all scatter", "scatter"},
    KindName{CollectiveKind::aas, "AAS", "all-to-all scatter", "all-to-all"},
    KindName{CollectiveKind::aog, "AOG", "all-to-one gather", "gather"},
    KindName{CollectiveKind::aor, "AOR", "all-to-one reduction", "reduce"},
    KindName{CollectiveKind::multicast, "multicast", "multicast", ""},
    KindName{CollectiveKind::permutation, "permutation", "permutation", ""},
    KindName{CollectiveKind::mnb, "MNB", "many-to-many broadcast", ""},
    KindName{CollectiveKind::mns, "MNS", "many-to-many scatter", ""},
};

const KindName& entry_of(CollectiveKind kind)
{
    return *std::find_if(kind_names.begin(), kind_names.end(),
                         [=](auto& entry) { return entry.kind == kind; });
}

/// Small letters, and nothing between the words: `All_Gather` and `allgather` are the same name.
std::string plain(std::string_view text)
{
    std::string letters;
    for (const char c : text)
        if (c != '-' && c != '_' && c != ' ')
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

} // namespace

CollectiveKind parse_collective_kind(std::string_view text)
{
    const std::string wanted = plain(text);
    std::vector<std::string> kinds;
    std::vector<std::string> other_names;
    for (const KindName& entry : kind_names) {
        for (const std::string_view name : {entry.name, entry.in_words, entry.in_mpi})
            if (!wanted.empty() && plain(name) == wanted)
                return entry.kind;
        kinds.emplace_back(entry.name);
        other_names.emplace_back(entry.in_words);
        if (!entry.in_mpi.empty())
            other_names.emplace_back(entry.in_mpi);
    }
    throw std::invalid_argument(unknown_name("collective", text, kinds, other_names));
}

std::string to_string(CollectiveKind kind)
{
    return std::string(entry_of(kind).name);
}

std::string in_words(CollectiveKind kind)
{
    const KindName& entry = entry_of(kind);
    if (entry.name == entry.in_words)
        return std::string(entry.name);
    return fmt::format("{} ({}{}{})", entry.name, entry.in_words, entry.in_mpi.empty() ? "" : ", ",
                       entry.in_mpi);
}

std::string with_kind_in_words(CollectiveKind kind, std::string_view text)
{
    return in_words(kind).append(text.substr(to_string(kind).size()));
}

std::vector<std::string> collective_kinds_in_words()
{
    std::vector<std::string> list;
    for (const KindName& entry : kind_names)
        list.push_back(in_words(entry.kind));
    return list;
}

} // namespace nocturne
