#include "sim/report/gnuplot.hpp"

#include "models/text/child_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/wait.h>
#include <utility>

namespace nocturne {
namespace {

[[noreturn]] void fail(const std::string& program, std::string_view what)
{
    throw std::runtime_error(fmt::format("{}: {}", program, what));
}

/// The line that says most: gnuplot prints the offending line, a caret, and then the reason behind `line N:`.
std::string complaint(std::string_view errors)
{
    std::string last = "no reason given";
    while (!errors.empty()) {
        const std::string_view line = errors.substr(0, errors.find('\n'));
        errors.remove_prefix(std::min(errors.size(), line.size() + 1));
        const std::size_t begin = line.find_first_not_of(" \t\r^");
        if (begin != std::string_view::npos)
            last = line.substr(begin);
    }
    return last;
}

} // namespace

std::string run_gnuplot(std::string_view script, const std::string& program)
{
    // The user's own start-up files must not change a picture.
    ProgramEnd run = run_program({program, "--default-settings"}, script);
    if (run.start_error == ENOENT)
        throw std::runtime_error(program + " is not installed; it draws the pictures (Debian: gnuplot-nox)");
    if (run.start_error != 0)
        fail(program, std::strerror(run.start_error));
    if (const int status = run.status; WIFSIGNALED(status))
        fail(program, fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
    if (!run.has_succeeded())
        fail(program, complaint(run.errors));
    return std::move(run.output);
}

} // namespace nocturne
