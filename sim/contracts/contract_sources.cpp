#include "sim/contracts/contract_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

ContractSources::ContractSources(MessageNetwork& network, const Topology& topology, const SlotTiming& timing,
                                 const std::vector<GuaranteedFlow>& flows, const SlotTable& table,
                                 const std::vector<Contract>& contracts, unsigned vc_class,
                                 std::uint64_t seed)
    : network_(network), timing_(timing), wanted_(flows), table_(table),
      processors_(static_cast<ProcessorId>(topology.processor_count())), period_(table.period_cycles(timing))
{
    network_.attach(*this, 0);
    SplitMix64 seeds(seed);
    for (std::size_t i = 0; i < flows.size(); ++i) {
        Source source{{flows[i], contracts[i], table.flows[i], timing, period_, seeds()}};
        for (const ChannelId channel : table.flows[i].path)
            source.route.push_back({channel, vc_class});
        GuaranteedFlow full = flows[i];
        full.message_flits = timing.slot_flits;
        source.transit = cycles_without_waiting(topology, timing, full, table.flows[i].path);
        source.bound = contracts[i].latency_cycles;
        source.packets = packets_of(flows[i], timing);
        source.last_flits = 1 + (flows[i].message_flits - 1) % timing.slot_flits;
        source.next_message = source.messages.next();
        flows_.push_back(std::move(source));
    }
}

void ContractSources::start()
{
    for (std::uint32_t flow = 0; flow < flows_.size(); ++flow)
        set_timer(flow);
}

std::uint64_t ContractSources::missing() const
{
    std::uint64_t missing = 0;
    for (const Source& source : flows_)
        missing += source.open.size();
    return missing;
}

/// For the next start that something can leave with; periods in which nothing comes are skipped.
void ContractSources::set_timer(std::uint32_t flow)
{
    Source& source = flows_[flow];
    const std::vector<std::uint32_t>& starts = table_.flows[flow].starts;
    if (source.sent == source.open.size()) {
        if (source.next_message >= end_)
            return;
        const std::uint64_t leaves = source.next_message + timing_.interface_cycles;
        if (const std::uint64_t period = leaves - leaves % period_; period > source.period) {
            source.period = period;
            source.start = 0;
        }
        while (source.period + starts[source.start] < leaves)
            if (++source.start == starts.size()) {
                source.start = 0;
                source.period += period_;
            }
    }
    network_.set_timer(source.period + starts[source.start] - timing_.interface_cycles, flow, 0);
}

void ContractSources::timer(std::uint32_t flow)
{
    Source& source = flows_[flow];
    take_messages(source);
    if (source.sent < source.open.size())
        send_packet(flow);
    if (++source.start == table_.flows[flow].starts.size()) {
        source.start = 0;
        source.period += period_;
    }
    set_timer(flow);
}

/// Those that have come by now.
void ContractSources::take_messages(Source& source)
{
    while (source.next_message <= network_.now() && source.next_message < end_) {
        source.open.push_back({source.next_message, source.packets, source.packets});
        source.next_message = source.messages.next();
    }
}

void ContractSources::send_packet(std::uint32_t flow)
{
    Source& source = flows_[flow];
    Message& message = source.open[source.sent];
    const std::uint32_t flits = message.to_send == 1 ? source.last_flits : timing_.slot_flits;
    if (--message.to_send == 0)
        ++source.sent;
    network_.send({processors_ + wanted_[flow].source, processors_ + wanted_[flow].destination, flits, flow,
                   source.number++, 0, 1},
                  source.route);
}

/// On hardware that keeps contracts they come in their order; on other hardware they may overtake.
void ContractSources::message_arrived(const NetworkMessage& packet, ProcessorId at)
{
    Source& source = flows_[packet.tag];
    const std::size_t place = (packet.number - source.first_packet) / source.packets; // 32 bits wrap
    if (at != processors_ + wanted_[packet.tag].destination || packet.came != packet.flits ||
        place >= source.open.size() || source.open[place].to_arrive == 0)
        throw std::logic_error(fmt::format("packet {} of flow {} did not arrive once, whole and at its place",
                                           packet.number, packet.tag));
    flits_ += packet.flits;
    const std::uint64_t due = packet.created + source.transit - (timing_.slot_flits - packet.flits);
    source.seen.late_packets += network_.now() == due ? 0 : 1;
    if (--source.open[place].to_arrive > 0)
        return;
    const std::uint64_t latency = network_.now() - source.open[place].created;
    source.seen.latency_cycles = std::max(source.seen.latency_cycles, latency);
    source.seen.violations += latency > source.bound ? 1 : 0;
    ++source.seen.messages;
    while (!source.open.empty() && source.open.front().to_arrive == 0) {
        source.open.pop_front();
        source.first_packet += source.packets;
        --source.sent;
    }
}

} // namespace nocturne
