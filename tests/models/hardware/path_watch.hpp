// What messages did in a network that nobody else uses.
#pragma once

#include "models/hardware/deadlock_watch.hpp"
#include "models/topology/path.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <map>
#include <utility>
#include <vector>

namespace nocturne::test {

/// The channels that messages take, and the virtual ones.
class PathWatch : public LinkObserver {
public:
    using Step = std::pair<ChannelId, unsigned>; ///< channel and virtual channel

    explicit PathWatch(Network& network) : network_(network)
    {
        for (const auto& link : network.links())
            link->observe(*this);
    }
    virtual ~PathWatch() = default;
    void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle) override
    {
        if (link < network_.topology().channel_count())
            steps_[network_.packets()[packet].step].emplace_back(link, vc);
    }
    void tail_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}

    const std::vector<Step>& steps(std::uint32_t message) { return steps_[message]; }
    Path of(std::uint32_t message)
    {
        Path path;
        for (const auto& [channel, vc] : steps(message))
            path.push_back(channel);
        return path;
    }

protected:
    Network& network_;

private:
    std::map<std::uint32_t, std::vector<Step>> steps_; ///< by message
};

struct Delivery {
    Cycle end = 0;
    std::vector<Path> paths; ///< by message
};

/// Sends them all, and requires that all arrive and that nothing is left in the network.
inline Delivery deliver(Network& network, PathWatch& watch, const std::vector<Message>& messages,
                        const Routing& routing)
{
    Messenger messenger(network);
    for (const Message& message : messages)
        messenger.send(message, routing);
    run_to_end();
    REQUIRE(find_waiting_cycle(network).empty());
    REQUIRE(messenger.arrivals().size() == messages.size());
    REQUIRE(network.packets().in_flight() == 0);
    REQUIRE(network.credits_under_way() == 0);
    Delivery delivery{messenger.last_arrival(), {}};
    for (std::uint32_t i = 0; i < messages.size(); ++i)
        delivery.paths.push_back(watch.of(i));
    return delivery;
}

/// Through a network of its own with one-port processors.
inline Delivery deliver(const Topology& topology, const Routing& routing, const HardwareConfig& config,
                        const std::vector<Message>& messages)
{
    CAPTURE(topology.name(), routing.name, config.vcs, config.buffer_flits);
    Simulation simulation;
    Network network("network", topology, config, one_port, routing);
    PathWatch watch(network);
    return deliver(network, watch, messages, routing);
}

} // namespace nocturne::test
