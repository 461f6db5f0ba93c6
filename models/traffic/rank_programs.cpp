#include "models/traffic/rank_programs.hpp"

#include "models/traffic/program_checks.hpp"
#include "models/traffic/program_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

std::string_view line_word(const RankPrograms& programs)
{
    switch (programs.form) {
    case RankPrograms::Form::goal:
        return "line";
    case RankPrograms::Form::chakra:
        return "node";
    case RankPrograms::Form::npe_events:
        return "event";
    }
    return {};
}

std::string place_of(const RankPrograms& programs, std::uint32_t rank, std::uint32_t line)
{
    std::string file = programs.path;
    if (programs.form == RankPrograms::Form::chakra)
        file += fmt::format(".{}.et", rank);
    if (line == 0)
        return file;
    if (programs.form == RankPrograms::Form::goal)
        return fmt::format("{}:{}", file, line);
    return fmt::format("{}: {} {}", file, line_word(programs), line);
}

std::optional<RankPrograms> read_programs(const std::string& path)
{
    if (const auto stem = chakra_stem(path))
        return read_chakra(*stem);
    return is_goal(path) ? std::optional(read_goal(path)) : std::nullopt;
}

ProgramVerdict judge_programs(const RankPrograms& programs, const Topology* topology)
{
    ProgramVerdict verdict;
    if (topology != nullptr && programs.ranks > topology->processor_count())
        verdict.defects.push_back({ProgramRule::unknown_rank,
                                   static_cast<std::uint32_t>(topology->processor_count()),
                                   programs.ranks_line,
                                   fmt::format("{} ranks for the {} processors of {}", programs.ranks,
                                               topology->processor_count(), topology->name())});
    verdict.defects.insert(verdict.defects.end(), programs.defects.begin(), programs.defects.end());
    BeginOrder order(programs);
    const MessagesByKey messages = order.messages();
    for (const auto& [key, of_key] : messages) {
        verdict.messages += of_key.sends.size();
        if (!of_key.has_ordered_sends || !of_key.has_ordered_receives)
            verdict.unordered += of_key.sends.size();
    }
    judge_messages(programs, messages, verdict.defects);
    judge_waits(programs, order, messages, verdict.defects);
    return verdict;
}

void check_programs(const RankPrograms& programs, const Topology& topology)
{
    const ProgramVerdict verdict = judge_programs(programs, &topology);
    const auto first = std::ranges::find_if(verdict.defects, [](const ProgramDefect& defect) {
        return defect.rule != ProgramRule::mismatched_message;
    });
    if (first != verdict.defects.end())
        throw std::runtime_error(
            fmt::format("{}: {}", place_of(programs, first->rank, first->line), first->text));
}

} // namespace nocturne
