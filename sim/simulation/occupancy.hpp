// The interval for which each message held each virtual channel.
#pragma once

#include "models/network/message_network.hpp"
#include "sim/report/results.hpp"

#include <vector>

namespace nocturne {

/// Of the messages of DMA engines, whose number is the step that they are for.
class OccupancyRecorder final : public HoldObserver {
public:
    /// Before the first message is sent. The network must outlive it.
    OccupancyRecorder(MessageNetwork& network, double cycle_ns) : network_(network), cycle_ns_(cycle_ns)
    {
        network.observe(*this);
    }

    void channel_held(const NetworkMessage& message, const ChannelHold& hold, std::uint8_t client) override;
    std::vector<ChannelOccupancy> take() { return std::move(occupancy_); }

private:
    const MessageNetwork& network_;
    const double cycle_ns_;
    std::vector<ChannelOccupancy> occupancy_;
};

} // namespace nocturne
