#include "sim/recovery/system_machine.hpp"

#include "models/hardware/kernel.hpp"
#include "sim/simulation/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace nocturne {

namespace {

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

/// With room behind what compile_dma_programs() asks for: records of arrivals, and what is free.
std::vector<CompiledEngine> enlarged(std::vector<CompiledEngine> engines, const Topology& topology,
                                     const HardwareConfig& hardware, std::size_t messages,
                                     std::uint64_t message_bytes)
{
    std::vector<std::uint64_t> sizes;
    for (const CompiledEngine& engine : engines)
        sizes.push_back(
            aligned(engine.memory_bytes) +
            aligned(most_records(engine, topology, messages, message_bytes) * sizeof(ArrivalRecord)) +
            free_bytes(engine, topology, messages, message_bytes));
    check_memories(sizes, message_bytes);
    for (std::size_t id = 0; id < engines.size(); ++id)
        engines[id].memory_bytes = static_cast<std::uint32_t>(sizes[id]);
    workers_that_fit(1, {simulation_bytes(topology, hardware, all_port, engines)}, {});
    return engines;
}

/// To let time pass in which nothing happens is no mistake here.
void prepare_driven_kernel()
{
    prepare_kernel();
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

} // namespace

SystemMachine::SystemMachine(const Topology& topology, const Collective& collective, const Workload& workload,
                             const SimulationOptions& options, const Faults& faults, DownTime down)
    : options_(options), collective_(collective),
      compiled_((prepare_driven_kernel(), compile_dma_programs(workload, collective, options.message_bytes))),
      system_("system", topology, options.hardware, options.ports, workload,
              enlarged(compiled_, topology, options.hardware, collective.messages().size(),
                       options.message_bytes),
              HostProgram::driven, workload.vc_classes),
      host_(system_.host()), cycle_(system_.network().domain().period()),
      processors_(topology.processor_count())
{
    const std::size_t messages = collective.messages().size();
    for (ProcessorId id = 0; id < processors_; ++id) {
        system_.memory(id).load(
            0, initial_memory(compiled_[id], id, collective, options.message_bytes, options.seed));
        places_.emplace_back(compiled_[id].addresses.begin(), compiled_[id].addresses.end());
        const std::uint64_t records = aligned(compiled_[id].memory_bytes);
        most_records_.push_back(most_records(compiled_[id], topology, messages, options.message_bytes));
        records_.push_back(static_cast<std::uint32_t>(records));
        free_.push_back(
            static_cast<std::uint32_t>(records + aligned(most_records_[id] * sizeof(ArrivalRecord))));
        ceiling_.push_back(static_cast<std::uint32_t>(system_.memory(id).contents().size()));
    }
    system_.network().plan_faults(faults, down);
    run_kernel(sc_core::SC_ZERO_TIME);
}

std::uint64_t SystemMachine::now() const
{
    return sc_core::sc_time_stamp().value() / cycle_.value();
}

/// Room for what a processor has not held before.
void SystemMachine::make_places(const Workload& workload, std::uint64_t message_bytes)
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

void SystemMachine::program(const Workload& workload, std::uint64_t message_bytes, std::uint32_t time_out)
{
    workload_ = &workload;
    make_places(workload, message_bytes);
    // Nothing is added, and no staging buffer written to: recover() refuses sums.
    const MessageAddress address_of = [&](ProcessorId id, MessageId message, std::uint32_t) {
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
        host_.write_register(id, dma_register::time_out, time_out);
    }
}

void SystemMachine::start()
{
    for (ProcessorId id = 0; id < processors_; ++id)
        host_.write_register(
            id, dma_register::control,
            dma_control::start | dma_control::interrupt_enable |
                (workload_->synchronization == Synchronization::self_timed ? dma_control::self_timed : 0) |
                (workload_->start_up == StartUp::once ? dma_control::chained : 0));
}

void SystemMachine::halt()
{
    for (ProcessorId id = 0; id < processors_; ++id)
        host_.write_register(id, dma_register::control, dma_control::halt | dma_control::interrupt_enable);
}

bool SystemMachine::run_to_interrupt()
{
    if (!sc_core::sc_pending_activity())
        return false;
    run_kernel();
    while (sc_core::sc_pending_activity_at_current_time())
        run_kernel(sc_core::SC_ZERO_TIME); // others report in the same cycle
    return true;
}

void SystemMachine::run_for(std::uint64_t cycles)
{
    // Interrupts end sc_start() early.
    const sc_core::sc_time end =
        sc_core::sc_time_stamp() + sc_core::sc_time::from_value(cycle_.value() * cycles);
    while (sc_core::sc_time_stamp() < end)
        run_kernel(end - sc_core::sc_time_stamp());
}

EngineStatus SystemMachine::status(ProcessorId id)
{
    const std::uint32_t status = host_.read_register(id, dma_register::status);
    return {(status & dma_status::done) != 0, (status & dma_status::error) != 0,
            (status & dma_status::busy) != 0};
}

EngineLog SystemMachine::log(ProcessorId id)
{
    if ((host_.read_register(id, dma_register::status) & (dma_status::error | dma_status::timed_out)) ==
        dma_status::error)
        throw std::runtime_error(fmt::format("recovery: {}", system_.engine(id).error()));
    const std::uint32_t received = host_.read_register(id, dma_register::received);
    if (received > most_records_[id])
        throw std::runtime_error(fmt::format("recovery: processor {} received {} messages", id, received));
    const auto words = host_.read_memory(id, records_[id], received * sizeof(ArrivalRecord) / 4);
    std::unordered_map<std::uint32_t, MessageId> message_at;
    if (received > 0)
        for (const auto& [message, address] : places_[id])
            message_at.emplace(address, message);
    EngineLog log;
    for (std::size_t i = 0; i < words.size(); i += 4)
        log.arrivals.push_back({words[i], message_at.at(words[i + 2])});
    log.sent = host_.read_register(id, dma_register::sent);
    return log;
}

bool SystemMachine::holds(const Demand& demand)
{
    const Places& places = places_[demand.receiver];
    const auto found = places.find(demand.chunk);
    if (found == places.end())
        return false;
    const std::vector<std::uint8_t> content =
        owed_content(collective_, demand, options_.message_bytes, options_.seed);
    const auto place = system_.memory(demand.receiver).contents().subspan(found->second, content.size());
    return std::equal(content.begin(), content.end(), place.begin());
}

} // namespace nocturne
