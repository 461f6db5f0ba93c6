// What direct encodings have in common: where messages go, over which channels.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/satisfiability/candidate_paths.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Source and destination of a message with one receiver.
Pair ends_of(const Message& message);

/// Is the slack of the problem, which has one, so large that no path exceeds it?
bool allows_all_paths(const Problem& problem);

/// The channels that a message's path may take: all paths, or minimal ones. A message at a time: all of them
/// together are much memory, and each worker process would copy it.
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
