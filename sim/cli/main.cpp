#include "sim/cli/command_line.hpp"

#include <csignal>
#include <fcntl.h>

namespace {

/// The standard streams that this process was started without get a descriptor that fails: otherwise the
/// first file or pipe to be opened would take the number, and be written to as if it were the terminal.
void occupy_standard_streams()
{
    for (const int stream : {0, 1, 2})
        if (fcntl(stream, F_GETFD) < 0)
            open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

} // namespace

int main(int argc, char* argv[])
{
    occupy_standard_streams();
    // A reader that goes away (`nocturne … | head`) ends the output, it is no error of ours.
    std::signal(SIGPIPE, SIG_DFL);
    return nocturne::cli::run_command_line({argv + 1, argv + argc});
}
