#include "sim/report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace {

/// Back to the start of the line, and clear it.
constexpr std::string_view erase_line = "\r\x1b[K";

/// A progress line is not worth an error: what cannot be written is dropped.
void show(int descriptor, std::string_view text)
{
    [[maybe_unused]] const ssize_t count = write(descriptor, text.data(), text.size());
}

bool is_for_terminals_only()
{
    const char* const value = std::getenv("NOCTURNE_PROGRESS");
    return value != nullptr && std::string_view(value) == "terminal";
}

} // namespace

ProgressLine::ProgressLine(std::string what, ProgressOptions options)
    : what_(std::move(what)), options_(options), is_terminal_(isatty(options.descriptor) == 1),
      is_silent_(!is_terminal_ && is_for_terminals_only()), start_(std::chrono::steady_clock::now()),
      next_line_(options.pause)
{
}

ProgressLine::~ProgressLine()
{
    if (!shown_.empty())
        show(options_.descriptor, erase_line);
}

std::chrono::steady_clock::duration ProgressLine::elapsed() const
{
    return std::chrono::steady_clock::now() - start_;
}

void ProgressLine::update(std::size_t done, std::size_t total)
{
    const double seconds = std::chrono::duration<double>(elapsed()).count();
    std::string text = fmt::format("{}: {} of {} runs done, {}", what_, done, total, duration_text(seconds));
    if (done > 0 && done < total)
        text += fmt::format("; about {} left", duration_text(seconds * static_cast<double>(total - done) /
                                                             static_cast<double>(done)));
    show_text(text);
}

void ProgressLine::show_text(const std::string& text)
{
    const auto now = elapsed();
    if (is_terminal_) {
        if (now < options_.quiet || text == shown_)
            return;
        show(options_.descriptor, fmt::format("{}{}", erase_line, text));
        shown_ = text;
    } else if (!is_silent_ && now >= next_line_) {
        show(options_.descriptor, text + '\n');
        next_line_ = now + std::max<std::chrono::steady_clock::duration>(options_.pause, now / 10);
    }
}

WaitingLine::WaitingLine(std::string what, ProgressOptions options)
    : line_(what, options), thread_([this, what](const std::stop_token& stop) {
          using Clock = std::chrono::steady_clock;
          const Clock::time_point start = Clock::now();
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any changed;
          while (!stop.stop_requested()) {
              line_.show_text(fmt::format("{}: {:.0f} s", what,
                                          std::chrono::duration<double>(Clock::now() - start).count()));
              changed.wait_for(lock, stop, std::chrono::milliseconds(200), [] { return false; });
          }
      })
{
}

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

} // namespace nocturne
