#include "sim/benes/benes_wormhole.hpp"

#include "models/routing/make_routing.hpp"
#include "sim/simulation/network_model.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {
namespace {

/// Stands behind all network interfaces.
class ArrivalCount final : public MessageClient {
public:
    explicit ArrivalCount(MessageNetwork& network) : network_(network) { network.attach(*this); }

    void message_arrived(const NetworkMessage&, ProcessorId) override
    {
        ++messages_;
        last_ = network_.now();
    }

    std::size_t messages() const { return messages_; }
    std::uint64_t last() const { return last_; }

private:
    const MessageNetwork& network_;
    std::size_t messages_ = 0;
    std::uint64_t last_ = 0;
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
    const std::unique_ptr<MessageNetwork> network =
        make_network(NetworkModel::flit, topology, hardware, one_port, {"routes", 1, {}});
    const ArrivalCount arrivals(*network);
    network->run_to(0); // the links know their receivers from here on
    std::vector<std::uint64_t> latencies;
    std::size_t sent = 0;
    for (const TaggedPermutation& each : permutations) {
        const Routing routing = make_routing(topology, "tag_random", each.seed);
        const std::uint64_t begin = network->now();
        for (ProcessorId source = 0; source < each.destination.size(); ++source)
            network->send({source, each.destination[source], flits}, routing);
        sent += each.destination.size();
        network->drain();
        if (arrivals.messages() != sent)
            throw std::runtime_error(fmt::format("{}: {} of {} wormhole messages did not arrive",
                                                 topology.name(), sent - arrivals.messages(), sent));
        latencies.push_back(arrivals.last() - begin);
    }
    return latencies;
}

} // namespace nocturne
