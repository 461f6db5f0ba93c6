// One line on the terminal that says how far a long run has come.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace nocturne {

struct ProgressOptions {
    int descriptor = 2;                    ///< where it is written: standard error
    std::chrono::milliseconds quiet{1000}; ///< no line before that
};

/// Writes nothing unless the descriptor is a terminal and the run takes longer than the quiet time; erases
/// its line when it is destroyed.
class ProgressLine {
public:
    /// `what` is being done: `replay`.
    explicit ProgressLine(std::string what, ProgressOptions options = {});
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Fits WorkerOptions::on_progress.
    void update(std::size_t done, std::size_t total);
    /// Any other text of one line.
    void show_text(const std::string& text);

private:
    std::string what_;
    ProgressOptions options_;
    bool is_terminal_;
    std::chrono::steady_clock::time_point start_;
    std::string shown_;
};

} // namespace nocturne
