#include "sim/execution/dma_machine.hpp"

#include <algorithm>
#include <functional>

namespace nocturne {

namespace {

constexpr std::uint8_t before_background = 1; ///< where arbiters ask for priorities

} // namespace

DmaMachine::DmaMachine(MessageNetwork& network, const HardwareConfig& hardware, Memories& memories)
    : network_(network), hardware_(hardware), start_up_cycles_(hardware.start_up_cycles()),
      memories_(memories)
{
    network.attach(*this);
}

void DmaMachine::begin(const Program& program, const Routing& routing, std::uint32_t time_out)
{
    program_ = &program;
    routing_ = &routing;
    time_out_ = time_out;
    ++run_;
    task_count_ = program.task_count();
    ended_ = 0;
    waits_.clear();
    missing_.clear();
    for (std::size_t task = 0; task < task_count_; ++task) {
        waits_.push_back(program.tasks[task].waits);
        missing_.push_back(program.tasks[task].expected + 1);
    }
    links_.reset();
    if (program.network != nullptr)
        links_.emplace(*program.network);
    steps_.assign(program.steps, {});
    task_ends_.assign(program.task_of_transfer.empty() ? 0 : task_count_, 0);
    if (is_driven()) {
        engines_.resize(network_.topology().processor_count());
        for (Engine& engine : engines_)
            engine = {.timer = engine.timer};
        for (std::size_t task = 0; task < task_count_; ++task)
            if (program.tasks[task].processor != no_number)
                ++engines_[program.tasks[task].processor].tasks_left;
        is_interrupted_ = false;
        for (ProcessorId id = 0; id < engines_.size(); ++id)
            if (!program.has_barriers && engines_[id].tasks_left == 0)
                finish(id);
    }
    // What happens in the first cycle happens within it, and a host sees nothing of it before time goes on.
    is_to_begin_ = is_driven() && network_.now() > 0;
    if (network_.now() == 0)
        network_.set_timer(0, program_begins);
    else if (!is_to_begin_)
        begin_first();
}

void DmaMachine::begin_first()
{
    ready_.assign(program_->first.rbegin(), program_->first.rend());
    begin_ready();
    if (is_driven() && is_done())
        for (ProcessorId id = 0; id < engines_.size(); ++id)
            finish(id);
}

std::span<const DmaMachine::Interval> DmaMachine::steps() const
{
    const auto end = std::ranges::find(steps_, never, &Interval::begin);
    return std::span(steps_).first(static_cast<std::size_t>(end - steps_.begin()));
}

bool DmaMachine::is_stopped(TaskId task) const
{
    const ProcessorId id = program_->tasks[task].processor;
    return is_driven() && id != no_number && engines_[id].is_stopped;
}

/// Tasks that send nothing may end at once and make others ready.
void DmaMachine::begin_ready()
{
    if (is_beginning_)
        return;
    is_beginning_ = true;
    while (!ready_.empty()) {
        const TaskId task = ready_.back();
        ready_.pop_back();
        begin_task(task);
    }
    is_beginning_ = false;
}

/// All before it on its links have begun, so that the shares tell from when on there is room beside them.
bool DmaMachine::takes_links(TaskId id)
{
    const std::uint64_t now = network_.now();
    const std::span<const LinkId> links = program_->links[id];
    const double begin = links_->earliest_start(links, static_cast<double>(now));
    if (begin > static_cast<double>(now)) {
        network_.set_timer(static_cast<std::uint64_t>(begin), id * timer_kinds + may_begin);
        return false;
    }
    const std::uint64_t until = now + program_->hold_cycles[id];
    links_->hold(links, static_cast<double>(now), static_cast<double>(until));
    if (!program_->after_hold.of(id).empty())
        network_.set_timer(until, id * timer_kinds + hold_has_ended);
    release(program_->after_begin.of(id));
    return true;
}

void DmaMachine::begin_task(TaskId id)
{
    if (!program_->release_cycles.empty() && network_.now() < program_->release_cycles[id]) {
        network_.set_timer(program_->release_cycles[id], id * timer_kinds + may_begin);
        return;
    }
    if (links_ && !program_->links[id].empty() && !takes_links(id))
        return;
    const ProgramTask& task = program_->tasks[id];
    const std::uint64_t now = network_.now();
    if (task.step != no_number)
        steps_[task.step].begin = std::min(steps_[task.step].begin, now);
    const std::uint64_t issues = now + (task.starts_up ? start_up_cycles_ : 0);
    if (is_driven() && task.processor != no_number) {
        Engine& engine = engines_[task.processor];
        if (engine.is_stopped)
            return;
        engine.task = id;
        engine.issues = issues;
        engine.deadline = now + time_out_;
        set_time_out(task.processor);
    }
    // A step begins behind all that its processor's step before has still to do in this cycle.
    if (issues > now || (task.processor != no_number && network_.takes_present_timers()))
        network_.set_timer(issues, id * timer_kinds + is_started_up);
    else
        issue(id);
}

void DmaMachine::timer(std::uint32_t code)
{
    const std::uint32_t of = code / timer_kinds;
    switch (code % timer_kinds) {
    case program_begins:
        begin_first();
        break;
    case is_started_up:
        if (!is_driven() || takes_start_up(of))
            issue(of);
        break;
    case hold_has_ended:
        release(program_->after_hold.of(of));
        begin_ready();
        break;
    case may_begin:
        begin_task(of);
        begin_ready();
        break;
    case time_out_is_due:
        time_is_up(of);
        break;
    default: // time_passes
        break;
    }
}

void DmaMachine::issue(TaskId id)
{
    const ProgramTask& task = program_->tasks[id];
    const std::uint32_t end = program_->tasks[id + 1].messages;
    missing_[id] += end - task.messages;
    if (is_driven() && task.processor != no_number)
        engines_[task.processor].unsent += end - task.messages;
    for (std::uint32_t message = task.messages; message < end; ++message)
        send(program_->messages[message]);
    account(id);
}

void DmaMachine::send(const ProgramMessage& message)
{
    auto tag = static_cast<std::uint32_t>(flights_.size());
    if (free_flights_.empty()) {
        flights_.emplace_back();
    } else {
        tag = free_flights_.back();
        free_flights_.pop_back();
    }
    Flight& flight = flights_[tag];
    flight.to = message.to;
    flight.sender = message.sender;
    flight.awaited_by = message.awaited_by;
    flight.run = run_;
    flight.message = memories_.place_of(message.from);
    flight.operation = message.operation;
    flight.has_left = flight.is_lost = false;
    const std::span<const std::uint32_t> content = memories_.content(message.from, message.bytes);
    flight.content.assign(content.begin(), content.end());
    const std::uint32_t step = program_->tasks[message.awaited_by].step;
    const MessageNetwork::Sending sending{.source = message.source,
                                          .destination = message.destination,
                                          .flits = static_cast<std::uint32_t>(hardware_.flits(message.bytes)),
                                          .tag = tag,
                                          .number = step == no_number ? 0 : step,
                                          .priority = before_background};
    if (message.route != nullptr)
        network_.send(sending, *message.route);
    else
        network_.send(sending, *routing_);
}

void DmaMachine::message_sent(const NetworkMessage& message)
{
    Flight& flight = flights_[message.tag];
    flight.has_left = true;
    if (flight.is_lost)
        free_flights_.push_back(message.tag);
    if (is_driven()) {
        Engine& engine = engines_[message.source];
        ++engine.sent;
        engine.unsent -= engine.unsent > 0 ? 1 : 0;
    }
    if (flight.run == run_)
        account(flight.sender);
    begin_ready();
}

void DmaMachine::message_arrived(const NetworkMessage& message, ProcessorId at)
{
    Flight& flight = flights_[message.tag];
    if (message.came != message.flits) // a part of it is missing, or in another order
        std::ranges::transform(flight.content, flight.content.begin(), std::bit_not());
    memories_.put(flight.to, flight.content, flight.operation);
    ++messages_;
    latency_cycles_ += network_.now() - message.created;
    if (is_driven())
        engines_[at].arrivals.push_back({message.source, flight.message});
    const TaskId task = flight.awaited_by;
    const bool is_of_this_run = flight.run == run_;
    free_flights_.push_back(message.tag);
    if (is_of_this_run)
        account(task);
    begin_ready();
}

/// Its last flit may still have to leave.
void DmaMachine::message_lost(const NetworkMessage& message)
{
    flights_[message.tag].is_lost = true;
    if (flights_[message.tag].has_left)
        free_flights_.push_back(message.tag);
}

/// One of those that the end of the task waits for.
void DmaMachine::account(TaskId task)
{
    if (--missing_[task] == 0 && !is_stopped(task))
        end_task(task);
}

void DmaMachine::end_task(TaskId id)
{
    const ProgramTask& task = program_->tasks[id];
    const std::uint64_t now = network_.now();
    if (task.step != no_number)
        steps_[task.step].end = now;
    if (!task_ends_.empty())
        task_ends_[id] = now;
    end_cycle_ = now;
    ++ended_;
    for (std::uint32_t local = task.locals; local < program_->tasks[id + 1].locals; ++local) {
        const auto& [from, to, bytes, operation] = program_->locals[local];
        memories_.move(from, to, bytes, operation);
    }
    if (is_driven() && task.processor != no_number) {
        engines_[task.processor].task = no_number;
        if (--engines_[task.processor].tasks_left == 0 && !program_->has_barriers)
            finish(task.processor);
    }
    if (is_driven() && program_->has_barriers && is_done())
        for (ProcessorId engine = 0; engine < engines_.size(); ++engine)
            finish(engine);
    release(program_->after_end.of(id));
    begin_ready();
}

void DmaMachine::release(std::span<const TaskId> tasks)
{
    // Those that are begun first are the last ones here.
    for (auto task = tasks.rbegin(); task != tasks.rend(); ++task)
        if (--waits_[*task] == 0)
            ready_.push_back(*task);
}

} // namespace nocturne
