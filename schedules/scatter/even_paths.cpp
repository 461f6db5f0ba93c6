#include "schedules/scatter/even_paths.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

namespace nocturne {
namespace {

using HopList = std::vector<ChannelId>;

/// Of the prices: flat ones lead the load to where there is room for it, steep ones smooth the peaks, one
/// message after the other.
constexpr double first_steepness = 30, last_steepness = 1000;

class EvenRouting {
public:
    EvenRouting(const Problem& problem, const EvenPathsOptions& options)
        : problem_(problem), topology_(problem.topology), options_(options),
          has_classes_(!options.classes.empty()), random_(options.seed), load_(topology_.channel_count(), 0),
          price_(load_.size(), 1), noise_(load_.size(), 0), best_of_(problem.collective.messages().size()),
          others_(best_of_.size()), has_path_(best_of_.size(), false), from_source_(topology_.router_count()),
          detour_(from_source_), hops_(topology_.router_count())
    {
        if (!has_classes_) {
            options_.classes.resize(load_.size());
            std::iota(options_.classes.begin(), options_.classes.end(), 0U);
        }
        for (MessageId id = 0; id < best_of_.size(); ++id)
            by_source_.push_back(id);
        const auto source = [&](MessageId id) {
            return topology_.processor(problem_.collective.messages()[id].origin).injection;
        };
        std::stable_sort(by_source_.begin(), by_source_.end(),
                         [&](MessageId a, MessageId b) { return source(a) < source(b); });
    }

    PathTable run()
    {
        for (round_ = 0; round_ < options_.rounds; ++round_) {
            if (round_ > 0 && options_.is_over && options_.is_over())
                break;
            level_ = std::max(1U, most_load());
            steepness_ = first_steepness * std::pow(last_steepness / first_steepness,
                                                    std::min(1.0, 1.25 * round_ / options_.rounds));
            for (std::uint32_t id = 0; id < load_.size(); ++id)
                update_price(id);
            for (std::size_t i = 0; i < by_source_.size();)
                i = reroute_source(i);
        }
        return result();
    }

private:
    /// Shortest paths from a source.
    struct Tree {
        std::vector<double> cost; // by router
        std::vector<ChannelId> into;

        explicit Tree(std::size_t routers) : cost(routers), into(routers) {}
    };

    std::uint32_t class_of(ChannelId id) const { return options_.classes[id]; }

    /// Of a class. Distances, loads and prices in units of a hop, or of the price of the busiest channel.
    void update_price(std::uint32_t id)
    {
        // Of equally busy channels few are better than many.
        constexpr double of_hop = 0.02;
        price_[id] =
            round_ == 0 ? 1 : of_hop + std::exp(steepness_ * (static_cast<double>(load_[id]) / level_ - 1));
    }

    /// 0 in a network without channels: all processors sit at one router.
    std::uint32_t most_load() const
    {
        return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end());
    }

    RouterId router_of(MessageId id) const
    {
        return topology_.processor(problem_.collective.messages()[id].origin).injection;
    }

    std::size_t reroute_source(std::size_t first)
    {
        const RouterId source = router_of(by_source_[first]);
        draw_noise();
        search(source, from_source_, {});
        std::size_t i = first;
        for (; i < by_source_.size() && router_of(by_source_[i]) == source; ++i)
            reroute(by_source_[i]);
        return i;
    }

    double length(ChannelId id) const { return price_[class_of(id)] * (1 + noise_[id]); }

    void draw_noise()
    {
        constexpr double most_noise = 1e-3;
        for (double& each : noise_)
            each = most_noise * static_cast<double>(random_() >> 40) / (1 << 24);
    }

    /// Over none of the channels that are `banned`.
    void search(RouterId source, Tree& tree, std::span<const ChannelId> banned)
    {
        std::fill(tree.cost.begin(), tree.cost.end(), std::numeric_limits<double>::infinity());
        if (problem_.slack)
            hops_ = distances_from(topology_, source);
        using Entry = std::pair<double, RouterId>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        tree.cost[source] = 0;
        tree.into[source] = no_channel;
        queue.emplace(0, source);
        while (!queue.empty()) {
            const auto [cost, at] = queue.top();
            queue.pop();
            if (cost > tree.cost[at])
                continue;
            for (const ChannelId id : topology_.channels_from(at)) {
                const RouterId to = topology_.channel(id).target;
                if (problem_.slack && hops_[at] + 1 != hops_[to])
                    continue;
                if (std::find(banned.begin(), banned.end(), id) != banned.end())
                    continue;
                if (const double then = cost + length(id); then < tree.cost[to]) {
                    tree.cost[to] = then;
                    tree.into[to] = id;
                    queue.emplace(then, to);
                }
            }
        }
    }

    /// The router must have been reached.
    HopList path_to(const Tree& tree, RouterId destination) const
    {
        HopList path;
        for (RouterId at = destination; tree.into[at] != no_channel;
             at = topology_.channel(tree.into[at]).source)
            path.push_back(tree.into[at]);
        std::reverse(path.begin(), path.end());
        return path;
    }

    /// Two channels of the path that are of one class; nothing if there are none.
    std::optional<std::array<ChannelId, 2>> repeated(const HopList& path) const
    {
        if (!has_classes_)
            return std::nullopt;
        for (auto one = path.begin(); one != path.end(); ++one)
            for (auto other = path.begin(); other != one; ++other)
                if (class_of(*one) == class_of(*other))
                    return std::array{*other, *one};
        return std::nullopt;
    }

    /// The shortest path, or a longer one that leads over no class twice: without the one or the other of two
    /// such channels, drawn at random. Nothing if that leads nowhere.
    std::optional<HopList> find_path(RouterId source, RouterId destination)
    {
        constexpr unsigned most_bans = 4, most_tries = 8;
        HopList path = path_to(from_source_, destination);
        auto twice = repeated(path);
        const auto shortest = twice;
        for (unsigned attempt = 0; twice && attempt < most_tries; ++attempt) {
            HopList banned;
            for (twice = shortest; twice && banned.size() < most_bans; twice = repeated(path)) {
                banned.push_back((*twice)[random_.below(2)]);
                search(source, detour_, banned);
                if (std::isinf(detour_.cost[destination]))
                    break;
                path = path_to(detour_, destination);
            }
        }
        return twice ? std::nullopt : std::optional(std::move(path));
    }

    void reroute(MessageId id)
    {
        HopList& now = best_of_[id];
        if (round_ == 0 && id < options_.start.size() && !options_.start[id].empty()) {
            now = options_.start[id];
            has_path_[id] = true;
            add(now, 1);
            return;
        }
        auto found =
            find_path(router_of(id),
                      topology_.processor(problem_.collective.messages()[id].receivers.front()).ejection);
        if (!found || *found == now) {
            has_path_[id] = has_path_[id] || found;
            return;
        }
        if (has_path_[id]) {
            // Under the prices after the change: what is left behind becomes cheaper.
            add(now, -1);
            const double before = sum(now), after = sum(*found);
            if (before <= after) {
                add(now, 1);
                if (after < before * 1.02)
                    remember(id, std::move(*found));
                return;
            }
            remember(id, std::move(now));
        }
        has_path_[id] = true;
        add(*found, 1);
        now = std::move(*found);
    }

    double sum(const HopList& path) const
    {
        return std::accumulate(path.begin(), path.end(), 0.0,
                               [&](double before, ChannelId id) { return before + length(id); });
    }

    void add(const HopList& path, int messages)
    {
        for (const ChannelId channel : path) {
            const std::uint32_t id = class_of(channel);
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

    PathTable result()
    {
        PathTable paths;
        for (MessageId id = 0; id < best_of_.size(); ++id) {
            if (has_path_[id])
                paths.add_path(best_of_[id]);
            for (auto other = others_[id].rbegin(); other != others_[id].rend(); ++other)
                if (*other != best_of_[id])
                    paths.add_path(*other);
            paths.end_message();
            best_of_[id] = {};
            others_[id] = {};
        }
        return paths;
    }

    const Problem& problem_;
    const Topology& topology_;
    EvenPathsOptions options_;
    bool has_classes_;
    SplitMix64 random_;
    std::vector<MessageId> by_source_;
    std::vector<std::uint32_t> load_; // by class
    std::vector<double> price_;       // by class
    std::vector<double> noise_;       // by channel: makes equally short paths different
    double level_ = 1;
    double steepness_ = first_steepness;
    unsigned round_ = 0;
    std::vector<HopList> best_of_; // by message
    std::vector<std::vector<HopList>> others_;
    std::vector<bool> has_path_; // by message
    Tree from_source_;
    Tree detour_; // without some channels
    std::vector<std::uint32_t> hops_;
};

} // namespace

unsigned evening_rounds(std::size_t messages)
{
    constexpr std::size_t choices = 20'000'000, most = 200, fewest = 24;
    return static_cast<unsigned>(std::clamp(choices / std::max<std::size_t>(1, messages), fewest, most));
}

PathTable even_paths(const Problem& problem, const EvenPathsOptions& options)
{
    return EvenRouting(problem, options).run();
}

} // namespace nocturne
