#include "sim/report/gnuplot.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <spawn.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne {
namespace {

[[noreturn]] void fail(const std::string& program, std::string_view what)
{
    throw std::runtime_error(fmt::format("{}: {}", program, what));
}

/// A file in memory, without a name. The child's three streams are such files: unlike pipes they cannot fill
/// up, so neither side ever waits for the other, and a child that dies early raises no SIGPIPE here.
class MemoryFile {
public:
    explicit MemoryFile(const char* label) : descriptor_(memfd_create(label, MFD_CLOEXEC))
    {
        if (descriptor_ < 0)
            fail(label, std::strerror(errno));
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int descriptor() const { return descriptor_; }

    void write_all(std::string_view text)
    {
        while (!text.empty()) {
            const ssize_t count = write(descriptor_, text.data(), text.size());
            if (count < 0 && errno != EINTR)
                fail("memory file", std::strerror(errno));
            text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
        }
        lseek(descriptor_, 0, SEEK_SET);
    }

    std::string read_all()
    {
        lseek(descriptor_, 0, SEEK_SET);
        std::string text;
        std::array<char, 65536> chunk;
        for (;;) {
            const ssize_t count = read(descriptor_, chunk.data(), chunk.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                fail("memory file", std::strerror(errno));
            if (count == 0)
                return text;
            text.append(chunk.data(), static_cast<std::size_t>(count));
        }
    }

private:
    int descriptor_;
};

/// posix_spawn's list of what to do with descriptors in the child.
class FileActions {
public:
    FileActions() { posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    void use(const MemoryFile& file, int as)
    {
        posix_spawn_file_actions_adddup2(&actions_, file.descriptor(), as);
    }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

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
    MemoryFile in("script");
    MemoryFile out("picture");
    MemoryFile errors("errors");
    in.write_all(script);

    FileActions actions;
    actions.use(in, STDIN_FILENO);
    actions.use(out, STDOUT_FILENO);
    actions.use(errors, STDERR_FILENO);
    // The user's own start-up files must not change a picture.
    std::array<std::string, 2> words{program, "--default-settings"};
    std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ);
    if (error == ENOENT)
        throw std::runtime_error(program + " is not installed; it draws the pictures (Debian: gnuplot-nox)");
    if (error != 0)
        fail(program, std::strerror(error));

    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            fail(program, std::strerror(errno));
    if (WIFSIGNALED(status))
        fail(program, fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
    if (WEXITSTATUS(status) != 0)
        fail(program, complaint(errors.read_all()));
    return out.read_all();
}

} // namespace nocturne
