#include "testbenches/rtl_equivalence/flit_trace.hpp"

#include "models/endpoints/trace_replay.hpp"
#include "models/hardware/kernel.hpp"
#include "sim/execution/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace nocturne {

FlitTrace::FlitTrace(Network& network, Describe describe)
    : packets_(network.packets()), describe_(std::move(describe))
{
    for (const auto& link : network.links())
        link->observe(*this);
}

void FlitTrace::flit_enters(std::uint32_t link, unsigned vc, Flit flit, Cycle at)
{
    entries_.push_back({at, link, describe_(packets_[flit.packet()], flit, vc)});
}

std::string FlitTrace::text() const
{
    std::vector<const Entry*> sorted;
    for (const Entry& entry : entries_)
        sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
        return std::tie(a->cycle, a->link) < std::tie(b->cycle, b->link);
    });
    std::string text;
    for (const Entry* entry : sorted)
        fmt::format_to(std::back_inserter(text), "{} {} {}\n", entry->cycle, entry->link, entry->description);
    return text;
}

namespace {

/// What is sent in the packet's step from its source to its destination.
std::vector<std::uint8_t> bytes_of_packet(const Schedule& schedule, const Packet& packet,
                                          const ScheduledOptions& options)
{
    const auto is_sent = [&](const Transfer& transfer) {
        return transfer.source == packet.source && transfer.destination == packet.destination;
    };
    const Step& step = schedule.steps.at(packet.step);
    if (std::ranges::count_if(step, is_sent) != 1)
        throw std::logic_error(fmt::format("{}: step {}: several messages from {} to {}", schedule.name,
                                           packet.step + 1, packet.source, packet.destination));
    const MessageId message = std::ranges::find_if(step, is_sent)->message;
    return bytes_of(contributed_content(schedule.collective, message,
                                        schedule.collective.messages()[message].origin, options.message_bytes,
                                        {.seed = options.seed}),
                    options.message_bytes);
}

} // namespace

ReplayTrace trace_replay(const Schedule& schedule, const Topology& topology, const ScheduledOptions& options)
{
    const unsigned word_bytes = options.hardware.flit_bytes;
    const auto payload = [&](const Packet& packet, Flit flit, unsigned) {
        const std::vector<std::uint8_t> bytes = bytes_of_packet(schedule, packet, options);
        std::string digits;
        const std::size_t begin = std::size_t{flit.sequence()} * word_bytes;
        for (std::size_t byte = begin + word_bytes; byte-- > begin;)
            digits += fmt::format("{:02x}", byte < bytes.size() ? bytes[byte] : 0u);
        return digits;
    };
    std::optional<FlitTrace> trace;
    SimulationOptions simulation;
    simulation.hardware = options.hardware;
    simulation.ports = schedule.ports;
    simulation.message_bytes = options.message_bytes;
    simulation.seed = options.seed;
    simulation.observe = [&](Network& network) { trace.emplace(network, payload); };
    const RunResult run = simulate(topology, schedule.collective,
                                   workload_of(schedule, topology, Synchronization::barrier), simulation)
                              .run;
    return {trace->text(), run.time_ns / options.hardware.cycle_ns, run.memory_ok};
}

std::string trace_packets(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                          std::span<const BenchPacket> packets)
{
    prepare_kernel();
    Network network("network", topology, hardware, one_port, routing);
    std::vector<TraceMessage> messages;
    for (const BenchPacket& packet : packets)
        messages.push_back({.cycle = packet.cycle,
                            .source = packet.source,
                            .destination = packet.destination,
                            .bytes = std::uint64_t{packet.flits} * hardware.flit_bytes});
    struct Nobody final : MessageObserver {
        void message_created(const NetworkMessage&) override {}
        void message_delivered(const NetworkMessage&, ProcessorId) override {}
    } nobody;
    const TraceReplay replay(network, hardware, routing, messages, nobody);
    const FlitTrace trace(network, [&](const Packet& packet, Flit flit, unsigned vc) {
        return fmt::format("{} {:0{}x}", vc, packet.address << bench_sequence_bits | flit.sequence(),
                           hardware.flit_bytes * 2);
    });
    network.run_to_the_end();
    if (replay.missing() > 0)
        throw std::logic_error(fmt::format("{}: {} of {} packets have not arrived", topology.name(),
                                           replay.missing(), packets.size()));
    return trace.text();
}

} // namespace nocturne
