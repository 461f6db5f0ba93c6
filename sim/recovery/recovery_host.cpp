#include "sim/recovery/recovery_host.hpp"

#include "models/hardware/kernel.hpp"
#include "models/hardware/zero_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint32_t margin_cycles = 16;
constexpr std::uint32_t program_room = 1u << 16; ///< bytes for programs beyond the size of the first one
constexpr std::size_t message_room = 16;         ///< messages that a processor only passes on
constexpr std::size_t spare_records = 64;

std::size_t program_bytes(const CompiledEngine& engine)
{
    return encode(engine.program).size() * sizeof(std::uint32_t);
}

/// What is free for programs, and for messages and probes that a processor has not held before, bytes.
std::uint64_t free_bytes(const CompiledEngine& engine, const Topology& topology, std::size_t messages,
                         std::uint64_t message_bytes)
{
    const std::size_t passed_on = std::min(message_room, messages - engine.addresses.size());
    return aligned(2 * program_bytes(engine) + program_room) + passed_on * aligned(message_bytes) +
           topology.channel_count() * memory_alignment; // at most one probe for each channel in a round
}

/// Arrivals of one run at most: each message for which a processor has, or may still get, a place, or each
/// probe.
std::size_t most_records(const CompiledEngine& engine, const Topology& topology, std::size_t messages,
                         std::uint64_t message_bytes)
{
    const std::uint64_t places =
        engine.addresses.size() +
        free_bytes(engine, topology, messages, message_bytes) / aligned(message_bytes);
    return std::min<std::uint64_t>(messages, places) + std::max(spare_records, topology.channel_count());
}

} // namespace

Timeouts timeouts_for(const Workload& workload, const Topology& topology, const HardwareConfig& hardware,
                      std::uint64_t message_bytes)
{
    const std::uint64_t flits = hardware.flits(message_bytes);
    std::uint64_t longest = 0;
    std::size_t steps = 0;
    std::vector<std::uint64_t> by_channel(topology.channel_count());
    std::vector<std::uint64_t> by_processor(topology.processor_count());
    for (ProcessorId id = 0; id < workload.engines.size(); ++id) {
        steps = std::max(steps, workload.engines[id].size());
        for (const EngineStep& step : workload.engines[id])
            for (const Sending& send : step.sends) {
                longest = std::max(longest, zero_load_cycles(topology, hardware, send.route, flits));
                by_processor[id] += flits;
                by_processor[send.destination] += flits;
                for (const Hop& hop : send.route)
                    by_channel[hop.channel] +=
                        flits * hardware.cycles_per_flit(topology.channel(hop.channel));
            }
    }
    const auto start_up = static_cast<std::uint64_t>(std::ceil(hardware.t0_ns / hardware.cycle_ns));
    if (workload.synchronization == Synchronization::barrier)
        return {start_up + 2 * longest + margin_cycles, longest + margin_cycles};
    const auto busiest = [](const std::vector<std::uint64_t>& flits_of) {
        return flits_of.empty() ? 0 : *std::max_element(flits_of.begin(), flits_of.end());
    };
    const std::uint64_t carried = 4 * (longest + busiest(by_channel) + busiest(by_processor)) + margin_cycles;
    return {steps * start_up + carried, carried};
}

RecoveryHost::RecoveryHost(System& system, const Topology& topology, double word_ns)
    : system_(system), host_(system.host()), processors_(topology.processor_count()),
      word_time_(word_ns, sc_core::SC_NS), cycle_(system.network().domain().period())
{
}

std::uint64_t RecoveryHost::extra_bytes(const CompiledEngine& engine, const Topology& topology,
                                        std::size_t messages, std::uint64_t message_bytes)
{
    return aligned(most_records(engine, topology, messages, message_bytes) * sizeof(ArrivalRecord)) +
           free_bytes(engine, topology, messages, message_bytes);
}

void RecoveryHost::lay_out(const std::vector<CompiledEngine>& engines, const Topology& topology,
                           std::size_t messages, std::uint64_t message_bytes)
{
    for (ProcessorId id = 0; id < processors_; ++id) {
        places_.emplace_back(engines[id].addresses.begin(), engines[id].addresses.end());
        const std::uint64_t records = aligned(engines[id].memory_bytes);
        most_records_.push_back(most_records(engines[id], topology, messages, message_bytes));
        records_.push_back(static_cast<std::uint32_t>(records));
        free_.push_back(
            static_cast<std::uint32_t>(records + aligned(most_records_[id] * sizeof(ArrivalRecord))));
        ceiling_.push_back(static_cast<std::uint32_t>(system_.memory(id).contents().size()));
    }
}

/// Room for what a processor has not held before.
void RecoveryHost::make_places(const Workload& workload, std::uint64_t message_bytes)
{
    const auto place = [&](ProcessorId id, MessageId message) {
        if (places_[id].count(message) != 0)
            return;
        if (ceiling_[id] < free_[id] + aligned(message_bytes))
            throw std::runtime_error(
                fmt::format("recovery: the memory of processor {} has no room for another message", id));
        ceiling_[id] = static_cast<std::uint32_t>((ceiling_[id] - aligned(message_bytes)) / memory_alignment *
                                                  memory_alignment);
        places_[id][message] = ceiling_[id];
    };
    for (ProcessorId id = 0; id < processors_; ++id)
        for (const EngineStep& step : workload.engines[id])
            for (const Sending& send : step.sends) {
                place(id, send.message);
                place(send.destination, send.message);
            }
}

void RecoveryHost::program(const Workload& workload, std::uint64_t message_bytes, const Timeouts& timeouts)
{
    if (timeouts.time_out > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument(
            fmt::format("recovery: a time-out of {} cycles, more than the {} that its register holds",
                        timeouts.time_out, std::numeric_limits<std::uint32_t>::max()));
    make_places(workload, message_bytes);
    const MessageAddress address_of = [&](ProcessorId id, MessageId message) {
        return places_[id].at(message);
    };
    for (ProcessorId id = 0; id < processors_; ++id) {
        std::vector<std::uint32_t> words = encode(
            make_program(workload, id, address_of, static_cast<std::uint32_t>(message_bytes)), free_[id]);
        if (free_[id] + words.size() * sizeof(std::uint32_t) > ceiling_[id])
            throw std::runtime_error(
                fmt::format("recovery: the memory of processor {} has no room for a program of {} words", id,
                            words.size()));
        host_.write_memory(id, free_[id], std::move(words));
        host_.write_register(id, dma_register::status, ~dma_status::busy);
        host_.write_register(id, dma_register::program, free_[id]);
        host_.write_register(id, dma_register::arrivals, records_[id]);
        host_.write_register(id, dma_register::time_out, static_cast<std::uint32_t>(timeouts.time_out));
    }
}

RunReport RecoveryHost::run(const Workload& workload, const Timeouts& timeouts)
{
    if (sc_core::sc_time_stamp() > sc_core::SC_ZERO_TIME)
        pay();
    else
        paid_words_ = host_.words(); // what is there when time begins costs none
    for (ProcessorId id = 0; id < processors_; ++id)
        host_.write_register(
            id, dma_register::control,
            dma_control::start | dma_control::interrupt_enable |
                (workload.synchronization == Synchronization::self_timed ? dma_control::self_timed : 0) |
                (workload.start_up == StartUp::once ? dma_control::chained : 0));
    RunReport report;
    report.started = sc_core::sc_time_stamp();
    while (!all_have(dma_status::done) && !any_has(dma_status::error)) {
        if (!sc_core::sc_pending_activity())
            throw std::runtime_error("recovery: no progress, and no time-out either");
        run_kernel();
    }
    report.reported = sc_core::sc_time_stamp();
    report.is_done = all_have(dma_status::done);
    if (!report.is_done) {
        wait(cycle_); // others report in the same cycle
        for (ProcessorId id = 0; id < processors_; ++id)
            host_.write_register(id, dma_register::control,
                                 dma_control::halt | dma_control::interrupt_enable);
        do
            wait(cycle_ * static_cast<double>(timeouts.drain));
        while (any_has(dma_status::busy));
    }
    for (ProcessorId id = 0; id < processors_; ++id) {
        if ((host_.read_register(id, dma_register::status) & (dma_status::error | dma_status::timed_out)) ==
            dma_status::error)
            throw std::runtime_error(fmt::format("recovery: {}", system_.engine(id).error()));
        const std::uint32_t received = host_.read_register(id, dma_register::received);
        if (received > most_records_[id])
            throw std::runtime_error(
                fmt::format("recovery: processor {} received {} messages", id, received));
        const auto words = host_.read_memory(id, records_[id], received * sizeof(ArrivalRecord) / 4);
        report.arrivals.emplace_back();
        for (std::size_t i = 0; i < words.size(); i += 4)
            report.arrivals.back().push_back({words[i], words[i + 1], words[i + 2], words[i + 3]});
        report.sent.push_back(host_.read_register(id, dma_register::sent));
    }
    pay();
    return report;
}

void RecoveryHost::wait(const sc_core::sc_time& time)
{
    // Interrupts end sc_start() early.
    const sc_core::sc_time end = sc_core::sc_time_stamp() + time;
    while (sc_core::sc_time_stamp() < end)
        run_kernel(end - sc_core::sc_time_stamp());
}

bool RecoveryHost::all_have(std::uint32_t bits)
{
    for (ProcessorId id = 0; id < processors_; ++id)
        if ((host_.read_register(id, dma_register::status) & bits) == 0)
            return false;
    return true;
}

bool RecoveryHost::any_has(std::uint32_t bits)
{
    for (ProcessorId id = 0; id < processors_; ++id)
        if ((host_.read_register(id, dma_register::status) & bits) != 0)
            return true;
    return false;
}

/// The words that have moved since the last time take their time now.
void RecoveryHost::pay()
{
    wait(word_time_ * static_cast<double>(host_.words() - paid_words_));
    paid_words_ = host_.words();
}

} // namespace nocturne
