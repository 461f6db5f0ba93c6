#include "schedules/chunk_flows/flow_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <tuple>

namespace nocturne {
namespace {

/// One transfer of a chunk: between two nodes that store.
struct RelayHop {
    LinkPath path;
    TransferTime time;
    std::vector<double> carries = {}; ///< by its links: cycles that one is busy with it, alone on it
    double urgency = 0; ///< of the rest of the path, from this hop on: which chunk a link takes first
};

std::vector<RelayHop> hops_along(const LinkNetwork& network, const LinkPath& path, const AlphaBeta& cost,
                                 double bytes)
{
    std::vector<RelayHop> hops;
    LinkPath part;
    for (const LinkId id : path) {
        part.push_back(id);
        if (network.kind(network.link(id).target) == NodeKind::plain_switch)
            continue;
        const PathTime time = path_time(part, network, cost);
        RelayHop& hop = hops.emplace_back(RelayHop{std::move(part), time.of(bytes, cost)});
        for (const LinkId link : hop.path)
            hop.carries.push_back(
                hop.time.holds_links *
                (time.bytes_per_cycle / static_cast<double>(network.link(link).bytes_per_cycle)));
        part.clear();
    }
    return hops;
}

/// `fullness`, by link: load over that of the fullest one.
void set_urgencies(std::vector<RelayHop>& hops, const std::vector<double>& fullness, bool by_fullness)
{
    constexpr double steepness = 8; // only nearly full links count
    double urgency = 0;
    for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
        if (by_fullness)
            for (const LinkId id : hop->path)
                urgency += std::pow(fullness[id], steepness);
        else
            urgency += hop->time.duration;
        hop->urgency = urgency;
    }
}

/// Which of several paths that share links begins.
enum class LinkChoice {
    most_urgent, ///< the one whose chunk is
    most_left,   ///< the one with the link that has most left to carry
};

/// Lets links take chunks in the order of time.
class FlowRun {
public:
    FlowRun(const LinkNetwork& network, const Collective& collective, std::vector<std::vector<RelayHop>> hops,
            std::vector<std::uint64_t> turns, LinkChoice choice)
        : network_(network), choice_(choice), left_(network.link_count(), 0), turns_(std::move(turns)),
          hops_(std::move(hops)), next_(hops_.size(), 0), last_(hops_.size(), none), calendar_(network),
          waiting_(network.link_count()),
          schedule_(empty_schedule("flow", network.name(), collective, ScheduleSynchronization::dependencies))
    {
        for (ChunkId chunk = 0; chunk < hops_.size(); ++chunk) {
            for (const RelayHop& hop : hops_[chunk])
                for (std::size_t i = 0; i < hop.path.size(); ++i)
                    left_[hop.path[i]] += hop.carries[i];
            arrive(chunk);
        }
        times_.push(0);
    }

    /// What there is to send. False if the end comes first: then only some of it has been.
    bool run(const SearchEnd& end)
    {
        constexpr std::uint32_t look_interval = 256; // at the clock
        double now = -1;
        for (std::uint32_t round = 1; !times_.empty(); ++round) {
            if (round % look_interval == 0 && end.has_come())
                return false;
            const double time = times_.top();
            times_.pop();
            if (time == now)
                continue;
            now = time;
            while (!arrivals_.empty() && arrivals_.top().first <= now) {
                arrive(arrivals_.top().second);
                arrivals_.pop();
            }
            start_all(now);
        }
        return true;
    }

    /// After what has been sent the rest, chunk by chunk.
    Schedule take_all()
    {
        for (ChunkId chunk = 0; chunk < hops_.size(); ++chunk)
            while (next_[chunk] < hops_[chunk].size())
                send(chunk);
        return std::move(schedule_);
    }

private:
    static constexpr std::uint32_t none = ~0u;
    /// Less the urgency, turn, chunk: the most urgent first.
    using Waiting = std::tuple<double, std::uint64_t, ChunkId>;

    void arrive(ChunkId chunk)
    {
        if (next_[chunk] == hops_[chunk].size())
            return;
        const RelayHop& hop = hops_[chunk][next_[chunk]];
        waiting_[hop.path.front()].emplace(-hop.urgency, turns_[chunk], chunk);
    }

    double most_left(const LinkPath& path) const
    {
        double most = 0;
        for (const LinkId id : path)
            most = std::max(most, left_[id]);
        return most;
    }

    /// The most urgent first, over all links, so that a path of several links is not always taken from.
    void start_all(double now)
    {
        std::vector<std::pair<double, Waiting>> ready;
        for (LinkId id = 0; id < waiting_.size(); ++id) {
            if (calendar_.earliest_on(id, 1, now) > now) // for the slowest
                continue;
            for (const Waiting& one : waiting_[id]) {
                const ChunkId chunk = std::get<ChunkId>(one);
                const LinkPath& path = hops_[chunk][next_[chunk]].path;
                if (!calendar_.fits(path, now))
                    continue;
                ready.emplace_back(choice_ == LinkChoice::most_left ? -most_left(path) : 0, one);
                if (path.size() == 1)
                    break;
            }
        }
        std::sort(ready.begin(), ready.end());
        for (const auto& [priority, one] : ready)
            if (const ChunkId chunk = std::get<ChunkId>(one);
                calendar_.fits(hops_[chunk][next_[chunk]].path, now)) {
                waiting_[hops_[chunk][next_[chunk]].path.front()].erase(one);
                start(chunk, now);
            }
    }

    void start(ChunkId chunk, double now)
    {
        const RelayHop& hop = hops_[chunk][next_[chunk]];
        calendar_.hold(hop.path, now, now + hop.time.holds_links);
        for (std::size_t i = 0; i < hop.path.size(); ++i)
            left_[hop.path[i]] -= hop.carries[i];
        times_.push(now + hop.time.holds_links);
        times_.push(now + hop.time.duration);
        arrivals_.emplace(now + hop.time.duration, chunk);
        send(chunk);
    }

    void send(ChunkId chunk)
    {
        const RelayHop& hop = hops_[chunk][next_[chunk]];
        std::vector<std::uint32_t> after;
        if (last_[chunk] != none)
            after.push_back(last_[chunk]);
        last_[chunk] = append_transfer(
            schedule_,
            {chunk, network_.link(hop.path.front()).source, network_.link(hop.path.back()).target, hop.path},
            after);
        ++next_[chunk];
    }

    using Arrival = std::pair<double, ChunkId>;

    const LinkNetwork& network_;
    LinkChoice choice_;
    std::vector<double> left_;                ///< cycles that a link still has to carry
    std::vector<std::uint64_t> turns_;        ///< by chunk: between equals the lowest begins
    std::vector<std::vector<RelayHop>> hops_; ///< by chunk
    std::vector<std::size_t> next_;           ///< hop, by chunk
    std::vector<std::uint32_t> last_;         ///< transfer, by chunk
    LinkShares calendar_;
    std::vector<std::set<Waiting>> waiting_; ///< by first link: most urgent first
    std::priority_queue<double, std::vector<double>, std::greater<>> times_;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
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
    std::vector<std::vector<RelayHop>> hops;
    for (ChunkId chunk = 0; chunk < paths.size(); ++chunk)
        hops.push_back(hops_along(network, paths[chunk], config.cost,
                                  config.cost.bytes_per_weight * collective.chunks[chunk].weight));
    const std::vector<double> fullness = fullness_of(network, collective, paths);
    std::mt19937_64 random(config.seed);
    std::optional<FlowSchedule> best;
    for (std::uint32_t run = 0; run < config.runs && !(run > 0 && config.end.has_come()); ++run) {
        for (auto& one : hops)
            set_urgencies(one, fullness, run % 2 == 1);
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
