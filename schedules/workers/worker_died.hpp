// A worker process that did not come to its end.
#pragma once

#include <stdexcept>

namespace nocturne {

/// `job 3: worker process was killed by signal 9 (Killed)`: for want of memory, say, or by hand. Neither the
/// input nor what was examined is at fault, as far as is known.
class WorkerDied final : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace nocturne
