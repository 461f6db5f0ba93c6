#include "sim/cli/search_history.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::cli {

void SearchHistory::note(double seconds, std::optional<double> best)
{
    if (best && (values_.empty() || *best < values_.back().cycles))
        values_.push_back({seconds, *best});
}

std::string SearchHistory::remark(double cycles, double seconds) const
{
    constexpr double least_seconds = 10, small_gain = 0.01;
    const auto near = std::ranges::find_if(
        values_, [&](const Value& each) { return each.cycles <= cycles * (1 + small_gain); });
    if (seconds < least_seconds || near == values_.end() || near->seconds > seconds / 2)
        return {};
    return fmt::format("{:.0f} s of search, the last {:.0f} s for less than 1 %: --budget ends it earlier",
                       seconds, seconds - near->seconds);
}

} // namespace nocturne::cli
