
#include "schedules/formats/rank_operations.hpp"

#include <fmt/format.h>

#include <iterator>

namespace nocturne {

namespace {

/// Labels count from 1.
void append(std::string& text, const std::vector<RankOperation>& operations)
{
    auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const RankOperation& operation = operations[i];
        switch (operation.kind) {
        case RankOperation::Kind::local:
            fmt::format_to(out, "l{}: calc 0\n", i + 1);
            break;
        case RankOperation::Kind::send:
            fmt::format_to(out, "l{}: send {}b to {} tag {}\n", i + 1, operation.bytes, operation.peer,
                           operation.transfer);
            break;
        case RankOperation::Kind::receive:
            fmt::format_to(out, "l{}: recv {}b from {} tag {}\n", i + 1, operation.bytes, operation.peer,
                           operation.transfer);
            break;
        }
    }
    for (std::size_t i = 0; i < operations.size(); ++i)
        for (const std::uint32_t before : operations[i].after)
            fmt::format_to(out, "l{} requires l{}\n", i + 1, before + 1);
}

} // namespace

std::string to_goal_text(const Schedule& schedule, std::uint64_t bytes_per_weight)
{
    const auto ranks = rank_operations(schedule, bytes_per_weight);
    std::string text = fmt::format("num_ranks {}\n", ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        text += fmt::format("\nrank {} {{\n", rank);
        append(text, ranks[rank]);
        text += "}\n";
    }
    return text;
}

} // namespace nocturne
