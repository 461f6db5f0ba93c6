// Paths over which the messages of a scatter load the channels evenly.
#pragma once

#include "models/topology/path.hpp"
#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace nocturne {

/// A few paths of every message, side by side in memory: millions of them in a few bytes a hop.
class PathTable {
public:
    std::size_t message_count() const { return first_path_.size() - 1; }
    std::uint32_t first_path(MessageId id) const { return first_path_[id]; }
    std::span<const ChannelId> path(std::uint32_t index) const
    {
        return std::span(hops_).subspan(first_hop_[index], first_hop_[index + 1] - first_hop_[index]);
    }

    void add_path(std::span<const ChannelId> path)
    {
        hops_.insert(hops_.end(), path.begin(), path.end());
        first_hop_.push_back(hops_.size());
    }
    /// The paths added since the last call are those of the next message.
    void end_message() { first_path_.push_back(static_cast<std::uint32_t>(first_hop_.size() - 1)); }

private:
    std::vector<std::uint32_t> first_path_{0};
    std::vector<std::size_t> first_hop_{0};
    std::vector<ChannelId> hops_;
};

/// Of evening: more where they are short.
unsigned evening_rounds(std::size_t messages);

/// How paths are looked for.
struct EvenPathsOptions {
    unsigned rounds = 24;       ///< all messages look for a better path so many times
    std::size_t most_paths = 8; ///< of a message, 1 or more
    std::uint64_t seed = 1;
    /// Paths to begin with, by message (or none): a message with an empty one begins on a shortest path.
    std::vector<Path> start = {};
    /// Asked after each round: do the paths found so far have to do? Empty: never.
    std::function<bool()> is_over = {};
    /// By channel (or none: each is a class of its own): channels of one class, numbered below
    /// `channel_count()`, share their load, and a path leads over one of them at most. A message for which no
    /// such path is found has none in the table.
    std::vector<std::uint32_t> classes = {};
};

/// Every message of the problem, which has one receiver and a path to it, chooses the shortest path under
/// prices that grow exponentially with the load of a channel, one sender after the other, again and again,
/// the more steeply the later (after Awerbuch and Leighton, Improved approximation algorithms for the
/// multi-commodity flow problem, STOC 1994, with whole messages for flow). The path that the load counts is
/// the first one of a message, the others are those that it had in earlier rounds. Under a slack all paths
/// but those to begin with are minimal.
PathTable even_paths(const Problem& problem, const EvenPathsOptions& options);

} // namespace nocturne
