// When the messages of a trace were under way, which links they held, and when ranks computed.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/traffic/rank_programs.hpp"
#include "sim/report/timeline.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Of a whole run, in memory that follows messages times links.
class TraceTimeline final : public HoldObserver, public MessageObserver {
public:
    /// Before the first message is sent. The network must outlive it.
    TraceTimeline(MessageNetwork& network, double cycle_ns) : network_(network), cycle_ns_(cycle_ns)
    {
        network.observe(*this);
    }

    void message_created(const NetworkMessage&) override {}
    void message_delivered(const NetworkMessage& message, ProcessorId at) override;
    void channel_held(const NetworkMessage& message, const ChannelHold& hold, std::uint8_t client) override;
    /// From a cycle to another.
    void computed(const RankPrograms::Operation& operation, std::uint64_t begin, std::uint64_t end);

    /// Computations by rank and cpu; each message from the source queue to its arrival, by source; each link,
    /// in the order of their numbers, with the messages that hold it.
    std::vector<TimelineSpan> spans() const;

private:
    struct Held {
        std::uint32_t link;
        TimelineSpan span;
    };

    std::string name_of(const NetworkMessage& message) const;
    TimelineSpan span(const char* group, std::string lane, std::string name, std::uint64_t begin,
                      std::uint64_t end) const;

    const MessageNetwork& network_;
    const double cycle_ns_;
    std::vector<TimelineSpan> computations_;
    std::vector<TimelineSpan> messages_;
    std::vector<Held> links_;
};

} // namespace nocturne
