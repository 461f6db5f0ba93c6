#include "schedules/chunk_trees/hop_order.hpp"

#include "models/routing/random.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

/// A hop waiting to start; the one that comes first goes first.
struct Waiting {
    double way_to_go; ///< cycles from its start to the end of the longest chain that it begins
    std::uint32_t turn;
    std::uint32_t tree;
    std::uint32_t hop;
    ChunkId chunk;

    friend bool operator<(const Waiting& a, const Waiting& b)
    {
        return std::tie(b.way_to_go, a.turn, a.chunk, a.hop) < std::tie(a.way_to_go, b.turn, b.chunk, b.hop);
    }
};

/// All hops over the same links.
struct PathQueue {
    std::vector<LinkId> links;
    TransferTime time;           ///< of a chunk
    std::vector<double> carries; ///< by its links: cycles that one is busy with a chunk, alone on it
    std::set<Waiting> waiting = {};
    bool is_marked = false; ///< something there may start now that could not before
};

class HopOrder {
public:
    HopOrder(const LinkNetwork& network, const std::vector<ChunkTree>& trees, const AlphaBeta& cost,
             std::uint64_t seed)
        : network_(network), cost_(cost), random_(seed), by_sums_(seed % 2 == 0), calendar_(network),
          left_(network.link_count(), 0), queues_over_(network.link_count())
    {
        for (const ChunkTree& tree : trees)
            add(tree);
        for (std::uint32_t tree = 0; tree < trees.size(); ++tree)
            for (const ChunkId chunk : trees[tree].chunks)
                release(tree, std::nullopt, chunk);
    }

    std::vector<HopStart> run(const SearchEnd& end) &&
    {
        constexpr std::uint32_t look_interval = 256; // at the clock
        events_.push({0, none, none, 0, 0});
        for (std::uint32_t round = 1; !events_.empty(); ++round) {
            if (round % look_interval == 0 && end.has_come())
                return {};
            const double now = events_.top().time;
            // Sums of the same times in another order differ by rounding.
            const double until = now * (1 + 1e-12);
            while (!events_.empty() && events_.top().time <= until) {
                const Event event = events_.top();
                events_.pop();
                if (event.tree != none)
                    release(event.tree, event.hop, event.chunk);
                if (event.frees != none)
                    mark_beside(event.frees);
            }
            start_all(until);
        }
        return std::move(starts_);
    }

private:
    static constexpr std::uint32_t none = ~0u;

    struct Event { // a chunk has come over a hop, or has left its links
        double time;
        std::uint32_t frees; ///< the queue whose links it leaves, or none
        std::uint32_t tree;  ///< or none
        std::uint32_t hop;
        ChunkId chunk;

        friend bool operator<(const Event& a, const Event& b) { return a.time > b.time; }
    };

    void add(const ChunkTree& tree)
    {
        std::vector<std::uint32_t> queues;
        std::vector<std::vector<std::uint32_t>> next(tree.hops.size() + 1); // the last is the root's
        std::vector<double> way(tree.hops.size(), 0);
        for (std::uint32_t hop = 0; hop < tree.hops.size(); ++hop) {
            queues.push_back(queue_of(tree.hops[hop].path));
            const PathQueue& queue = queues_[queues.back()];
            next[tree.hops[hop].before.value_or(static_cast<std::uint32_t>(tree.hops.size()))].push_back(hop);
            for (std::size_t i = 0; i < queue.links.size(); ++i)
                left_[queue.links[i]] += queue.carries[i] * static_cast<double>(tree.chunks.size());
        }
        for (std::size_t hop = tree.hops.size(); hop-- > 0;) {
            way[hop] += queues_[queues[hop]].time.duration;
            if (const auto before = tree.hops[hop].before)
                way[*before] = std::max(way[*before], way[hop]);
        }
        queue_of_hop_.push_back(std::move(queues));
        next_.push_back(std::move(next));
        way_to_go_.push_back(std::move(way));
    }

    std::uint32_t queue_of(const std::vector<LinkId>& path)
    {
        const auto [found, is_new] = known_.try_emplace(path, static_cast<std::uint32_t>(queues_.size()));
        if (is_new) {
            const TransferTime time = path_time(path, network_, cost_).of(cost_.bytes_per_weight, cost_);
            queues_.push_back({path, time, {}});
            for (const LinkId id : path) {
                queues_over_[id].push_back(found->second);
                queues_.back().carries.push_back(cost_.bytes_per_weight /
                                                 static_cast<double>(network_.link(id).bytes_per_cycle));
            }
        }
        return found->second;
    }

    void release(std::uint32_t tree, std::optional<std::uint32_t> before, ChunkId chunk)
    {
        const auto& next = next_[tree];
        for (const std::uint32_t hop : next[before.value_or(static_cast<std::uint32_t>(next.size() - 1))]) {
            const std::uint32_t queue = queue_of_hop_[tree][hop];
            queues_[queue].waiting.insert({way_to_go_[tree][hop], random_.below(1U << 16), tree, hop, chunk});
            mark(queue);
        }
    }

    void mark(std::uint32_t queue)
    {
        if (!std::exchange(queues_[queue].is_marked, true))
            marked_.push_back(queue);
    }

    void mark_beside(std::uint32_t queue)
    {
        for (const LinkId link : queues_[queue].links)
            for (const std::uint32_t other : queues_over_[link])
                mark(other);
    }

    void start_all(double now)
    {
        struct Ready {
            double left;
            std::size_t waiting;
            std::uint32_t turn;
            std::uint32_t queue;
        };
        std::vector<Ready> ready;
        std::ranges::sort(marked_);
        for (const std::uint32_t index : marked_) {
            PathQueue& queue = queues_[index];
            queue.is_marked = false;
            if (queue.waiting.empty() || !is_idle(queue, now))
                continue;
            double left = 0;
            for (const LinkId link : queue.links)
                left = by_sums_ ? left + left_[link] : std::max(left, left_[link]);
            ready.push_back({left, queue.waiting.size(), random_.below(1U << 16), index});
        }
        marked_.clear();
        std::sort(ready.begin(), ready.end(), [](const Ready& a, const Ready& b) {
            return std::tie(b.left, b.waiting, b.turn) < std::tie(a.left, a.waiting, a.turn);
        });
        for (const Ready& one : ready)
            if (is_idle(queues_[one.queue], now))
                start(one.queue, now);
    }

    bool is_idle(const PathQueue& queue, double now) const { return calendar_.fits(queue.links, now); }

    void start(std::uint32_t index, double now)
    {
        PathQueue& queue = queues_[index];
        const Waiting first = *queue.waiting.begin();
        queue.waiting.erase(queue.waiting.begin());
        const double end = now + queue.time.duration;
        const double idle = now + queue.time.holds_links;
        calendar_.hold(queue.links, now, idle);
        for (std::size_t i = 0; i < queue.links.size(); ++i)
            left_[queue.links[i]] -= queue.carries[i];
        starts_.push_back({first.tree, first.hop, first.chunk, now, end});
        events_.push({end, idle < end ? none : index, first.tree, first.hop, first.chunk});
        if (idle < end)
            events_.push({idle, index, none, 0, 0});
        if (!queue.waiting.empty()) // there may be room for another beside it
            mark(index);
    }

    const LinkNetwork& network_;
    const AlphaBeta& cost_;
    SplitMix64 random_;
    bool by_sums_;
    LinkShares calendar_;
    std::vector<double> left_; ///< by link: cycles that it has yet to carry
    std::map<std::vector<LinkId>, std::uint32_t> known_;
    std::vector<PathQueue> queues_;
    std::vector<std::vector<std::uint32_t>> queues_over_; ///< by link
    std::vector<std::uint32_t> marked_;
    std::vector<std::vector<std::uint32_t>> queue_of_hop_;      ///< by tree, hop
    std::vector<std::vector<std::vector<std::uint32_t>>> next_; ///< by tree, hop
    std::vector<std::vector<double>> way_to_go_;                ///< by tree, hop
    std::priority_queue<Event> events_;
    std::vector<HopStart> starts_;
};

} // namespace

std::vector<HopStart> order_hops(const LinkNetwork& network, const std::vector<ChunkTree>& trees,
                                 const AlphaBeta& cost, std::uint64_t seed, const SearchEnd& end)
{
    return HopOrder(network, trees, cost, seed).run(end);
}

} // namespace nocturne
