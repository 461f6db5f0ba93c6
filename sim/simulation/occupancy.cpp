#include "sim/simulation/occupancy.hpp"

#include <fmt/format.h>

namespace nocturne {

void OccupancyRecorder::channel_held(const NetworkMessage& message, const ChannelHold& hold,
                                     std::uint8_t client)
{
    if (client != 0)
        return; // background traffic
    const auto name = [&](ProcessorId id) { return network_.topology().processor(id).name; };
    occupancy_.push_back({network_.plan().link_name(hold.link),
                          fmt::format("{}>{}", name(message.source), name(message.destination)),
                          message.number + 1, static_cast<double>(hold.begin) * cycle_ns_,
                          static_cast<double>(hold.end) * cycle_ns_, hold.link});
}

} // namespace nocturne
