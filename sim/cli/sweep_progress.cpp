#include "sim/cli/sweep_progress.hpp"

#include "sim/cli/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace nocturne::cli {
namespace {

/// In the largest unit of which there are at least two.
std::string duration_text(double seconds)
{
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    if (seconds >= 2 * day)
        return fmt::format("{:.0f} days", seconds / day);
    if (seconds >= 2 * hour)
        return fmt::format("{:.0f} h", seconds / hour);
    if (seconds >= 2 * minute)
        return fmt::format("{:.0f} min", seconds / minute);
    return fmt::format("{:.0f} s", seconds);
}

} // namespace

std::string sweep_progress_text(const SweepProgress& progress)
{
    std::string text = fmt::format("sweep: {} of {} points done", progress.done, progress.points);
    if (progress.failed > 0)
        text += fmt::format(", {} failed", progress.failed);
    text += fmt::format(", {}", duration_text(progress.seconds));
    if (progress.seconds_left)
        text += fmt::format("; about {} left", duration_text(*progress.seconds_left));
    return text;
}

void SweepProgressLine::show(const SweepProgress& progress)
{
    constexpr double longest_pause = 1800;
    const std::string text = sweep_progress_text(progress);
    line_.show_text(text);
    if (progress.seconds < next_seconds_ || isatty(STDERR_FILENO) == 1)
        return;
    print_notice(text);
    next_seconds_ = progress.seconds + std::min(progress.seconds, longest_pause);
}

} // namespace nocturne::cli
