#include "schedules/workers/process.hpp"

#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace {

std::vector<std::uint8_t> failure(std::uint8_t kind, std::string_view text)
{
    std::vector<std::uint8_t> bytes(1 + text.size(), kind);
    std::copy(text.begin(), text.end(), bytes.begin() + 1);
    return bytes;
}

sigset_t watched_signals()
{
    sigset_t watched;
    sigemptyset(&watched);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&watched, signal);
    return watched;
}

/// Blocks or unblocks the signals that end a process in peace; returns the mask before.
sigset_t set_watched(int how)
{
    sigset_t before;
    const sigset_t watched = watched_signals();
    pthread_sigmask(how, &watched, &before);
    return before;
}

/// From the fork to its end.
[[noreturn]] void live(const SignalWatch& signals, std::span<const int> inherited, pid_t parent,
                       const std::function<void()>& life) noexcept
{
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    set_watched(SIG_UNBLOCK); // whatever watch is around that of `signals`
    close(signals.descriptor());
    for (const int descriptor : inherited)
        close(descriptor);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) // it died before the request
        _exit(1);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    life();
    _exit(0); // without the destructors and buffers that belong to the parent
}

} // namespace

void throw_errno(std::string_view what)
{
    throw std::runtime_error(fmt::format("worker processes: {}: {}", what, std::strerror(errno)));
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor()
{
    if (number_ >= 0)
        close(number_);
}

SignalWatch::SignalWatch() : before_(set_watched(SIG_BLOCK))
{
    const sigset_t watched = watched_signals();
    descriptor_ = Descriptor(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    if (descriptor_.number() < 0) {
        restore();
        throw_errno("signalfd");
    }
}

void SignalWatch::restore() const
{
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void SignalWatch::throw_if_interrupted() const
{
    signalfd_siginfo info;
    if (read(descriptor_.number(), &info, sizeof info) == sizeof info)
        throw Interrupted(static_cast<int>(info.ssi_signo));
}

ChildProcess::ChildProcess(const SignalWatch& signals, std::span<const int> inherited,
                           const std::function<void()>& life)
{
    // What is in the buffers now must not be printed by the child as well.
    std::cout.flush();
    std::fflush(stdout);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ < 0)
        throw_errno("fork");
    if (process_ == 0)
        live(signals, inherited, parent, life);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : process_(std::exchange(other.process_, 0)) {}

ChildProcess::~ChildProcess()
{
    if (process_ > 0) {
        kill(process_, SIGKILL);
        wait();
    }
}

int ChildProcess::wait()
{
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
}

std::string describe_end(int status)
{
    if (WIFSIGNALED(status))
        return fmt::format("worker process was killed by signal {} ({})", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    return fmt::format("worker process ended without a result, exit status {}", WEXITSTATUS(status));
}

std::vector<std::uint8_t> current_failure()
{
    try {
        throw;
    } catch (const std::invalid_argument& error) {
        return failure(is_invalid_argument, error.what());
    } catch (const std::bad_alloc& error) {
        return failure(is_out_of_memory, error.what());
    } catch (const std::exception& error) {
        return failure(is_other_failure, error.what());
    } catch (...) {
        return failure(is_other_failure, "unknown exception");
    }
}

void rethrow_failure(std::span<const std::uint8_t> failure)
{
    const std::string text(failure.begin() + 1, failure.end());
    if (failure.front() == is_invalid_argument)
        throw std::invalid_argument(text);
    if (failure.front() == is_out_of_memory)
        throw std::bad_alloc();
    throw std::runtime_error(text);
}

bool send_all(int descriptor, std::span<const std::uint8_t> bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    }
    return true;
}

void* map_shared(std::size_t bytes)
{
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw_errno("shared memory");
    return memory;
}

void unmap_shared(void* memory, std::size_t bytes)
{
    munmap(memory, bytes);
}

} // namespace nocturne
