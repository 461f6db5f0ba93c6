// What is counted of packets from one processor to another.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/network/probing_table.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// Latencies, hops and rates of each pair that has packets in the window. Memory follows the pairs, and for
/// each of them the different latencies that there are, not the number of packets.
class FlowCounts final : public MessageObserver {
public:
    /// Both must outlive it. Interfaces behind the first `processors` are those of the same ones again.
    FlowCounts(const MessageNetwork& network, const Window& window, std::size_t processors)
        : network_(network), window_(window), processors_(static_cast<std::uint32_t>(processors))
    {
    }

    void message_created(const NetworkMessage&) override {}
    void message_delivered(const NetworkMessage& message, ProcessorId at) override;

    /// The window is over: what arrives from now on counts for latencies only.
    void end_window() { is_window_over_ = true; }

    struct Measured {
        std::uint64_t cycles; ///< of the window, which rates are over
        double cycle_ns;
        bool is_steady; ///< or else flows have no latencies
    };
    /// By source and destination, behind what is there; `names` of the processors, `of_class` what the
    /// packets are called.
    void append_flows(std::vector<FlowLatency>& all, std::span<const std::string> names,
                      const std::string& of_class, const Measured& measured) const;

private:
    struct Flow {
        ProcessorId source;
        ProcessorId destination;
        std::uint64_t packets = 0; ///< that were created in the window and have arrived
        std::uint64_t latency = 0; ///< cycles, in all
        std::uint64_t hops = 0;    ///< likewise
        std::uint64_t flits = 0;   ///< that have arrived in the window
    };
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    Flow& flow_of(const NetworkMessage& message);

    const MessageNetwork& network_;
    const Window& window_;
    const std::uint32_t processors_;
    bool is_window_over_ = false;
    std::vector<Flow> flows_;
    ProbingTable<std::uint64_t, none, std::uint32_t> numbers_; ///< in flows_, from 1, by pair
    /// Packets by number of the flow and latency: `number << 40 | latency`.
    ProbingTable<std::uint64_t, none, std::uint64_t> latencies_;
};

} // namespace nocturne
