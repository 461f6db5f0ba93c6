// How far the tasks of a portfolio have come, in memory that their processes share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace nocturne {

class SharedProgress {
public:
    /// Throws std::runtime_error if there is no memory to share.
    explicit SharedProgress(std::size_t tasks);
    ~SharedProgress();
    SharedProgress(const SharedProgress&) = delete;
    SharedProgress& operator=(const SharedProgress&) = delete;

    /// What the process of `task` has tried, and what is left in its best attempt.
    void set(std::size_t task, std::uint64_t tried, std::uint64_t unscheduled);
    std::pair<std::uint64_t, std::uint64_t> get(std::size_t task) const;
    void finish(std::size_t task);

    /// The first task that has said something and is not finished.
    std::optional<std::size_t> first_running() const;

private:
    struct Entry;

    std::size_t tasks_;
    Entry* entries_;
};

} // namespace nocturne
