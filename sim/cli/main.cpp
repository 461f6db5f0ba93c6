#include "sim/cli/command.hpp"
#include "sim/experiment/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace {

using namespace nocturne;

void print_help()
{
    fmt::print(
        "usage: nocturne COMMAND [OPTIONS]\n\nA network-on-chip simulator with schedule validation.\n\n");
    for (const cli::Command& command : cli::commands())
        fmt::print("  {:<10} {}\n", command.name, command.summary);
    fmt::print("\n'nocturne COMMAND --help' tells more. Exit status: 0 all is well, 1 a check failed "
               "(invalid schedule, "
               "deadlock,\nwrong memory), 2 bad use or bad input.\n");
}

int run(const std::vector<std::string>& arguments)
{
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
        print_help();
        return arguments.empty() ? cli::bad_use : cli::all_is_well;
    }
    if (arguments[0] == "--version") {
        fmt::print("nocturne {}\n", NOCTURNE_VERSION);
        return cli::all_is_well;
    }
    const auto commands = cli::commands();
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const cli::Command& command) {
        return command.name == arguments[0];
    });
    if (found == commands.end())
        throw std::invalid_argument(fmt::format("no command '{}'; see 'nocturne --help'", arguments[0]));
    return found->run({arguments.begin() + 1, arguments.end()});
}

/// One line, whatever the message holds.
std::string one_line(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

} // namespace

int main(int argc, char* argv[])
{
    // A reader that goes away (`nocturne … | head`) ends the output, it is no error of ours.
    std::signal(SIGPIPE, SIG_DFL);
    try {
        const int status = run({argv + 1, argv + argc});
        if (std::fflush(stdout) != 0)
            throw std::runtime_error("standard output: cannot write");
        return status;
    } catch (const Interrupted& interrupted) {
        fmt::print(stderr, "nocturne: {}\n", interrupted.what());
        return interrupted.exit_status();
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "nocturne: out of memory\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "nocturne: {}\n", one_line(error.what()));
    }
    return cli::bad_use;
}
