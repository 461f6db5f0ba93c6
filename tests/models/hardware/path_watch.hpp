// What messages did in a network that nobody else uses.
#pragma once

#include "models/hardware/deadlock_watch.hpp"
#include "models/topology/path.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <map>
#include <vector>

namespace nocturne::test {

/// The paths that messages take.
class PathWatch final : public LinkObserver {
public:
    explicit PathWatch(Network& network) : network_(network)
    {
        for (const auto& link : network.links())
            link->observe(*this);
    }
    void head_enters(std::uint32_t link, unsigned, PacketId packet, Cycle) override
    {
        if (link < network_.topology().channel_count())
            paths_[network_.packets()[packet].step].push_back(link);
    }
    void tail_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}
    Path of(std::uint32_t message) const
    {
        const auto found = paths_.find(message);
        return found == paths_.end() ? Path() : found->second;
    }

private:
    Network& network_;
    std::map<std::uint32_t, Path> paths_;
};

/// Sends them all, and requires that all arrive and that nothing is left in the network.
inline void deliver(Network& network, Messenger& messenger, const std::vector<Message>& messages,
                    const Routing& routing)
{
    for (const Message& message : messages)
        messenger.send(message, routing);
    run_to_end();
    REQUIRE(find_waiting_cycle(network).empty());
    REQUIRE(messenger.arrivals().size() == messages.size());
    REQUIRE(network.packets().in_flight() == 0);
    REQUIRE(network.credits_under_way() == 0);
}

} // namespace nocturne::test
