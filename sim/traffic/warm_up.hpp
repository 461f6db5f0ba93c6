// Where the transient of an empty network ends, found in what is measured.
#pragma once

#include "models/endpoints/message_observer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// How many values at the beginning of a series are to be left out, by the marginal standard error rule
/// (White, An effective truncation heuristic for bias reduction in simulation output, Simulation 69, 1997,
/// pp. 323-334): the d which minimizes sum((y[i] - mean)^2) / (n - d)^2 over the n - d values that are left,
/// the first of several. The last few values are never left alone: n - d is 5 or more. Nothing if d is in the
/// second half of the series, so that more of it is needed, and for fewer than 10 values.
std::optional<std::size_t> mser_truncation(std::span<const double> values);

/// Latencies of packets in the order in which they arrive, in batches of five: the series of the rule MSER-5
/// (White, Cobb, Spratt, A comparison of five steady-state truncation heuristics for simulation, Winter
/// Simulation Conference 2000).
class WarmUpSeries final : public MessageObserver {
public:
    static constexpr unsigned batch_packets = 5;
    /// Batches without which nothing is said.
    static constexpr std::size_t least_batches = 40;

    explicit WarmUpSeries(const MessageNetwork& network) : network_(network) {}

    void message_created(const NetworkMessage&) override {}
    void message_delivered(const NetworkMessage& message, ProcessorId) override;

    /// No more packets, and no memory for them.
    void end();
    std::uint64_t packets() const { return means_.size() * batch_packets; }
    /// The cycle in which the last packet of the transient arrived; nothing as mser_truncation().
    std::optional<std::uint64_t> end_of_transient() const;

private:
    const MessageNetwork& network_;
    bool is_over_ = false;
    unsigned in_batch_ = 0; ///< packets of the batch that is not full
    std::uint64_t sum_ = 0; ///< of their latencies
    std::vector<double> means_;
    std::vector<std::uint64_t> ends_; ///< by batch: the cycle in which its last packet arrived
};

} // namespace nocturne
