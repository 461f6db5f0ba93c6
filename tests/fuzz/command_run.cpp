#include "tests/fuzz/command_run.hpp"

#include "schedules/workers/process.hpp"
#include "sim/cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::test {
namespace {

namespace fs = std::filesystem;

std::string content_of_file(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Only for the child: its standard streams, its limits, and the command.
[[noreturn]] void live(const CommandInput& input, const fs::path& folder)
{
    const auto redirect = [](const char* path, int flags, int stream) {
        const int file = open(path, flags, 0600);
        if (file < 0 || dup2(file, stream) < 0)
            _exit(125);
        close(file);
    };
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect((folder.string() + ".out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect((folder.string() + ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    const rlimit no_core{0, 0};
    const rlimit file_size{rlim_t{64} << 20, rlim_t{64} << 20};
    if (setpgid(0, 0) != 0 || chdir(folder.c_str()) != 0 || setrlimit(RLIMIT_CORE, &no_core) != 0 ||
        setrlimit(RLIMIT_FSIZE, &file_size) != 0)
        _exit(125);
    std::signal(SIGXFSZ, SIG_IGN);
    const int status = cli::run_command_line(input.arguments);
    std::fflush(nullptr);
    _exit(status);
}

/// Waits for the end, or ends it and everything that it started; the status as waitpid() gives it.
int wait_for(pid_t child, std::chrono::seconds limit, bool& is_over_time)
{
    const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
    pollfd ended{process.number(), POLLIN, 0};
    is_over_time = poll(&ended, 1, static_cast<int>(std::chrono::milliseconds(limit).count())) == 0;
    if (is_over_time)
        kill(-child, SIGKILL);
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        throw_errno("waitpid");
    kill(-child, SIGKILL); // its workers, should it have left some
    return status;
}

bool mentions_sanitizer(const std::string& text)
{
    return text.find("Sanitizer") != std::string::npos || text.find("runtime error:") != std::string::npos;
}

} // namespace

CommandRun run_command(const CommandInput& input, const fs::path& folder, std::chrono::seconds limit)
{
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const auto& [name, content] : input.files)
        std::ofstream(folder / name, std::ios::binary) << content;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0)
        throw_errno("fork");
    if (child == 0)
        live(input, folder);
    setpgid(child, child); // whichever of the two comes first
    CommandRun run;
    const int status = wait_for(child, limit, run.is_over_time);
    run.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    run.out = content_of_file(folder.string() + ".out");
    run.err = content_of_file(folder.string() + ".err");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = fs::relative(entry.path(), folder).string();
        const auto before = input.files.find(name);
        if (before == input.files.end() || content_of_file(entry.path()) != before->second)
            run.left_behind.push_back(name);
    }
    return run;
}

std::string complaint(const CommandRun& run)
{
    if (run.is_over_time)
        return "takes too long";
    if (mentions_sanitizer(run.err))
        return "a sanitizer complains";
    if (run.status < 0 || run.status > 2)
        return fmt::format("ends with status {}", run.status);
    if (run.status < 2)
        return "";
    if (std::count(run.err.begin(), run.err.end(), '\n') != 1 || run.err.back() != '\n' ||
        !run.err.starts_with("nocturne: ") || run.err.size() > 1000)
        return "status 2, and not one line";
    // That a disk is full, or a limit of the size of files met, is known only when something is written; what
    // was written before it is whole.
    const auto is_full = [&](const char* reason) { return run.err.find(reason) != std::string::npos; };
    if (!run.left_behind.empty() && !is_full("No space left on device") &&
        !is_full("cannot write: File too large"))
        return fmt::format("status 2, and writes {}", run.left_behind.front());
    return "";
}

std::string to_text(const CommandInput& input)
{
    std::string text = "nocturne";
    for (const std::string& argument : input.arguments) {
        text += " '";
        for (const char c : argument)
            text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += "'";
    }
    for (const auto& [name, content] : input.files)
        text += fmt::format("\n--- {} ({} bytes)\n{}", name, content.size(), content);
    return text + "\n";
}

} // namespace nocturne::test
