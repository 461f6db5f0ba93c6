#include "sim/report/progress.hpp"

#include <fmt/format.h>

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

} // namespace

ProgressLine::ProgressLine(std::string what, ProgressOptions options)
    : what_(std::move(what)), options_(options), is_terminal_(isatty(options.descriptor) == 1),
      start_(std::chrono::steady_clock::now())
{
}

ProgressLine::~ProgressLine()
{
    if (!shown_.empty())
        show(options_.descriptor, erase_line);
}

void ProgressLine::update(std::size_t done, std::size_t total)
{
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    show_text(fmt::format("{}: {} of {} runs done, {} s", what_, done, total, seconds));
}

void ProgressLine::show_text(const std::string& text)
{
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    if (!is_terminal_ || elapsed < options_.quiet || text == shown_)
        return;
    show(options_.descriptor, fmt::format("{}{}", erase_line, text));
    shown_ = text;
}

} // namespace nocturne
