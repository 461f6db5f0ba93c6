#include "sim/cli/command_line.hpp"

#include "models/topology/files.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>

namespace nocturne::cli {
namespace {

void print_help(std::FILE* stream)
{
    fmt::print(
        stream,
        "usage: nocturne COMMAND [OPTIONS]\n\nA network-on-chip simulator with schedule validation.\n\n");
    for (const Command& command : commands())
        fmt::print(stream, "  {:<10} {}\n", command.name, command.summary);
    fmt::print(stream, "\n'nocturne COMMAND --help' tells more. Exit status: 0 all is well, 1 a check failed "
                       "(invalid schedule,\ndeadlock, wrong memory), 2 bad use or bad input.\n");
}

int run_or_throw(const std::vector<std::string>& arguments)
{
    if (arguments.empty()) {
        print_help(stderr);
        return bad_use;
    }
    if (arguments[0] == "help" && arguments.size() == 2)
        return run_or_throw({arguments[1], "--help"});
    if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
        print_help(stdout);
        return all_is_well;
    }
    if (arguments[0] == "--version") {
        fmt::print("nocturne {}\n", NOCTURNE_VERSION);
        return all_is_well;
    }
    const std::span<const Command> all = commands();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Command& command) { return command.name == arguments[0]; });
    if (found == all.end())
        throw std::invalid_argument(fmt::format("no command '{}'; see 'nocturne --help'", arguments[0]));
    return found->run({arguments.begin() + 1, arguments.end()});
}

/// To standard error, if there is one.
void complain(const std::string& text)
{
    std::fputs(fmt::format("nocturne: {}\n", one_line(text)).c_str(), stderr);
}

} // namespace

int run_command_line(const std::vector<std::string>& arguments)
{
    try {
        const int status = run_or_throw(arguments);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw std::runtime_error("standard output: cannot write");
        return status;
    } catch (const Interrupted& interrupted) {
        complain("interrupted");
        return interrupted.exit_status();
    } catch (const std::bad_alloc&) {
        complain("out of memory");
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return bad_use;
}

} // namespace nocturne::cli
