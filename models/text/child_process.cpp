#include "models/text/child_process.hpp"

#include <array>
#include <cerrno>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace nocturne {

namespace {

/// What a call of the system returns, which goes on where a signal has interrupted it.
template <class Call>
auto checked(Call call, const char* what)
{
    auto result = call();
    while (result < 0 && errno == EINTR)
        result = call();
    if (result < 0)
        throw std::system_error(errno, std::generic_category(), what);
    return result;
}

} // namespace

MemoryFile::MemoryFile(std::string_view content)
    : descriptor_(checked([] { return memfd_create("stream", MFD_CLOEXEC); }, "memory file"))
{
    while (!content.empty())
        content.remove_prefix(static_cast<std::size_t>(
            checked([&] { return write(descriptor_, content.data(), content.size()); }, "memory file")));
    lseek(descriptor_, 0, SEEK_SET);
}

MemoryFile::~MemoryFile()
{
    close(descriptor_);
}

std::string MemoryFile::content() const
{
    std::string text;
    std::array<char, 65536> chunk;
    const auto read_on = [&] {
        return pread(descriptor_, chunk.data(), chunk.size(), static_cast<off_t>(text.size()));
    };
    while (const auto count = checked(read_on, "memory file"))
        text.append(chunk.data(), static_cast<std::size_t>(count));
    return text;
}

ProgramEnd run_program(const std::vector<std::string>& words, std::string_view input)
{
    const MemoryFile in(input), out, errors;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str())); // as POSIX declares them; nobody writes
    arguments.push_back(nullptr);
    pid_t child = 0;
    ProgramEnd run;
    run.start_error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (run.start_error != 0)
        return run;
    checked([&] { return waitpid(child, &run.status, 0); }, "child process");
    run.output = out.content();
    run.errors = errors.content();
    return run;
}

} // namespace nocturne
