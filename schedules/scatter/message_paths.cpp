#include "schedules/scatter/message_paths.hpp"

#include "schedules/flows/shortest_walks.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {
namespace {

std::int64_t length(const ChannelLengths& lengths, const Message& message, const Path& path)
{
    std::int64_t sum = lengths.injections[message.origin] + lengths.ejections[message.receivers.front()];
    for (const ChannelId channel : path)
        sum += lengths.channels[channel];
    return sum;
}

/// All lengths by ResourceId.
std::vector<std::int64_t> by_resource(const ChannelLengths& lengths)
{
    std::vector<std::int64_t> all = lengths.channels;
    all.insert(all.end(), lengths.injections.begin(), lengths.injections.end());
    all.insert(all.end(), lengths.ejections.begin(), lengths.ejections.end());
    return all;
}

} // namespace

Candidates candidate_paths(const Problem& problem, const PathChoice& choice)
{
    Candidates candidates;
    PathChoice own = choice;
    for (const Message& message : problem.collective.messages()) {
        if (message.receivers.size() != 1)
            throw std::invalid_argument(
                fmt::format("{}: a message has {} receivers", describe(problem), message.receivers.size()));
        candidates.push_back(choose_paths(problem.topology, message.origin, message.receivers.front(), own));
        ++own.seed;
    }
    return candidates;
}

Candidates usable_paths(const Problem& problem, Candidates candidates, const FlowSolution& flow,
                        unsigned steps)
{
    const WalkGraph graph(problem);
    ShortestWalks walks(graph);
    const std::vector<std::int64_t> lengths = by_resource(flow.lengths);
    const std::int64_t most_excess = steps * flow.capacity - flow.distance;
    const auto& messages = problem.collective.messages();
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (i == 0 || messages[i].origin != messages[i - 1].origin)
            walks.search(messages[i].origin, lengths);
        const std::int64_t longest = walks.distance_to(messages[i].receivers.front()) + most_excess;
        std::erase_if(candidates[i],
                      [&](const Path& path) { return length(flow.lengths, messages[i], path) > longest; });
    }
    return candidates;
}

} // namespace nocturne
