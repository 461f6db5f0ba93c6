// How far a long run has come, for people who wait and for the log of a job: one line on a terminal that
// changes, and elsewhere a new line every few seconds.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

namespace nocturne {

struct ProgressOptions {
    int descriptor = 2;                    ///< where it is written: standard error
    std::chrono::milliseconds quiet{1000}; ///< on a terminal: no line before that
    /// Elsewhere: no line before that, and none sooner than that after another, or than a tenth of the time
    /// so far: a run of a day has a hundred lines.
    std::chrono::milliseconds pause{5000};
};

/// On a terminal it rewrites its line, and erases it when it is destroyed. Elsewhere it writes nothing if the
/// environment has NOCTURNE_PROGRESS=terminal.
class ProgressLine {
public:
    /// `what` is being done: `replay`.
    explicit ProgressLine(std::string what, ProgressOptions options = {});
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// `replay: 3 of 12 runs done, 40 s; about 2 min left`. Fits WorkerOptions::on_progress.
    void update(std::size_t done, std::size_t total);
    /// Any other text of one line.
    void show_text(const std::string& text);

private:
    std::chrono::steady_clock::duration elapsed() const;

    std::string what_;
    ProgressOptions options_;
    bool is_terminal_;
    bool is_silent_;
    std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::duration next_line_; ///< where it is no terminal
    std::string shown_;
};

/// While it exists a ProgressLine says how long that has been (`validate: 12 s`): beside work in this process
/// that does not say how far it is. A thread writes the line: no process may be forked meanwhile.
class WaitingLine {
public:
    explicit WaitingLine(std::string what, ProgressOptions options = {});

private:
    ProgressLine line_;
    std::jthread thread_; ///< behind the line, which it uses
};

/// `90 s`, `3 min`, `5 h`, `4 days`: in the largest unit of which there are at least two.
std::string duration_text(double seconds);

} // namespace nocturne
