#include "sim/benes/benes_wormhole.hpp"

#include "models/hardware/kernel.hpp"
#include "models/hardware/network.hpp"
#include "models/routing/make_routing.hpp"
#include "sim/simulation/network_run.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {
namespace {

/// Stands behind all network interfaces.
class ArrivalCount final : public PacketClient {
public:
    explicit ArrivalCount(Network& network) : domain_(network.domain())
    {
        for (ProcessorId id = 0; id < network.topology().processor_count(); ++id)
            network.interface(id).attach(*this);
    }

    void packet_sent(const Packet&) override {}
    void flit_arrived(const Packet&, std::uint32_t) override {}
    bool wants_flits() const override { return false; }
    void packet_arrived(const Packet&) override
    {
        ++packets_;
        last_ = domain_.now();
    }

    std::size_t packets() const { return packets_; }
    Cycle last() const { return last_; }

private:
    ClockDomain& domain_;
    std::size_t packets_ = 0;
    Cycle last_ = 0;
};

} // namespace

std::vector<std::uint64_t> wormhole_latencies(const Topology& topology,
                                              std::span<const TaggedPermutation> permutations,
                                              std::uint32_t flits, const HardwareConfig& hardware)
{
    if (flits == 0)
        throw std::invalid_argument("a message of 0 flits: 1 or more");
    for (const TaggedPermutation& each : permutations)
        check_permutation(each.destination, topology.processor_count());
    prepare_kernel();
    Network network("network", topology, hardware, one_port);
    const ArrivalCount arrivals(network);
    NetworkRun run(network);
    run.run_to(0); // the links know their receivers from here on
    std::vector<std::uint64_t> latencies;
    std::size_t sent = 0;
    for (const TaggedPermutation& each : permutations) {
        const Routing routing = make_routing(topology, "tag_random", each.seed);
        const Cycle begin = network.domain().now();
        for (ProcessorId source = 0; source < each.destination.size(); ++source)
            network.interface(source).send(
                network.make_packet(source, each.destination[source], flits, routing));
        sent += each.destination.size();
        run.drain();
        if (arrivals.packets() != sent)
            throw std::runtime_error(fmt::format("{}: {} of {} wormhole messages did not arrive",
                                                 topology.name(), sent - arrivals.packets(), sent));
        latencies.push_back(arrivals.last() - begin);
    }
    return latencies;
}

} // namespace nocturne
