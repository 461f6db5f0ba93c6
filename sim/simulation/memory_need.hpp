// What simulations take of this machine's memory: said before they take it, and refused where it is too much.
#pragma once

#include "models/hardware/network_memory.hpp"
#include "schedules/workers/workers.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nocturne {

/// What a series of simulations may take, and whom to tell.
struct MemoryLimit {
    std::uint64_t bytes = 0; ///< 0: half of what this machine has
    /// Called once with a line that says what will be taken, if it is `noteworthy_bytes` or more.
    std::function<void(const std::string&)> on_notice = {};

    static constexpr std::uint64_t noteworthy_bytes = 1ull << 30;
};

/// So many workers, or fewer, that those of the jobs that run at a time fit into the limit; jobs[i] bytes for
/// each. Throws std::invalid_argument, one line, if one of them does not fit by itself.
unsigned workers_that_fit(unsigned workers, const std::vector<std::uint64_t>& jobs, const MemoryLimit& limit);

} // namespace nocturne
