#include "schedules/chunk_flows/flow_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <span>
#include <tuple>

namespace nocturne {
namespace {

/// A way that some chunks take from one node that stores to the next.
struct RelayPath {
    LinkPath links;
    PathTime time;
    std::vector<double> shares; ///< by its links: of the bandwidth, what a chunk takes
};

/// One transfer of a chunk.
struct RelayHop {
    std::uint32_t path;
    double urgency = 0; ///< of the rest of the chunk's way, from this hop on: which a link takes first
};

/// The ways of all chunks, hop by hop.
class RelayHops {
public:
    RelayHops(const LinkNetwork& network, const Collective& collective, const std::vector<LinkPath>& paths,
              const AlphaBeta& cost)
        : collective_(collective), cost_(cost)
    {
        std::map<LinkPath, std::uint32_t> known;
        LinkPath part;
        for (const LinkPath& path : paths) {
            first_.push_back(static_cast<std::uint32_t>(hops_.size()));
            for (const LinkId id : path) {
                part.push_back(id);
                if (network.kind(network.link(id).target) == NodeKind::plain_switch)
                    continue;
                const auto [entry, is_new] =
                    known.try_emplace(part, static_cast<std::uint32_t>(paths_.size()));
                if (is_new)
                    add_path(network, part);
                hops_.push_back({entry->second});
                part.clear();
            }
        }
        first_.push_back(static_cast<std::uint32_t>(hops_.size()));
    }

    std::size_t chunk_count() const { return first_.size() - 1; }
    std::span<const RelayHop> of(ChunkId chunk) const
    {
        return std::span(hops_).subspan(first_[chunk], first_[chunk + 1] - first_[chunk]);
    }
    std::span<const RelayPath> paths() const { return paths_; }
    const RelayPath& path_of(const RelayHop& hop) const { return paths_[hop.path]; }
    TransferTime time_of(ChunkId chunk, const RelayHop& hop) const
    {
        return paths_[hop.path].time.of(cost_.bytes_per_weight * collective_.chunks[chunk].weight, cost_);
    }

    /// `fullness`, by link: load over that of the fullest one.
    void set_urgencies(const std::vector<double>& fullness, bool by_fullness)
    {
        constexpr double steepness = 8; // only nearly full links count
        std::vector<double> by_path(paths_.size(), 0);
        if (by_fullness)
            for (std::size_t path = 0; path < paths_.size(); ++path)
                for (const LinkId id : paths_[path].links)
                    by_path[path] += std::pow(fullness[id], steepness);
        for (ChunkId chunk = 0; chunk < chunk_count(); ++chunk) {
            double urgency = 0;
            for (std::size_t hop = first_[chunk + 1]; hop-- > first_[chunk];) {
                urgency += by_fullness ? by_path[hops_[hop].path] : time_of(chunk, hops_[hop]).duration;
                hops_[hop].urgency = urgency;
            }
        }
    }

private:
    void add_path(const LinkNetwork& network, const LinkPath& links)
    {
        RelayPath& path = paths_.emplace_back(RelayPath{links, path_time(links, network, cost_), {}});
        for (const LinkId link : links)
            path.shares.push_back(path.time.bytes_per_cycle /
                                  static_cast<double>(network.link(link).bytes_per_cycle));
    }

    const Collective& collective_;
    AlphaBeta cost_;
    std::vector<RelayPath> paths_;
    std::vector<RelayHop> hops_;       ///< chunk by chunk
    std::vector<std::uint32_t> first_; ///< by chunk, and one behind the last
};

/// Which of several paths that share links begins.
enum class LinkChoice {
    most_urgent, ///< the one whose chunk is
    most_left,   ///< the one with the link that has most left to carry
};

/// Lets links take chunks in the order of time.
class FlowRun {
public:
    FlowRun(const LinkNetwork& network, const Collective& collective, const RelayHops& hops,
            std::vector<std::uint64_t> turns, LinkChoice choice)
        : network_(network), choice_(choice), left_(network.link_count(), 0), turns_(std::move(turns)),
          hops_(hops), next_(hops.chunk_count(), 0), last_(hops.chunk_count(), none), calendar_(network),
          waiting_(hops.paths().size()), paths_over_(network.link_count()),
          is_marked_(hops.paths().size(), false),
          schedule_(empty_schedule("flow", network.name(), collective, ScheduleSynchronization::dependencies))
    {
        for (std::uint32_t path = 0; path < hops.paths().size(); ++path)
            for (const LinkId link : hops.paths()[path].links)
                paths_over_[link].push_back(path);
        for (ChunkId chunk = 0; chunk < hops.chunk_count(); ++chunk) {
            for (const RelayHop& hop : hops.of(chunk))
                carry(chunk, hop, 1);
            arrive(chunk);
        }
        events_.push({0, none, false});
    }

    /// What there is to send. False if the end comes first: then only some of it has been.
    bool run(const SearchEnd& end)
    {
        constexpr std::uint64_t work_between_looks = 1 << 14; // at the clock
        for (std::uint64_t next_look = work_between_looks; !events_.empty();) {
            if (work_ >= next_look) {
                if (end.has_come())
                    return false;
                next_look = work_ + work_between_looks;
            }
            const double now = events_.top().time;
            for (; !events_.empty() && events_.top().time == now; events_.pop())
                take(events_.top());
            start_all(now);
        }
        return true;
    }

    /// After what has been sent the rest, chunk by chunk.
    Schedule take_all()
    {
        for (ChunkId chunk = 0; chunk < hops_.chunk_count(); ++chunk)
            while (next_[chunk] < hops_.of(chunk).size())
                send(chunk);
        return std::move(schedule_);
    }

private:
    static constexpr std::uint32_t none = ~0u;
    /// Less the urgency, turn, chunk: the most urgent first.
    using Waiting = std::tuple<double, std::uint64_t, ChunkId>;

    /// A chunk arrives, or links of a path have room again.
    struct Event {
        double time;
        std::uint32_t which; ///< chunk, or path; none: the beginning
        bool is_arrival;

        friend bool operator>(const Event& a, const Event& b) { return a.time > b.time; }
    };

    /// The first that waits for a path that has room, before it is known whether others take that.
    struct Ready {
        double priority; ///< the lower first
        Waiting first;
        std::uint32_t path;

        friend bool operator>(const Ready& a, const Ready& b)
        {
            return std::tie(a.priority, a.first) > std::tie(b.priority, b.first);
        }
    };

    void take(const Event& event)
    {
        if (event.which == none)
            return;
        if (event.is_arrival) {
            arrive(event.which);
            return;
        }
        for (const LinkId link : hops_.paths()[event.which].links)
            for (const std::uint32_t path : paths_over_[link])
                mark(path);
    }

    /// To be looked at: something there may start now that could not before.
    void mark(std::uint32_t path)
    {
        if (!is_marked_[path] && !waiting_[path].empty()) {
            is_marked_[path] = true;
            marked_.push_back(path);
        }
    }

    void arrive(ChunkId chunk)
    {
        if (next_[chunk] == hops_.of(chunk).size())
            return;
        const RelayHop& hop = hops_.of(chunk)[next_[chunk]];
        waiting_[hop.path].emplace(-hop.urgency, turns_[chunk], chunk);
        mark(hop.path);
    }

    double most_left(std::uint32_t path) const
    {
        double most = 0;
        for (const LinkId id : hops_.paths()[path].links)
            most = std::max(most, left_[id]);
        return most;
    }

    bool fits(std::uint32_t path, double now) const { return calendar_.fits(hops_.paths()[path].links, now); }

    /// The most urgent first, over all links, so that a path of several links is not always taken from.
    void start_all(double now)
    {
        std::vector<Ready> found;
        for (const std::uint32_t path : marked_) {
            is_marked_[path] = false;
            if (fits(path, now))
                found.push_back(
                    {choice_ == LinkChoice::most_left ? -most_left(path) : 0, *waiting_[path].begin(), path});
        }
        work_ += 1 + marked_.size();
        marked_.clear();
        std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready({}, std::move(found));
        while (!ready.empty()) {
            const auto [priority, first, path] = ready.top();
            ready.pop();
            if (!fits(path, now))
                continue;
            waiting_[path].erase(waiting_[path].begin());
            start(std::get<ChunkId>(first), now);
            if (!waiting_[path].empty())
                ready.push({priority, *waiting_[path].begin(), path});
        }
    }

    /// So much more, or less, is left to be carried over the links of a hop.
    void carry(ChunkId chunk, const RelayHop& hop, double sign)
    {
        const RelayPath& path = hops_.path_of(hop);
        const double busy = hops_.time_of(chunk, hop).holds_links;
        for (std::size_t i = 0; i < path.links.size(); ++i)
            left_[path.links[i]] += sign * (busy * path.shares[i]);
    }

    void start(ChunkId chunk, double now)
    {
        const RelayHop& hop = hops_.of(chunk)[next_[chunk]];
        const TransferTime time = hops_.time_of(chunk, hop);
        calendar_.hold(hops_.path_of(hop).links, now, now + time.holds_links);
        carry(chunk, hop, -1);
        events_.push({now + time.holds_links, hop.path, false});
        events_.push({now + time.duration, chunk, true});
        send(chunk);
    }

    void send(ChunkId chunk)
    {
        const LinkPath& links = hops_.path_of(hops_.of(chunk)[next_[chunk]]).links;
        std::vector<std::uint32_t> after;
        if (last_[chunk] != none)
            after.push_back(last_[chunk]);
        last_[chunk] = append_transfer(
            schedule_,
            {chunk, network_.link(links.front()).source, network_.link(links.back()).target, links}, after);
        ++next_[chunk];
    }

    const LinkNetwork& network_;
    LinkChoice choice_;
    std::vector<double> left_;         ///< cycles that a link still has to carry
    std::vector<std::uint64_t> turns_; ///< by chunk: between equals the lowest begins
    const RelayHops& hops_;
    std::vector<std::size_t> next_;   ///< hop, by chunk
    std::vector<std::uint32_t> last_; ///< transfer, by chunk
    LinkShares calendar_;
    std::vector<std::set<Waiting>> waiting_;             ///< by path: most urgent first
    std::vector<std::vector<std::uint32_t>> paths_over_; ///< by link
    std::vector<bool> is_marked_;                        ///< by path
    std::vector<std::uint32_t> marked_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t work_ = 0; ///< rounds and paths looked at
    Schedule schedule_;
};

/// Each source begins with the receiver behind it, so that they do not all send to one at the same time: on a
/// switch, turn by turn is then a permutation.
std::vector<std::uint64_t> rotating_turns(const Collective& collective)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> seen;
    std::vector<std::uint64_t> turns(collective.chunks.size(), 0);
    for (const Demand& demand : collective.demands) {
        const std::uint32_t source = demand.contributors.front();
        const std::uint32_t ahead =
            (demand.receiver + collective.processors - source) % collective.processors;
        turns[demand.chunk] = seen[{source, demand.receiver}]++ * collective.processors + ahead;
    }
    return turns;
}

std::vector<double> fullness_of(const LinkNetwork& network, const Collective& collective,
                                const std::vector<LinkPath>& paths)
{
    std::vector<double> fullness(network.link_count(), 0);
    for (ChunkId chunk = 0; chunk < paths.size(); ++chunk)
        for (const LinkId id : paths[chunk])
            fullness[id] +=
                static_cast<double>(collective.chunks[chunk].weight) / static_cast<double>(network.units(id));
    const double most = *std::max_element(fullness.begin(), fullness.end());
    for (double& one : fullness)
        one /= most;
    return fullness;
}

/// The shortest in time of the schedules that come of several orders.
std::optional<FlowSchedule> in_best_order(const LinkNetwork& network, const Collective& collective,
                                          const std::vector<LinkPath>& paths, const FlowConfig& config)
{
    RelayHops hops(network, collective, paths, config.cost);
    const std::vector<double> fullness = fullness_of(network, collective, paths);
    std::mt19937_64 random(config.seed);
    std::optional<FlowSchedule> best;
    for (std::uint32_t run = 0; run < config.runs && !(run > 0 && config.end.has_come()); ++run) {
        hops.set_urgencies(fullness, run % 2 == 1);
        const auto choice = run / 2 % 2 == 0 ? LinkChoice::most_left : LinkChoice::most_urgent;
        std::vector<std::uint64_t> turns(paths.size(), 0); // by the numbers of the chunks
        if (run / 4 % 3 == 1)
            turns = rotating_turns(collective);
        else if (run / 4 % 3 == 2)
            std::generate(turns.begin(), turns.end(), std::ref(random));
        FlowRun flow_run(network, collective, hops, std::move(turns), choice);
        if (!flow_run.run(config.end) && (best || !config.end.is_stopped()))
            break;
        Schedule schedule = flow_run.take_all(); // of the first run also where somebody stops it
        const double cycles = time_of(schedule, network, config.cost);
        if (!best || cycles < best->cycles)
            best = FlowSchedule{std::move(schedule), cycles, 0};
    }
    return best;
}

} // namespace

std::optional<FlowSchedule> schedule_over(const LinkFlow& flow, const OwedPairs& owed,
                                          const LinkNetwork& network, const Collective& collective,
                                          const FlowConfig& config)
{
    const std::vector<LinkPath> paths = round_to_paths(network, collective, owed, flow);
    auto result = in_best_order(network, collective, paths, config);
    if (result)
        result->flow_cycles =
            flow.rounds * config.cost.bytes_per_weight / static_cast<double>(network.unit_bytes_per_cycle());
    return result;
}

} // namespace nocturne
