// Schedules that a format could say, but what runs its files could not carry out.
#pragma once

#include <stdexcept>

namespace nocturne {

/// A schedule needs more than what runs the files of a format has: steps of a thread block, channels. Another
/// schedule of the same collective may need less.
struct ExecutorLimit : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

} // namespace nocturne
