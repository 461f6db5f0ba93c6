// What a host does with the engines, and their time-outs.
#include "sim/execution/dma_machine.hpp"

#include <utility>

namespace nocturne {

void DmaMachine::finish(ProcessorId id)
{
    engines_[id].task = no_number;
    engines_[id].tasks_left = 0;
    is_interrupted_ = true;
}

void DmaMachine::halt()
{
    for (Engine& engine : engines_)
        engine.is_stopped = true;
}

void DmaMachine::begin_what_is_to_begin()
{
    if (std::exchange(is_to_begin_, false))
        begin_first();
}

bool DmaMachine::run_to_interrupt()
{
    begin_what_is_to_begin();
    while (!is_interrupted_) {
        const std::uint64_t next = network_.next_cycle();
        if (next == MessageNetwork::never)
            return false;
        network_.run_through(next);
        expire();
    }
    is_interrupted_ = false;
    return true;
}

void DmaMachine::run_for(std::uint64_t cycles)
{
    begin_what_is_to_begin();
    const std::uint64_t end = now() + cycles;
    for (std::uint64_t next = network_.next_cycle(); next < end; next = network_.next_cycle()) {
        network_.run_through(next);
        expire();
    }
    network_.set_timer(end, time_passes); // or time would stay where something happened last
    network_.run_to(end);
}

EngineStatus DmaMachine::status(ProcessorId id) const
{
    const Engine& engine = engines_[id];
    const bool is_done =
        !engine.is_stopped && (program_->has_barriers ? ended_ == task_count_ : engine.tasks_left == 0);
    return {is_done, engine.has_failed, (!engine.is_stopped && !is_done) || engine.unsent > 0};
}

/// At the end of a cycle: what has come in it was in time.
void DmaMachine::expire()
{
    for (const ProcessorId id : expiring_) {
        Engine& engine = engines_[id];
        if (engine.is_stopped || engine.task == no_number || engine.deadline > now())
            continue;
        engine.is_stopped = engine.has_failed = is_interrupted_ = true;
    }
    expiring_.clear();
}

/// A timer is set when the one before is due: most steps are over long before their time-outs.
void DmaMachine::set_time_out(ProcessorId id)
{
    Engine& engine = engines_[id];
    if (engine.timer <= engine.deadline)
        return;
    engine.timer = engine.deadline;
    network_.set_timer(engine.timer, id * timer_kinds + time_out_is_due);
}

void DmaMachine::time_is_up(ProcessorId id)
{
    Engine& engine = engines_[id];
    if (engine.timer != network_.now())
        return; // an earlier one has been set since
    engine.timer = never;
    if (engine.is_stopped || engine.task == no_number)
        return;
    if (engine.deadline <= network_.now())
        expiring_.push_back(id);
    else
        set_time_out(id);
}

/// Of a host's engine, unless the timer is of a task that was halted, or of a program before this one.
bool DmaMachine::takes_start_up(TaskId task)
{
    if (task >= task_count_ || program_->tasks[task].processor == no_number)
        return false;
    Engine& engine = engines_[program_->tasks[task].processor];
    if (engine.is_stopped || engine.task != task || engine.issues != network_.now())
        return false;
    engine.issues = never;
    return true;
}

} // namespace nocturne
