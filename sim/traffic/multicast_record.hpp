// Multicast packets that go as several unicasts: when the last of these has arrived.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/simulation/confidence_interval.hpp"
#include "sim/traffic/latency_counts.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace nocturne {

/// Of the packets of one class that are created in the window. Memory follows those that are under way.
class MulticastRecord final : public MessageObserver {
public:
    /// Both must outlive it; the window is that of the run.
    MulticastRecord(const MessageNetwork& network, const Window& window, std::size_t processors)
        : network_(network), window_(window), under_way_(processors), last_latency_(window.batches)
    {
    }

    void multicast_begins(ProcessorId source, bool is_whole) override;
    void message_created(const NetworkMessage& message) override;
    void message_delivered(const NetworkMessage& message, ProcessorId at) override;
    void message_lost(const NetworkMessage& message) override;

    /// Without latencies if `is_steady` is false.
    MulticastLatency result(double cycle_ns, bool is_steady) const;

private:
    struct Multicast {
        std::uint32_t first; ///< number of its first unicast
        bool is_whole;       ///< none is lost, or cannot be sent
        std::uint32_t unicasts = 0;
        std::uint32_t left = 0; ///< neither delivered nor lost
        std::uint64_t sum = 0;  ///< of latencies, cycles
        std::uint64_t last = 0; ///< the longest of them
    };

    Multicast& multicast_of(const NetworkMessage& message);
    void end_unicast(const NetworkMessage& message);

    const MessageNetwork& network_;
    const Window& window_;
    std::vector<std::deque<Multicast>> under_way_; ///< by source, the earliest first
    std::optional<bool> begins_;                   ///< with the next message; is it whole?
    LatencyCounts last_counts_;
    std::vector<Batch> last_latency_; ///< by batch: cycles over multicasts
    double mean_latency_ = 0;         ///< sum over multicasts
    std::uint64_t unicasts_ = 0;      ///< of those in the window
    std::uint64_t multicasts_ = 0;
    std::uint32_t least_ = 0;
    std::uint32_t most_ = 0;
};

} // namespace nocturne
