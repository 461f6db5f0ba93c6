#include "schedules/chunk_search/direct_exchange.hpp"

#include <algorithm>
#include <unordered_map>

namespace nocturne {
namespace {

class DirectExchange {
public:
    explicit DirectExchange(const TimedProblem& problem)
        : problem_(problem), busy_until_(problem.network.link_count(), 0)
    {
        for (std::uint32_t h = 0; h < problem.hops.size(); ++h)
            hops_between_[key_of(problem.hops[h].source, problem.hops[h].destination)].push_back(h);
    }

    TimedOutcome run()
    {
        for (const Wanted& one : wanted_in_order()) {
            const auto hops = hops_between_.find(key_of(one.owner, one.receiver));
            if (hops == hops_between_.end())
                return {};
            send(one.chunk, hops->second);
        }
        outcome_.is_complete = true;
        return std::move(outcome_);
    }

private:
    struct Wanted {
        std::uint32_t distance; ///< from the owner to the receiver, round the members
        std::uint32_t turn;     ///< among the chunks of the owner
        NodeId owner;
        NodeId receiver;
        ChunkId chunk;

        friend auto operator<=>(const Wanted&, const Wanted&) = default;
    };

    static std::uint64_t key_of(NodeId from, NodeId to) { return std::uint64_t{from} << 32 | to; }
    NodeId owner_of(ChunkId chunk) const { return problem_.collective.chunks[chunk].contributors.front(); }

    std::vector<Wanted> wanted_in_order() const
    {
        const std::size_t chunks = problem_.collective.chunks.size();
        std::vector<bool> is_member(problem_.network.processor_count(), false);
        for (ChunkId c = 0; c < chunks; ++c) {
            is_member[owner_of(c)] = true;
            for (const NodeId receiver : problem_.receivers[c])
                is_member[receiver] = true;
        }
        std::vector<std::uint32_t> place(is_member.size(), 0);
        std::uint32_t members = 0;
        for (NodeId node = 0; node < is_member.size(); ++node)
            if (is_member[node])
                place[node] = members++;
        std::vector<std::uint32_t> owned(is_member.size(), 0);
        std::vector<Wanted> wanted;
        for (ChunkId c = 0; c < chunks; ++c) {
            const NodeId owner = owner_of(c);
            const std::uint32_t turn = owned[owner]++;
            for (const NodeId receiver : problem_.receivers[c])
                if (receiver != owner)
                    wanted.push_back(
                        {(place[receiver] + members - place[owner]) % members, turn, owner, receiver, c});
        }
        std::ranges::sort(wanted);
        return wanted;
    }

    /// If it is sent over the hop: when its last link is free again, as if each sent one thing at a time.
    double end_over(std::uint32_t hop, double bytes) const
    {
        double end = 0;
        for (const LinkId link : problem_.hops[hop].path)
            end = std::max(end, busy_until_[link] +
                                    bytes / static_cast<double>(problem_.network.link(link).bytes_per_cycle));
        return end;
    }

    void send(ChunkId chunk, const std::vector<std::uint32_t>& hops)
    {
        const double bytes = problem_.collective.chunks[chunk].weight * problem_.cost.bytes_per_weight;
        const std::uint32_t best =
            *std::ranges::min_element(hops, {}, [&](std::uint32_t hop) { return end_over(hop, bytes); });
        const double end = end_over(best, bytes);
        for (const LinkId link : problem_.hops[best].path)
            busy_until_[link] += bytes / static_cast<double>(problem_.network.link(link).bytes_per_cycle);
        outcome_.cycles = std::max(outcome_.cycles, end);
        outcome_.sends.push_back({best, chunk, end});
    }

    const TimedProblem& problem_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> hops_between_;
    std::vector<double> busy_until_; ///< by link
    TimedOutcome outcome_;
};

} // namespace

TimedOutcome direct_exchange(const TimedProblem& problem)
{
    return DirectExchange(problem).run();
}

} // namespace nocturne
