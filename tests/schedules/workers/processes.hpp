// What tests of worker processes need to see.
#pragma once

#include "schedules/workers/workers.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
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

/// Calls `run`, which sends this process the signal, and expects that it ends with Interrupted, and that
/// neither a child nor a descriptor nor the signal is left behind.
template <class Run>
void check_interrupted(int signal, const Run& run)
{
    const auto before = open_descriptors();
    try {
        run();
        FAIL("was not interrupted");
    } catch (const Interrupted& interrupted) {
        CHECK(interrupted.exit_status() == 128 + signal);
    }
    CHECK_FALSE(has_children());
    CHECK(open_descriptors() == before);
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, signal) == 0);
}

[[noreturn]] inline void sleep_for_ever()
{
    for (;;)
        pause();
}

inline void wait_for(const std::atomic<std::uint64_t>& word, std::uint64_t value)
{
    while (word < value)
        usleep(100);
}

/// Ends the process as this signal would end a program that knows nothing of test frameworks and sanitizers.
[[noreturn]] inline void die_of(int signal)
{
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::abort();
}

} // namespace nocturne::test
