// The global barrier between the steps of a schedule.
#pragma once

#include <systemc>

#include <cstddef>

namespace nocturne {

/// Releases all participants once all `participants` have arrived. Its cost is part of t0, so that it adds no
/// time of its own.
class Barrier final : public sc_core::sc_module {
public:
    Barrier(const sc_core::sc_module_name& name, std::size_t participants);

    void arrive();
    /// One who has arrived no longer waits.
    void withdraw() { arrived_ -= arrived_ > 0 ? 1 : 0; }
    /// Notified when all have arrived.
    const sc_core::sc_event& released() const { return released_; }

private:
    std::size_t participants_;
    std::size_t arrived_ = 0;
    sc_core::sc_event released_;
};

} // namespace nocturne
