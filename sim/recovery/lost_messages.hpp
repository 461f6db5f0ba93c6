// What the records of a run say about each message that was sent: it came, or it was lost.
#pragma once

#include "sim/recovery/recovery_host.hpp"

#include <vector>

namespace nocturne {

/// A message that an engine sent. `sending` belongs to the workload.
struct SentMessage {
    std::uint32_t step;
    ProcessorId source;
    const Sending* sending;
};

/// Those that were sent and did not come, in the order of steps, senders and programs.
std::vector<SentMessage> lost_messages(const Workload& workload, const RunReport& report);

/// Channels that carried a message of a step behind the last loss: they work. Without a barrier steps say
/// nothing about time, and there are none.
std::vector<ChannelId> cleared_channels(const Workload& workload, const RunReport& report,
                                        const std::vector<SentMessage>& lost);

} // namespace nocturne
