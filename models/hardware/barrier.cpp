#include "models/hardware/barrier.hpp"

namespace nocturne {

Barrier::Barrier(const sc_core::sc_module_name& name, std::size_t participants)
    : sc_module(name), participants_(participants)
{
}

void Barrier::arrive()
{
    if (++arrived_ < participants_)
        return;
    arrived_ = 0;
    released_.notify(sc_core::SC_ZERO_TIME);
}

} // namespace nocturne
