#include "sim/rtl/wormhole_design.hpp"

#include "models/topology/files.hpp"
#include "sim/rtl/wormhole_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint32_t most_bench_flits = 1u << bench_sequence_bits;
constexpr unsigned cycle_bits = 48; ///< of a packet in the bench

void check_packets(const Topology& topology, std::span<const BenchPacket> packets)
{
    if (packets.empty() || packets.size() > most_bench_packets)
        throw std::invalid_argument(
            fmt::format("bench: {} packets; it sends 1 to {}", packets.size(), most_bench_packets));
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const BenchPacket& packet = packets[i];
        const char* wrong = nullptr;
        if (packet.source >= topology.processor_count() || packet.destination >= topology.processor_count())
            wrong = "a processor that does not exist";
        else if (packet.flits < 1 || packet.flits > most_bench_flits)
            wrong = "fewer than 1 or more than 4096 flits";
        else if (packet.cycle >> cycle_bits != 0 || (i > 0 && packet.cycle < packets[i - 1].cycle))
            wrong = "a cycle before that of the packet before, or after 2^48";
        if (wrong != nullptr)
            throw std::invalid_argument(fmt::format("bench: packet {}: {}", i, wrong));
    }
}

std::string routes_image(const WormholePlan& plan, ProcessorId source, const Topology& topology)
{
    std::string text = "// by destination: hops, the last one first\n";
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
        HexWord word;
        for (const std::uint32_t hop : plan.routes[source][destination])
            word.append(hop, plan.hop_bits());
        text += fmt::format("{} // to {}\n", word.text(), one_line(topology.processor(destination).name));
    }
    return text;
}

std::string packets_image(const WormholePlan& plan, ProcessorId source, std::span<const BenchPacket> packets)
{
    std::string text = "// {cycle, number, flits - 1, destination}\n";
    for (std::size_t number = 0; number < packets.size(); ++number) {
        const BenchPacket& packet = packets[number];
        if (packet.source != source)
            continue;
        HexWord word;
        word.append(packet.destination, plan.destination_bits);
        word.append(packet.flits - 1, bench_sequence_bits);
        word.append(number, 20);
        word.append(packet.cycle, cycle_bits);
        text += word.text() + '\n';
    }
    return text;
}

std::string expected_image(std::span<const BenchPacket> packets)
{
    std::string text = "// by number: {destination, flits - 1}\n";
    for (const BenchPacket& packet : packets)
        text += fmt::format("{:05x}{:03x}\n", packet.destination, packet.flits - 1);
    return text;
}

} // namespace

RtlDesign wormhole_design(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                          std::span<const BenchPacket> packets)
{
    const WormholePlan plan = plan_wormhole(topology, hardware, routing);
    check_packets(topology, packets);
    std::vector<std::size_t> counts(topology.processor_count());
    for (const BenchPacket& packet : packets)
        ++counts[packet.source];

    RtlDesign design{"wormhole_network", "wormhole_bench", {}, {}, {}};
    design.add_source({"wormhole_network.sv", wormhole_network_text(topology, hardware, routing, plan)});
    for (const std::string_view module :
         {"nocturne_arbiter.sv", "nocturne_delay.sv", "nocturne_input_channel.sv", "nocturne_interface.sv",
          "nocturne_order.sv", "nocturne_router.sv"})
        design.add_source(verilog_module(module));
    design.add_bench_source({"wormhole_bench.sv", wormhole_bench_text(hardware, plan, counts)});
    for (const std::string_view module : {"nocturne_checker.sv", "nocturne_source.sv"})
        design.add_bench_source(verilog_module(module));
    design.add({"README.md", wormhole_readme(topology, hardware, routing, plan, packets.size())});
    design.add({"expected.hex", expected_image(packets)});
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        design.add({fmt::format("routes_{}.hex", id), routes_image(plan, id, topology)});
        design.add({fmt::format("packets_{}.hex", id), packets_image(plan, id, packets)});
    }
    return design;
}

} // namespace nocturne
