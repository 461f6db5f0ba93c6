// The two forms that formulas have; encoding.hpp is what to call. Direct: every message goes straight to its
// one receiver. Relayed: a processor that has received a message can pass it on.
#pragma once

#include "schedules/satisfiability/candidate_paths.hpp"
#include "schedules/satisfiability/encoding.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace nocturne {

/// How schedules are encoded, and how large that gets.
struct EncodingPlan {
    std::uint64_t literals = 0; ///< estimated; too_large: do not
    bool has_flows = false;     ///< over channels, not a choice of paths
    /// Direct: by message, none with flows. Relayed: of all pairs, with flows only the pairs at one router,
    /// which no channel joins.
    CandidatePaths paths = {};
};

EncodingPlan plan_direct(const Problem& problem, unsigned steps);
EncodingPlan plan_relayed(const Problem& problem, unsigned steps);

Encoding encode_direct(const Problem& problem, unsigned steps, EncodingPlan plan);
Encoding encode_relayed(const Problem& problem, unsigned steps, EncodingPlan plan);

/// What an encoder of this kind makes of the problem.
template <class Encoder>
Encoding encoding_by(const Problem& problem, unsigned steps, EncodingPlan plan)
{
    const auto encoder = std::make_shared<Encoder>(problem, steps, std::move(plan));
    Formula formula = encoder->encode();
    return {std::move(formula), [encoder](const Model& model) { return encoder->transfers(model); },
            [encoder](std::span<const TimedTransfer> transfers) { return encoder->phases(transfers); }};
}

/// Source and destination of a message with one receiver.
Pair ends_of(const Message& message);

/// The channels that a message's path may take under a slack: all paths, or minimal ones. A message at a
/// time: all of them together are much memory, and each worker process would copy it.
class ChannelsOfMessages {
public:
    explicit ChannelsOfMessages(const Problem& problem)
        : problem_(problem), from_(problem.topology.router_count()), to_(problem.topology.router_count())
    {
    }

    std::vector<ChannelId> operator()(const Message& message);

private:
    const Problem& problem_;
    std::vector<std::vector<std::uint32_t>> from_; ///< distances, made when a message needs them
    std::vector<std::vector<std::uint32_t>> to_;
};

} // namespace nocturne
