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
    std::string_view in_papers; ///< empty where they have none
    std::string_view in_words;  ///< as the papers spell it out, where that is another name
};

/// Other names between spaces, as plain() leaves them.
struct OtherNames {
    CollectiveKind kind;
    std::string_view names;
};

constexpr std::array other_names_of_kinds{
    OtherNames{CollectiveKind::broadcast, "bcast"},
    OtherNames{CollectiveKind::allgather, "gossip gossiping"},
    OtherNames{CollectiveKind::alltoall, "all2all a2a totalexchange"},
    OtherNames{CollectiveKind::reduce_scatter, "reducescatterblock"},
};

constexpr std::array kind_names{
    KindName{CollectiveKind::broadcast, "broadcast", "OAB", "one-to-all broadcast"},
    KindName{CollectiveKind::allgather, "allgather", "AAB", "all-to-all broadcast"},
    KindName{CollectiveKind::scatter, "scatter", "OAS", "one-to-all scatter"},
    KindName{CollectiveKind::alltoall, "alltoall", "AAS", "all-to-all scatter"},
    KindName{CollectiveKind::gather, "gather", "AOG", "all-to-one gather"},
    KindName{CollectiveKind::reduce, "reduce", "AOR", "all-to-one reduction"},
    KindName{CollectiveKind::reduce_scatter, "reduce-scatter", "", ""},
    KindName{CollectiveKind::allreduce, "allreduce", "", ""},
    KindName{CollectiveKind::scan, "scan", "", ""},
    KindName{CollectiveKind::multicast, "multicast", "", ""},
    KindName{CollectiveKind::permutation, "permutation", "", ""},
    KindName{CollectiveKind::many_to_many_broadcast, "many-to-many-broadcast", "MNB", ""},
    KindName{CollectiveKind::many_to_many_scatter, "many-to-many-scatter", "MNS", ""},
    KindName{CollectiveKind::custom, "custom", "", ""},
};

const KindName& entry_of(CollectiveKind kind)
{
    return *std::ranges::find_if(kind_names, [=](auto& entry) { return entry.kind == kind; });
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

/// Without the library that it is a function of: `mpiallreduce`, `ncclallgather`.
std::string_view without_library(std::string_view plain_name)
{
    for (const std::string_view library : {"mpi", "nccl", "rccl"})
        if (plain_name.starts_with(library))
            return plain_name.substr(library.size());
    return plain_name;
}

} // namespace

void refuse_kind(CollectiveKind kind, std::string_view reason)
{
    throw std::invalid_argument(fmt::format("{}: {}", in_words(kind), reason));
}

CollectiveKind parse_collective_kind(std::string_view text)
{
    const std::string whole = plain(text);
    const std::string_view wanted = without_library(whole);
    for (const OtherNames& row : other_names_of_kinds)
        if (!wanted.empty() &&
            fmt::format(" {} ", row.names).find(fmt::format(" {} ", wanted)) != std::string::npos)
            return row.kind;
    std::vector<std::string> kinds;
    std::vector<std::string> other_names;
    for (const KindName& entry : kind_names) {
        std::vector<std::string_view> names{entry.name};
        for (const std::string_view other : {entry.in_papers, entry.in_words})
            if (!other.empty())
                names.push_back(other);
        for (const std::string_view name : names)
            if (plain(name) == wanted)
                return entry.kind;
        if (entry.kind != CollectiveKind::custom)
            kinds.emplace_back(entry.name);
        other_names.insert(other_names.end(), names.begin() + 1, names.end());
    }
    throw std::invalid_argument(unknown_name("collective", text, kinds, other_names));
}

std::string_view to_string(CollectiveKind kind)
{
    return entry_of(kind).name;
}

std::string_view paper_name(CollectiveKind kind)
{
    const KindName& entry = entry_of(kind);
    return entry.in_papers.empty() ? entry.name : entry.in_papers;
}

std::string in_words(CollectiveKind kind)
{
    const KindName& entry = entry_of(kind);
    if (entry.in_papers.empty())
        return std::string(entry.name);
    return fmt::format("{} ({}{}{})", entry.name, entry.in_papers, entry.in_words.empty() ? "" : ", ",
                       entry.in_words);
}

std::string with_kind_in_words(CollectiveKind kind, std::string_view text)
{
    return in_words(kind).append(text.substr(paper_name(kind).size()));
}

std::vector<std::string> collective_kinds_in_words()
{
    std::vector<std::string> list;
    for (const KindName& entry : kind_names)
        if (entry.kind != CollectiveKind::custom)
            list.push_back(in_words(entry.kind));
    return list;
}

} // namespace nocturne
