// What tests of worker processes need to see.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::test {

inline bool has_children()
{
    return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

inline std::ptrdiff_t open_descriptors()
{
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

/// Ends the process as this signal would end a program that knows nothing of test frameworks and sanitizers.
[[noreturn]] inline void die_of(int signal)
{
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::abort();
}

} // namespace nocturne::test
