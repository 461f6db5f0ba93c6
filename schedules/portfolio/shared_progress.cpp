#include "schedules/portfolio/shared_progress.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace nocturne {

struct SharedProgress::Entry {
    std::atomic<std::uint64_t> tried{0};
    std::atomic<std::uint64_t> unscheduled{0};
    std::atomic<bool> is_finished{false};
};

SharedProgress::SharedProgress(std::size_t tasks) : tasks_(tasks)
{
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free); // a lock would be each process's own
    void* const memory =
        mmap(nullptr, (tasks + 1) * sizeof(Entry), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::runtime_error(std::string("memory for worker processes: ") + std::strerror(errno));
    entries_ = static_cast<Entry*>(memory);
    for (std::size_t task = 0; task < tasks; ++task)
        new (entries_ + task) Entry;
}

SharedProgress::~SharedProgress()
{
    munmap(entries_, (tasks_ + 1) * sizeof(Entry));
}

void SharedProgress::set(std::size_t task, std::uint64_t tried, std::uint64_t unscheduled)
{
    entries_[task].tried = tried;
    entries_[task].unscheduled = unscheduled;
}

std::pair<std::uint64_t, std::uint64_t> SharedProgress::get(std::size_t task) const
{
    return {entries_[task].tried, entries_[task].unscheduled};
}

void SharedProgress::finish(std::size_t task)
{
    entries_[task].is_finished = true;
}

std::optional<std::size_t> SharedProgress::first_running() const
{
    for (std::size_t task = 0; task < tasks_; ++task)
        if (entries_[task].tried > 0 && !entries_[task].is_finished)
            return task;
    return std::nullopt;
}

} // namespace nocturne
