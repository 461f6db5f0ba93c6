#include "models/hardware/clock_domain.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace nocturne {

namespace {
constexpr std::ptrdiff_t line_bytes = 64;
} // namespace

ClockDomain::ClockDomain(const sc_core::sc_module_name& name, sc_core::sc_time period)
    : sc_module(name), period_(period)
{
    SC_HAS_PROCESS(ClockDomain);
    SC_METHOD(run);
    sensitive << due_;
    dont_initialize();
}

std::uint32_t ClockDomain::add(Clocked& component, std::size_t cache_footprint_bytes)
{
    components_.push_back({&component, cache_footprint_bytes});
    is_large_ = is_large_ || cache_footprint_bytes != 0;
    active_.resize((components_.size() + 63) / 64);
    active_words_.resize((active_.size() + 63) / 64);
    return static_cast<std::uint32_t>(components_.size() - 1);
}

/// From outside, or for the far future.
void ClockDomain::schedule_slowly(Cycle at, const Event& event)
{
    if (at > last_cycle())
        throw std::overflow_error(
            fmt::format("clock: cycle {} is after the end of simulated time, cycle {}", at, last_cycle()));
    if (running_ ? at <= cycle_ : period_.value() * at < sc_core::sc_time_stamp().value())
        throw std::logic_error(fmt::format("clock: an event for cycle {} in cycle {}", at, now()));
    if (at - now() < slots)
        events_.append(at, event);
    else
        events_.push_far(at, event);
    if (!running_)
        run_at(at);
}

void ClockDomain::run_at(Cycle cycle)
{
    // An earlier notification that is pending stays: the kernel keeps the earliest.
    // Counted from time zero, since a process may schedule between two clock edges.
    due_.notify(sc_core::sc_time::from_value(period_.value() * cycle) - sc_core::sc_time_stamp());
}

void ClockDomain::run()
{
    cycle_ = now();
    running_ = true;
    ++cycles_run_;
    while (events_.first_far() == cycle_)
        dispatch(events_.take_far());
    // Events schedule further events into other slots, never into this one.
    const std::uint32_t first = events_.detach(cycle_);
    if (is_large_)
        dispatch_due_of_large(first);
    else
        dispatch_due(first);
    const bool active = tick_active();
    running_ = false;
    const Cycle next = active ? cycle_ + 1 : events_.next_after(cycle_);
    if (next != Ring::never)
        run_at(next);
}

inline void ClockDomain::dispatch_due(std::uint32_t node)
{
    while (node != Ring::none) {
        const Ring::Node due = events_[node];
        events_.give_back(node);
        dispatch(due.event);
        node = due.next;
    }
}

/// While one event is dealt with, the memory for those behind it is on its way: of the next but one what its
/// target is, of the next what that will read.
void ClockDomain::dispatch_due_of_large(std::uint32_t node)
{
    constexpr std::ptrdiff_t fetched_lines = 4;
    while (node != Ring::none) {
        const Ring::Node due = events_[node];
        if (due.next != Ring::none) {
            const Ring::Node& next = events_[due.next];
            next.event.target->fetch(next.event.code);
            if (next.next != Ring::none) {
                const auto* const target =
                    reinterpret_cast<const std::byte*>(events_[next.next].event.target);
                for (std::ptrdiff_t line = 0; line < fetched_lines; ++line)
                    __builtin_prefetch(target + line * line_bytes);
            }
        }
        events_.give_back(node);
        dispatch(due.event);
        node = due.next;
    }
}

inline void ClockDomain::fetch(const Component& component)
{
    const auto* const first = reinterpret_cast<const std::byte*>(component.component);
#pragma GCC unroll 4
    for (const std::byte* line = first; line < first + component.cache_footprint_bytes; line += line_bytes)
        __builtin_prefetch(line);
}

bool ClockDomain::tick_active()
{
    std::uint64_t any = 0;
    for (std::size_t group = 0; group < active_words_.size(); ++group) {
        for (std::uint64_t words = active_words_[group]; words != 0; words &= words - 1) {
            const std::size_t word = group * 64 + static_cast<unsigned>(std::countr_zero(words));
            const Component* const components = components_.data() + word * 64;
            std::uint64_t stay = active_[word];
            for (std::uint64_t left = stay; left != 0; left &= left - 1) {
                if (const std::uint64_t behind = left & (left - 1); behind != 0)
                    fetch(components[std::countr_zero(behind)]);
                if (!components[std::countr_zero(left)].component->tick())
                    stay &= ~(left & -left);
            }
            active_[word] = stay;
            if (stay == 0)
                active_words_[group] &= ~(1ull << (word % 64));
        }
        any |= active_words_[group];
    }
    return any != 0;
}

} // namespace nocturne
