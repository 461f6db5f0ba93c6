// Ctrl-C as a request to stop: what is running ends soon, keeps what it has, and says that it was
// interrupted.
#pragma once

#include <atomic>
#include <csignal>

namespace nocturne {

/// While it lives, SIGINT, SIGTERM and SIGHUP set a flag instead of ending this process; a process has one at
/// a time.
class StopOnSignal {
public:
    StopOnSignal();
    ~StopOnSignal();
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;

    const std::atomic<bool>& flag() const;
    /// That has arrived; 0 = none.
    int signal() const;
    /// What the shell expects: 128 + the signal that has arrived; 0 = none.
    int exit_status() const { return signal() == 0 ? 0 : 128 + signal(); }
    /// Throws Interrupted if a signal has arrived.
    void throw_if_interrupted() const;

private:
    struct sigaction before_[3];
};

} // namespace nocturne
