#include "sim/simulation/worm_machine.hpp"

#include "sim/simulation/compile_dma_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne {

namespace {

/// Flits are counted in 31 bits, as at the flit level.
std::uint32_t flits_of(const SimulationOptions& options)
{
    if (options.message_bytes == 0)
        throw std::invalid_argument("message of 0 bytes: it takes at least 1");
    const std::uint64_t flits = options.hardware.flits(options.message_bytes);
    if (flits >= 1ull << 31)
        throw std::invalid_argument(fmt::format(
            "messages of {} bytes: {} flits, fewer than 2^31 are possible", options.message_bytes, flits));
    return static_cast<std::uint32_t>(flits);
}

} // namespace

WormMachine::WormMachine(const Topology& topology, const Collective& collective, const Workload& workload,
                         const SimulationOptions& options)
    : workload_(workload), start_up_cycles_(static_cast<std::uint64_t>(
                               std::ceil(options.hardware.t0_ns / options.hardware.cycle_ns))),
      seed_(options.seed), message_bytes_(options.message_bytes), flits_(flits_of(options)),
      network_(topology, options.hardware, options.ports, workload.vc_classes, *this),
      engines_(topology.processor_count())
{
    std::size_t steps = 0;
    for (const std::vector<EngineStep>& engine : workload.engines) {
        first_step_.push_back(missing_.size());
        for (const EngineStep& step : engine)
            missing_.push_back(step.expected);
        steps = std::max(steps, engine.size());
    }
    step_times_.resize(steps);
    const std::vector<std::vector<MessageId>> held = messages_held(workload, collective);
    for (ProcessorId id = 0; id < held.size(); ++id) {
        first_held_.push_back(held_.size());
        for (const MessageId message : held[id]) {
            held_.push_back(message);
            // What it does not have yet is wrong until it comes.
            const bool is_origin = collective.messages[message].origin == id;
            digests_.push_back(is_origin ? digest_of(message) : ~digest_of(message));
        }
    }
    first_held_.push_back(held_.size());
}

/// Stands for the bytes that message_content() would make.
std::uint64_t WormMachine::digest_of(MessageId message) const
{
    return message_key(message, seed_) ^ message_bytes_;
}

std::size_t WormMachine::place(ProcessorId id, MessageId message) const
{
    const auto begin = held_.begin() + static_cast<std::ptrdiff_t>(first_held_[id]);
    const auto end = held_.begin() + static_cast<std::ptrdiff_t>(first_held_[id + 1]);
    return static_cast<std::size_t>(std::lower_bound(begin, end, message) - held_.begin());
}

bool WormMachine::holds(ProcessorId id, MessageId message) const
{
    const std::size_t at = place(id, message);
    return at < first_held_[id + 1] && held_[at] == message && digests_[at] == digest_of(message);
}

void WormMachine::run()
{
    for (ProcessorId id = 0; id < engines_.size(); ++id)
        begin_step(id);
    network_.run_to_the_end();
}

void WormMachine::begin_step(ProcessorId id)
{
    Engine& engine = engines_[id];
    const std::vector<EngineStep>& steps = workload_.engines[id];
    if (engine.step == steps.size()) {
        engine.phase = Phase::done;
        ++done_;
        return;
    }
    StepTime& time = step_times_[engine.step];
    if (!time.has_begun)
        time = {network_.now(), 0, true};
    engine.phase = Phase::starting_up;
    const bool sends = !steps[engine.step].sends.empty();
    const bool starts_up = sends && (workload_.start_up == StartUp::every_step || !engine.has_started_up);
    engine.has_started_up = engine.has_started_up || starts_up;
    network_.set_timer(network_.now() + (starts_up ? start_up_cycles_ : 0), id);
}

void WormMachine::timer(std::uint32_t code)
{
    issue(code);
}

void WormMachine::issue(ProcessorId id)
{
    Engine& engine = engines_[id];
    const std::vector<Sending>& sends = workload_.engines[id][engine.step].sends;
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
        loads_[load] = {&sending, digests_[place(id, sending.message)]};
        network_.send({id, sending.destination, flits_, load}, {sending.route.data(), sending.route.size()});
    }
    proceed(id);
}

void WormMachine::message_sent(const WormMessage& message)
{
    const ProcessorId source = message.source;
    --engines_[source].unsent;
    proceed(source);
}

void WormMachine::message_arrived(const WormMessage& message)
{
    const ProcessorId at = message.destination;
    const Load& load = loads_[message.tag];
    digests_[place(at, load.sending->message)] = load.digest;
    ++messages_;
    latency_cycles_ += network_.now() - message.created;
    if (load.sending->remote_step < workload_.engines[at].size())
        --missing_[first_step_[at] + load.sending->remote_step];
    unused_loads_.push_back(message.tag);
    proceed(at);
}

void WormMachine::proceed(ProcessorId id)
{
    Engine& engine = engines_[id];
    if (engine.phase != Phase::transferring || engine.unsent > 0 ||
        missing_[first_step_[id] + engine.step] > 0)
        return;
    end_cycle_ = step_times_[engine.step].end = network_.now();
    engine.phase = Phase::at_barrier;
    if (workload_.synchronization == Synchronization::self_timed) {
        ++engine.step;
        begin_step(id);
        return;
    }
    if (++at_barrier_ < engines_.size())
        return;
    at_barrier_ = 0;
    for (ProcessorId each = 0; each < engines_.size(); ++each) {
        ++engines_[each].step;
        begin_step(each);
    }
}

std::vector<std::uint64_t> WormMachine::step_cycles() const
{
    std::vector<std::uint64_t> result;
    for (const StepTime& time : step_times_)
        if (time.has_begun)
            result.push_back(time.end < time.begin ? 0 : time.end - time.begin);
    return result;
}

} // namespace nocturne
