#include "sim/evolution/stop_on_signal.hpp"

#include "schedules/workers/workers.hpp"

#include <array>
#include <cstddef>

namespace nocturne {
namespace {

constexpr std::array watched_signals{SIGINT, SIGTERM, SIGHUP};

// All that a handler may touch.
std::atomic<bool> has_signal_arrived = false;
std::atomic<int> arrived_signal = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void remember(int signal)
{
    arrived_signal = signal;
    has_signal_arrived = true;
}

} // namespace

StopOnSignal::StopOnSignal()
{
    has_signal_arrived = false;
    struct sigaction action = {};
    action.sa_handler = remember;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < watched_signals.size(); ++i)
        sigaction(watched_signals[i], &action, &before_[i]);
}

StopOnSignal::~StopOnSignal()
{
    for (std::size_t i = 0; i < watched_signals.size(); ++i)
        sigaction(watched_signals[i], &before_[i], nullptr);
}

const std::atomic<bool>& StopOnSignal::flag() const
{
    return has_signal_arrived;
}

int StopOnSignal::signal() const
{
    return has_signal_arrived ? arrived_signal.load() : 0;
}

void StopOnSignal::throw_if_interrupted() const
{
    if (has_signal_arrived)
        throw Interrupted(arrived_signal);
}

} // namespace nocturne
