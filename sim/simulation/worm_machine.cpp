#include "sim/simulation/worm_machine.hpp"

#include "sim/simulation/compile_dma_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

/// Flits are counted in 31 bits, as at the flit level.
std::uint32_t flits_of(const HardwareConfig& hardware, std::uint64_t message_bytes)
{
    if (message_bytes == 0)
        throw std::invalid_argument("message of 0 bytes: it takes at least 1");
    const std::uint64_t flits = hardware.flits(message_bytes);
    if (flits >= 1ull << 31)
        throw std::invalid_argument(fmt::format(
            "messages of {} bytes: {} flits, fewer than 2^31 are possible", message_bytes, flits));
    return static_cast<std::uint32_t>(flits);
}

/// Timers that only let time pass.
constexpr std::uint32_t idle_timer = (1u << 27) - 1;

} // namespace

WormMachine::WormMachine(const Topology& topology, const Collective& collective, const Workload& workload,
                         const SimulationOptions& options, const VcClasses& vc_classes)
    : hardware_(options.hardware), collective_(collective), workload_(&workload),
      start_up_cycles_(options.hardware.start_up_cycles()), seed_(options.seed),
      flits_(flits_of(options.hardware, options.message_bytes)),
      network_(topology, options.hardware, options.ports, vc_classes), engines_(topology.processor_count())
{
    require_words_of_sums(collective, options.message_bytes);
    network_.attach(*this);
    take(workload);
    const std::vector<std::vector<MessageId>> held = messages_held(workload, collective);
    for (ProcessorId id = 0; id < held.size(); ++id) {
        first_held_.push_back(held_.size());
        for (const MessageId message : held[id]) {
            held_.push_back(message);
            // What it does not have yet is wrong until it comes.
            digests_.push_back(contributes(collective, message, id)
                                   ? contributed_key(collective, message, id, seed_)
                                   : ~message_key(message, seed_));
        }
    }
    first_held_.push_back(held_.size());
}

/// Where a message lies, or will; nothing if the processor never holds it.
std::uint64_t* WormMachine::place(ProcessorId id, MessageId message)
{
    const auto begin = held_.begin() + static_cast<std::ptrdiff_t>(first_held_[id]);
    const auto end = held_.begin() + static_cast<std::ptrdiff_t>(first_held_[id + 1]);
    const auto found = std::lower_bound(begin, end, message);
    if (found != end && *found == message)
        return &digests_[static_cast<std::size_t>(found - held_.begin())];
    const auto later = held_later_.find({id, message});
    return later == held_later_.end() ? nullptr : &later->second;
}

bool WormMachine::holds(const Demand& demand)
{
    return holds(demand, content_of(demand));
}

bool WormMachine::holds(const Demand& demand, std::uint64_t key)
{
    const std::uint64_t* const digest = place(demand.receiver, demand.chunk);
    return digest != nullptr && *digest == key;
}

void WormMachine::begin()
{
    for (ProcessorId id = 0; id < engines_.size(); ++id)
        begin_step(id);
}

// For a host.

void WormMachine::take(const Workload& workload)
{
    workload_ = &workload;
    first_step_.clear();
    missing_.clear();
    std::size_t steps = 0;
    for (const std::vector<EngineStep>& engine : workload.engines) {
        first_step_.push_back(missing_.size());
        for (const EngineStep& step : engine)
            missing_.push_back(step.expected);
        steps = std::max(steps, engine.size());
    }
    first_step_.push_back(missing_.size());
    step_times_.assign(steps, {});
    first_buffer_.clear();
    std::size_t buffers = 0;
    for (const std::vector<Combination>& combinations : workload.combinations) {
        first_buffer_.push_back(buffers);
        buffers += combinations.size();
    }
    buffers_.assign(buffers, 0);
}

void WormMachine::program(const Workload& workload, std::uint64_t message_bytes, std::uint32_t time_out)
{
    flits_ = flits_of(hardware_, message_bytes);
    time_out_ = time_out;
    take(workload);
    for (ProcessorId id = 0; id < workload.engines.size(); ++id)
        for (const EngineStep& step : workload.engines[id])
            for (const Sending& send : step.sends)
                for (const ProcessorId holder : {id, send.destination})
                    if (place(holder, send.message) == nullptr)
                        held_later_[{holder, send.message}] = ~message_key(send.message, seed_);
}

void WormMachine::start()
{
    arrivals_.assign(engines_.size(), {});
    at_barrier_ = done_ = 0;
    is_interrupted_ = false;
    for (Engine& engine : engines_)
        engine = {.timer = engine.timer};
    begin();
}

void WormMachine::halt()
{
    for (Engine& engine : engines_)
        stop(engine);
    at_barrier_ = 0;
}

bool WormMachine::run_to_interrupt()
{
    while (!is_interrupted_) {
        const std::uint64_t next = network_.next_cycle();
        if (next == Calendar::never)
            return false;
        network_.run_through(next);
        expire();
    }
    is_interrupted_ = false;
    return true;
}

void WormMachine::run_for(std::uint64_t cycles)
{
    const std::uint64_t end = now() + cycles;
    for (std::uint64_t next = network_.next_cycle(); next < end; next = network_.next_cycle()) {
        network_.run_through(next);
        expire();
    }
    network_.set_timer(end, idle_timer); // or the calendar would stay where its last event was
    network_.run_to(end);
}

EngineStatus WormMachine::status(ProcessorId id)
{
    const Engine& engine = engines_[id];
    return {engine.is_done, engine.has_failed, engine.phase != Phase::idle || engine.unsent > 0};
}

EngineLog WormMachine::log(ProcessorId id)
{
    return {arrivals_[id], engines_[id].sent};
}

/// At the end of a cycle: what has come in it was in time.
void WormMachine::expire()
{
    for (const ProcessorId id : expiring_) {
        Engine& engine = engines_[id];
        const bool is_in_step = engine.phase == Phase::starting_up || engine.phase == Phase::transferring;
        if (!is_in_step || engine.deadline > now())
            continue;
        stop(engine);
        engine.has_failed = is_interrupted_ = true;
    }
    expiring_.clear();
}

/// A timer is set when the one before is due: most steps are over long before their time-outs.
void WormMachine::set_time_out(ProcessorId id)
{
    Engine& engine = engines_[id];
    if (engine.timer <= engine.deadline)
        return;
    engine.timer = engine.deadline;
    network_.set_timer(engine.timer, static_cast<std::uint32_t>(engines_.size()) + id);
}

void WormMachine::time_is_up(ProcessorId id)
{
    Engine& engine = engines_[id];
    if (engine.timer != now())
        return; // an earlier one has been set since
    engine.timer = Calendar::never;
    if (engine.phase == Phase::idle)
        return;
    if (engine.deadline <= now())
        expiring_.push_back(id);
    else
        set_time_out(id);
}

/// Messages that it has issued still leave.
void WormMachine::stop(Engine& engine)
{
    engine.phase = Phase::idle;
}

// The engines.

void WormMachine::begin_step(ProcessorId id)
{
    Engine& engine = engines_[id];
    const std::vector<EngineStep>& steps = workload_->engines[id];
    if (engine.step == steps.size()) {
        engine.phase = Phase::idle;
        engine.is_done = is_interrupted_ = true;
        ++done_;
        return;
    }
    StepTime& time = step_times_[engine.step];
    if (!time.has_begun)
        time = {network_.now(), 0, true};
    engine.phase = Phase::starting_up;
    const bool sends = !steps[engine.step].sends.empty();
    const bool starts_up = sends && (workload_->start_up == StartUp::every_step || !engine.has_started_up);
    engine.has_started_up = engine.has_started_up || starts_up;
    engine.issues = network_.now() + (starts_up ? start_up_cycles_ : 0);
    network_.set_timer(engine.issues, id);
    if (time_out_ == 0)
        return;
    engine.deadline = network_.now() + time_out_;
    set_time_out(id);
}

void WormMachine::timer(std::uint32_t code)
{
    if (code == idle_timer)
        return;
    if (code >= engines_.size())
        time_is_up(code - static_cast<std::uint32_t>(engines_.size()));
    else if (engines_[code].phase == Phase::starting_up && engines_[code].issues == network_.now())
        issue(code); // or else a host has halted the engine since
}

void WormMachine::issue(ProcessorId id)
{
    Engine& engine = engines_[id];
    const std::vector<Sending>& sends = workload_->engines[id][engine.step].sends;
    engine.phase = Phase::transferring;
    engine.unsent = static_cast<std::uint32_t>(sends.size());
    for (const Sending& sending : sends) {
        auto load = static_cast<std::uint32_t>(loads_.size());
        if (unused_loads_.empty()) {
            loads_.emplace_back();
        } else {
            load = unused_loads_.back();
            unused_loads_.pop_back();
        }
        loads_[load] = {sending.message, sending.remote_step, sending.buffer, *place(id, sending.message)};
        network_.send({id, sending.destination, flits_, load, sending.remote_step}, sending.route);
    }
    proceed(id);
}

void WormMachine::message_sent(const NetworkMessage& message)
{
    const ProcessorId source = message.source;
    --engines_[source].unsent;
    ++engines_[source].sent;
    proceed(source);
}

void WormMachine::message_arrived(const NetworkMessage& message, ProcessorId at)
{
    const Load load = loads_[message.tag];
    if (load.buffer == no_buffer)
        *place(at, load.message) = load.digest;
    else
        buffers_[first_buffer_[at] + load.buffer] = load.digest;
    ++messages_;
    latency_cycles_ += network_.now() - message.created;
    if (!arrivals_.empty())
        arrivals_[at].push_back({message.source, load.message});
    // A late one may belong to a workload that was there before.
    if (first_step_[at] + load.remote_step < first_step_[at + 1])
        --missing_[first_step_[at] + load.remote_step];
    unused_loads_.push_back(message.tag);
    proceed(at);
}

void WormMachine::message_lost(const NetworkMessage& message)
{
    unused_loads_.push_back(message.tag);
}

void WormMachine::proceed(ProcessorId id)
{
    Engine& engine = engines_[id];
    if (engine.phase != Phase::transferring || engine.unsent > 0 ||
        missing_[first_step_[id] + engine.step] > 0)
        return;
    end_cycle_ = step_times_[engine.step].end = network_.now();
    engine.phase = Phase::at_barrier;
    if (workload_->synchronization == Synchronization::self_timed) {
        end_step(id);
        begin_step(id);
        return;
    }
    if (++at_barrier_ < engines_.size())
        return;
    at_barrier_ = 0;
    for (ProcessorId each = 0; each < engines_.size(); ++each) {
        end_step(each);
        begin_step(each);
    }
}

/// Behind the barrier, as DmaEngine: of a step that failed nothing has been added.
void WormMachine::end_step(ProcessorId id)
{
    Engine& engine = engines_[id];
    const std::span<const Combination> combinations = workload_->combinations_of(id);
    for (; engine.combined < combinations.size() && combinations[engine.combined].step == engine.step;
         ++engine.combined) {
        const auto& [step, message, operation] = combinations[engine.combined];
        const std::uint64_t came = buffers_[first_buffer_[id] + engine.combined];
        std::uint64_t& there = *place(id, message);
        there = operation == Operation::add ? there + came : came;
    }
    ++engine.step;
}

std::vector<double> WormMachine::step_times_ns() const
{
    std::vector<double> result;
    for (const StepTime& time : step_times_)
        if (time.has_begun)
            result.push_back(
                time.end < time.begin ? 0 : static_cast<double>(time.end - time.begin) * hardware_.cycle_ns);
    return result;
}

} // namespace nocturne
