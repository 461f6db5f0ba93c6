#include "schedules/scatter/even_paths.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace nocturne {
namespace {

using HopList = std::vector<ChannelId>;

class EvenRouting {
public:
    EvenRouting(const Problem& problem, const EvenPathsOptions& options)
        : problem_(problem), topology_(problem.topology), options_(options), random_(options.seed),
          load_(topology_.channel_count(), 0), price_(load_.size(), 1), noise_(load_.size(), 0),
          best_of_(problem.collective.messages.size()), others_(best_of_.size()),
          cost_(topology_.router_count()), into_(cost_.size()), hops_(cost_.size())
    {
        for (MessageId id = 0; id < best_of_.size(); ++id)
            by_source_.push_back(id);
        const auto source = [&](MessageId id) {
            return topology_.processor(problem_.collective.messages[id].origin).injection;
        };
        std::stable_sort(by_source_.begin(), by_source_.end(),
                         [&](MessageId a, MessageId b) { return source(a) < source(b); });
    }

    EvenPaths run()
    {
        for (round_ = 0; round_ < options_.rounds; ++round_) {
            level_ = std::max(1U, most_load());
            for (ChannelId id = 0; id < load_.size(); ++id)
                update_price(id);
            for (std::size_t i = 0; i < by_source_.size();)
                i = reroute_source(i);
        }
        return result();
    }

private:
    /// Distances, loads and prices in units of a hop, or of the price of the busiest channel.
    void update_price(ChannelId id)
    {
        constexpr double steepness = 60;
        // Of equally busy channels few are better than many.
        constexpr double of_hop = 0.02;
        price_[id] =
            round_ == 0 ? 1 : of_hop + std::exp(steepness * (static_cast<double>(load_[id]) / level_ - 1));
    }

    /// 0 in a network without channels: all processors sit at one router.
    std::uint32_t most_load() const
    {
        return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end());
    }

    RouterId router_of(MessageId id) const
    {
        return topology_.processor(problem_.collective.messages[id].origin).injection;
    }

    std::size_t reroute_source(std::size_t first)
    {
        const RouterId source = router_of(by_source_[first]);
        search(source);
        std::size_t i = first;
        for (; i < by_source_.size() && router_of(by_source_[i]) == source; ++i)
            reroute(by_source_[i]);
        return i;
    }

    double length(ChannelId id) const { return price_[id] * (1 + noise_[id]); }

    void search(RouterId source)
    {
        constexpr double most_noise = 1e-3;
        for (double& each : noise_)
            each = most_noise * static_cast<double>(random_() >> 40) / (1 << 24);
        std::fill(cost_.begin(), cost_.end(), std::numeric_limits<double>::infinity());
        if (problem_.slack)
            hops_ = distances_from(topology_, source);
        using Entry = std::pair<double, RouterId>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        cost_[source] = 0;
        into_[source] = no_channel;
        queue.emplace(0, source);
        while (!queue.empty()) {
            const auto [cost, at] = queue.top();
            queue.pop();
            if (cost > cost_[at])
                continue;
            for (const ChannelId id : topology_.channels_from(at)) {
                const RouterId to = topology_.channel(id).target;
                if (problem_.slack && hops_[at] + 1 != hops_[to])
                    continue;
                if (const double then = cost + length(id); then < cost_[to]) {
                    cost_[to] = then;
                    into_[to] = id;
                    queue.emplace(then, to);
                }
            }
        }
    }

    void reroute(MessageId id)
    {
        HopList& now = best_of_[id];
        const RouterId destination =
            topology_.processor(problem_.collective.messages[id].receivers.front()).ejection;
        if (round_ == 0 && id < options_.start.size() && !options_.start[id].empty()) {
            now = options_.start[id];
            add(now, 1);
            return;
        }
        HopList found;
        for (RouterId at = destination; into_[at] != no_channel; at = topology_.channel(into_[at]).source)
            found.push_back(into_[at]);
        std::reverse(found.begin(), found.end());
        if (round_ > 0) {
            if (found == now)
                return;
            // Under the prices after the change: what is left behind becomes cheaper.
            add(now, -1);
            const double before = sum(now), after = sum(found);
            if (before <= after) {
                add(now, 1);
                if (after < before * 1.02)
                    remember(id, std::move(found));
                return;
            }
            remember(id, std::move(now));
        }
        add(found, 1);
        now = std::move(found);
    }

    double sum(const HopList& path) const
    {
        return std::accumulate(path.begin(), path.end(), 0.0,
                               [&](double before, ChannelId id) { return before + length(id); });
    }

    void add(const HopList& path, int messages)
    {
        for (const ChannelId id : path) {
            load_[id] = static_cast<std::uint32_t>(static_cast<int>(load_[id]) + messages);
            update_price(id);
        }
    }

    /// The last ones are the best: the first one goes if there are too many.
    void remember(MessageId id, HopList path)
    {
        auto& paths = others_[id];
        std::erase(paths, path);
        paths.push_back(std::move(path));
        if (paths.size() >= options_.most_paths)
            paths.erase(paths.begin());
    }

    EvenPaths result()
    {
        EvenPaths even;
        for (MessageId id = 0; id < best_of_.size(); ++id) {
            even.paths.add_path(best_of_[id]);
            for (auto other = others_[id].rbegin(); other != others_[id].rend(); ++other)
                if (*other != best_of_[id])
                    even.paths.add_path(*other);
            even.paths.end_message();
            best_of_[id] = {};
            others_[id] = {};
        }
        even.most_load = most_load();
        return even;
    }

    const Problem& problem_;
    const Topology& topology_;
    EvenPathsOptions options_;
    SplitMix64 random_;
    std::vector<MessageId> by_source_;
    std::vector<std::uint32_t> load_; // by channel
    std::vector<double> price_;       // by channel
    std::vector<double> noise_;       // by channel: makes equally short paths different
    double level_ = 1;
    unsigned round_ = 0;
    std::vector<HopList> best_of_; // by message
    std::vector<std::vector<HopList>> others_;
    std::vector<double> cost_; // of the shortest path from the source, by router
    std::vector<ChannelId> into_;
    std::vector<std::uint32_t> hops_;
};

} // namespace

EvenPaths even_paths(const Problem& problem, const EvenPathsOptions& options)
{
    return EvenRouting(problem, options).run();
}

} // namespace nocturne
