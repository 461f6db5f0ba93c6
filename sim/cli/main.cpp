#include "models/topology/files.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>

namespace {

using namespace nocturne;

void print_help(std::FILE* stream)
{
    fmt::print(
        stream,
        "usage: nocturne COMMAND [OPTIONS]\n\nA network-on-chip simulator with schedule validation.\n\n");
    for (const cli::Command& command : cli::commands())
        fmt::print(stream, "  {:<10} {}\n", command.name, command.summary);
    fmt::print(stream, "\n'nocturne COMMAND --help' tells more. Exit status: 0 all is well, 1 a check failed "
                       "(invalid schedule,\ndeadlock, wrong memory), 2 bad use or bad input.\n");
}

int run(const std::vector<std::string>& arguments)
{
    if (arguments.empty()) {
        print_help(stderr);
        return cli::bad_use;
    }
    if (arguments[0] == "help" && arguments.size() == 2)
        return run({arguments[1], "--help"});
    if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
        print_help(stdout);
        return cli::all_is_well;
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

/// The standard streams that this process was started without get a descriptor that fails: otherwise the first
/// file or pipe to be opened would take the number, and be written to as if it were the terminal.
void occupy_standard_streams()
{
    for (const int stream : {0, 1, 2})
        if (fcntl(stream, F_GETFD) < 0)
            open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

/// To standard error, if there is one.
void complain(const std::string& text)
{
    std::fputs(fmt::format("nocturne: {}\n", one_line(text)).c_str(), stderr);
}

} // namespace

int main(int argc, char* argv[])
{
    occupy_standard_streams();
    // A reader that goes away (`nocturne … | head`) ends the output, it is no error of ours.
    std::signal(SIGPIPE, SIG_DFL);
    try {
        const int status = run({argv + 1, argv + argc});
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
    return cli::bad_use;
}
