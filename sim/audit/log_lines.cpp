#include "sim/audit/log_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace nocturne {
namespace {

struct NamedKind {
    std::string_view name; ///< in lower case, without signs
    CollectiveKind kind;
};

constexpr std::array named_kinds{NamedKind{"allreduce", CollectiveKind::allreduce},
                                 NamedKind{"allgather", CollectiveKind::allgather},
                                 NamedKind{"allgatherv", CollectiveKind::allgather},
                                 NamedKind{"reducescatter", CollectiveKind::reduce_scatter},
                                 NamedKind{"reducescatterblock", CollectiveKind::reduce_scatter},
                                 NamedKind{"alltoall", CollectiveKind::alltoall},
                                 NamedKind{"alltoallv", CollectiveKind::alltoall},
                                 NamedKind{"broadcast", CollectiveKind::broadcast},
                                 NamedKind{"bcast", CollectiveKind::broadcast},
                                 NamedKind{"reduce", CollectiveKind::reduce},
                                 NamedKind{"gather", CollectiveKind::gather},
                                 NamedKind{"gatherv", CollectiveKind::gather},
                                 NamedKind{"scatter", CollectiveKind::scatter},
                                 NamedKind{"scatterv", CollectiveKind::scatter},
                                 NamedKind{"sendrecv", CollectiveKind::permutation}};

constexpr std::string_view blanks = " \t\r";

std::string_view without_blanks_around(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// `[1,0]<stdout>:` is what Open MPI's mpirun writes before a line (--tag-output).
std::string_view without_tag(std::string_view text)
{
    for (const std::string_view tag : {"<stdout>:", "<stderr>:"})
        if (const std::size_t at = text.find(tag); at != std::string_view::npos)
            return text.substr(at + tag.size());
    return text;
}

} // namespace

std::vector<LogLine> lines_of(std::string_view text)
{
    std::vector<LogLine> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back({without_blanks_around(without_tag(text.substr(0, end))), number});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::optional<CollectiveKind> kind_called(std::string_view name)
{
    std::string plain;
    for (const char sign : name)
        if (std::isalnum(static_cast<unsigned char>(sign)) != 0)
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(sign)));
    if (plain.starts_with("osu"))
        plain.erase(0, 3);
    const auto* const found = std::ranges::find(named_kinds, plain, &NamedKind::name);
    return found == named_kinds.end() ? std::nullopt : std::optional(found->kind);
}

void LeftOut::add_other(const std::string& name)
{
    if (std::ranges::find(others, name) == others.end())
        others.push_back(name);
}

std::vector<std::string> LeftOut::remarks() const
{
    std::vector<std::string> lines;
    if (empty_rows > 0)
        lines.push_back(fmt::format("left out: {} {} of 0 bytes or without a time", empty_rows,
                                    empty_rows == 1 ? "measurement" : "measurements"));
    for (const std::string& name : others)
        lines.push_back(fmt::format("left out: {}, which is no collective", name));
    return lines;
}

} // namespace nocturne
