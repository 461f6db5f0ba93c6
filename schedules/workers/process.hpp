// What jobs and teams share: processes that are never left behind, descriptors, signals, failures on their
// way from one process to another.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace nocturne {

/// A std::runtime_error that says what failed, and errno's reason.
[[noreturn]] void throw_errno(std::string_view what);

/// An open file descriptor, or none (-1).
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();
    int number() const { return number_; }

private:
    int number_;
};

/// `job 3: worker process was killed by signal 9 (Killed)`: for want of memory, say, or by hand. Neither the
/// input nor what was examined is at fault, as far as is known.
class WorkerDied final : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Keeps SIGINT, SIGTERM and SIGHUP from this process and hands them out through a descriptor instead. What
/// has arrived and has not been taken does its work when the watch ends.
class SignalWatch {
public:
    SignalWatch();
    ~SignalWatch() { restore(); }
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    /// Readable when a signal has arrived.
    int descriptor() const { return descriptor_.number(); }
    void restore() const;
    /// Throws Interrupted if one has.
    void throw_if_interrupted() const;

private:
    sigset_t before_;
    Descriptor descriptor_;
};

/// A fork of this process. Destroyed before its end it is killed; it is always waited for, and dies if this
/// process does.
class ChildProcess {
public:
    /// Runs `life` in a fork and ends it with status 0. It takes no notice of Ctrl-C, which reaches the whole
    /// process group: the parent decides what becomes of it. What it prints to stdout goes to stderr. It
    /// closes `inherited`, the descriptors that are none of its business.
    ChildProcess(const SignalWatch& signals, std::span<const int> inherited,
                 const std::function<void()>& life);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();

    /// Waits for its end, once; the status as waitpid() gives it, 0 for an end in peace.
    int wait();

private:
    pid_t process_;
};

/// `worker process was killed by signal 11 (Segmentation fault)`, or that it ended without a result.
std::string describe_end(int status);

/// A failure as bytes: one of these letters, then its text.
constexpr std::uint8_t is_invalid_argument = 'i';
constexpr std::uint8_t is_other_failure = 'e';
constexpr std::uint8_t is_out_of_memory = 'm';

/// The exception that is being handled, for rethrow_failure().
std::vector<std::uint8_t> current_failure();
/// std::invalid_argument, or std::runtime_error for any other.
[[noreturn]] void rethrow_failure(std::span<const std::uint8_t> failure);

/// Sends all of it, waiting where it must; false if the other end is gone.
bool send_all(int descriptor, std::span<const std::uint8_t> bytes);

/// Memory that a process and its forks see alike, zero at first. Throws std::runtime_error if there is none.
void* map_shared(std::size_t bytes);
void unmap_shared(void* memory, std::size_t bytes);

/// Atomic values that a process and its forks see alike, zero at first.
template <typename Value>
class SharedValues {
public:
    static_assert(std::atomic<Value>::is_always_lock_free); // a lock would be each process's own

    explicit SharedValues(std::size_t count)
        : bytes_((count + 1) * sizeof(std::atomic<Value>)),
          values_(static_cast<std::atomic<Value>*>(map_shared(bytes_)))
    {
        std::uninitialized_value_construct_n(values_, count + 1);
    }
    ~SharedValues() { unmap_shared(values_, bytes_); }
    SharedValues(const SharedValues&) = delete;
    SharedValues& operator=(const SharedValues&) = delete;

    std::atomic<Value>& operator[](std::size_t index) const { return values_[index]; }

private:
    std::size_t bytes_;
    std::atomic<Value>* values_;
};

} // namespace nocturne
