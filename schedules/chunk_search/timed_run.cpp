#include "schedules/chunk_search/timed_run.hpp"

#include "schedules/certificate/shortest_lengths.hpp"
#include "schedules/collective/chunk_sets.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

namespace nocturne {
namespace {

constexpr float unreachable_by_time = std::numeric_limits<float>::infinity();

float duration_of(const TimedProblem& problem, std::uint32_t hop)
{
    return static_cast<float>(problem.times[hop].of(problem.cost.bytes_per_weight, problem.cost).duration);
}

bool has_equal_hops(const TimedProblem& problem)
{
    for (std::uint32_t hop = 0; hop < problem.hops.size(); ++hop)
        if (duration_of(problem, hop) != duration_of(problem, 0))
            return false;
    return true;
}

/// By hop: bytes a cycle that come to its destination over hops that take less time than it.
std::vector<double> rates_of_faster(const TimedProblem& problem,
                                    const std::vector<std::vector<std::uint32_t>>& hops_into)
{
    std::vector<double> rates(problem.hops.size(), 0);
    for (const auto& hops : hops_into) {
        std::vector<std::uint32_t> by_time = hops;
        std::ranges::sort(by_time, {}, [&](std::uint32_t hop) { return duration_of(problem, hop); });
        std::map<LinkId, double> into; // by last link
        double sum = 0, sum_of_faster = 0;
        for (std::size_t i = 0; i < by_time.size(); ++i) {
            const std::uint32_t hop = by_time[i];
            if (i > 0 && duration_of(problem, hop) > duration_of(problem, by_time[i - 1]))
                sum_of_faster = sum;
            rates[hop] = sum_of_faster;
            const LinkId last = problem.hops[hop].path.back();
            double& over_link = into[last];
            const double with_it = std::min(over_link + problem.times[hop].bytes_per_cycle,
                                            static_cast<double>(problem.network.link(last).bytes_per_cycle));
            sum += with_it - over_link;
            over_link = with_it;
        }
    }
    return rates;
}

/// By node: the least time from it to the receiver. `durations`: by hop.
std::vector<float> times_to(const TimedProblem& problem, const std::vector<float>& durations,
                            const std::vector<std::vector<std::uint32_t>>& hops_into, NodeId receiver)
{
    return shortest_lengths<float>(problem.network.node_count(), receiver, unreachable_by_time,
                                   [&](NodeId node, const auto& visit) {
                                       for (const std::uint32_t h : hops_into[node])
                                           visit(problem.hops[h].source, durations[h]);
                                   });
}

} // namespace

RunGuide make_run_guide(const TimedProblem& problem)
{
    RunGuide guide;
    const LinkNetwork& network = problem.network;
    std::vector<bool> is_receiver(network.processor_count(), false);
    std::size_t storing = 0;
    for (NodeId node = 0; node < network.node_count(); ++node)
        storing += stores(network, node) ? 1 : 0;
    for (ChunkId c = 0; c < problem.receivers.size(); ++c) {
        const auto& receivers = problem.receivers[c];
        const bool own = std::find(receivers.begin(), receivers.end(),
                                   problem.collective.chunks[c].contributors.front()) != receivers.end();
        guide.relays = guide.relays || receivers.size() + (own ? 0 : 1) < storing;
        for (const NodeId node : receivers)
            is_receiver[node] = true;
    }
    if (!guide.relays && has_equal_hops(problem))
        return guide;
    std::vector<std::vector<std::uint32_t>> hops_into(network.node_count());
    for (std::uint32_t h = 0; h < problem.hops.size(); ++h)
        hops_into[problem.hops[h].destination].push_back(h);
    if (!guide.relays)
        guide.rates_of_faster = rates_of_faster(problem, hops_into);
    // Ways between all pairs of a thousand processors take longer than what they save.
    constexpr std::size_t most_visits = std::size_t{1} << 27;
    if (problem.hops.size() * static_cast<std::size_t>(std::ranges::count(is_receiver, true)) > most_visits)
        return guide;
    std::vector<float> durations;
    for (std::uint32_t hop = 0; hop < problem.hops.size(); ++hop)
        durations.push_back(duration_of(problem, hop));
    guide.to_go.resize(network.processor_count());
    for (NodeId node = 0; node < network.processor_count(); ++node)
        if (is_receiver[node])
            guide.to_go[node] = times_to(problem, durations, hops_into, node);
    return guide;
}

TimedProblem make_timed_problem(const LinkNetwork& network, const Collective& collective,
                                const AlphaBeta& cost, std::size_t paths_per_pair)
{
    return timed_problem_over(shortest_hops(network, paths_per_pair), network, collective, cost);
}

TimedProblem timed_problem_over(std::vector<ChunkHop> hops, const LinkNetwork& network,
                                const Collective& collective, const AlphaBeta& cost)
{
    TimedProblem problem{network, collective, cost, std::move(hops)};
    problem.hops_from.resize(network.node_count());
    problem.hops_over.resize(network.link_count());
    for (std::uint32_t h = 0; h < problem.hops.size(); ++h) {
        for (const LinkId link : problem.hops[h].path)
            problem.hops_over[link].push_back(h);
        problem.times.push_back(path_time(problem.hops[h].path, network, cost));
        problem.hops_from[problem.hops[h].source].push_back(h);
    }
    problem.receivers.resize(collective.chunks.size());
    for (const Demand& demand : collective.demands)
        problem.receivers[demand.chunk].push_back(demand.receiver);
    return problem;
}

std::span<const std::uint32_t> hops_between(const TimedProblem& problem, NodeId from, NodeId to)
{
    // Hops are in the order of their destinations.
    const std::vector<std::uint32_t>& hops = problem.hops_from[from];
    const auto destination = [&](std::uint32_t hop) { return problem.hops[hop].destination; };
    const auto begin = std::ranges::lower_bound(hops, to, {}, destination);
    const auto end = std::ranges::upper_bound(hops, to, {}, destination);
    return {begin, end};
}

namespace {

/// Calls use(chunk) for each chunk that node `a` of `first` has and node `b` of `second` lacks.
template <typename Use>
void for_each_lacking(const ChunkSets& first, NodeId a, const ChunkSets& second, NodeId b, const Use& use)
{
    for (std::size_t i = 0; i < first.word_count(); ++i)
        for (std::uint64_t left = first.word(a, i) & ~second.word(b, i); left != 0; left &= left - 1)
            use(static_cast<ChunkId>(64 * i) + static_cast<ChunkId>(std::countr_zero(left)));
}

std::size_t count_lacking(const ChunkSets& first, NodeId a, const ChunkSets& second, NodeId b)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < first.word_count(); ++i)
        count += static_cast<std::size_t>(std::popcount(first.word(a, i) & ~second.word(b, i)));
    return count;
}

class TimedRun {
public:
    TimedRun(const TimedProblem& problem, const RunGuide& guide, SplitMix64 random, SlowLinks slow_links)
        : problem_(problem), guide_(guide),
          is_urgent_(!guide.to_go.empty() && (guide.relays || slow_links == SlowLinks::spared)),
          chunks_(problem.collective.chunks.size()), random_(random),
          has_(problem.network.node_count(), chunks_), coming_(has_), copies_(chunks_, 0),
          calendar_(problem.network), is_dirty_(problem.hops.size(), false)
    {
    }

    TimedOutcome run(double most_cycles, const SearchEnd& end)
    {
        begin();
        for (bool is_first = true; !events_.empty(); is_first = false) {
            now_ = events_.top().time;
            // In one round all links may choose among thousands of chunks: a look at the clock is nothing.
            if (now_ > most_cycles || (!is_first && end.has_come()))
                return std::move(outcome_);
            while (!events_.empty() && events_.top().time <= latest_now()) {
                take(events_.top());
                events_.pop();
            }
            match();
        }
        outcome_.is_complete = open_ == 0;
        return std::move(outcome_);
    }

private:
    /// A chunk arrives at a node, or a transfer gives back its share of a link.
    struct Event {
        double time;
        std::uint32_t where; ///< node, or link
        ChunkId chunk;       ///< none: of a link

        friend bool operator>(const Event& a, const Event& b)
        {
            return std::tie(a.time, a.where, a.chunk) > std::tie(b.time, b.where, b.chunk);
        }
    };
    static constexpr ChunkId none = ~0u;

    /// Times that differ from now by rounding are now.
    double latest_now() const { return now_ * (1 + 1e-12) + 1e-12; }

    void begin()
    {
        has_owed_ = ChunkSets(problem_.network.node_count(), chunks_);
        for (ChunkId c = 0; c < chunks_; ++c) {
            const NodeId origin = problem_.collective.chunks[c].contributors.front();
            for (const NodeId receiver : problem_.receivers[c])
                if (receiver != origin) {
                    has_owed_.add(receiver, c);
                    ++open_;
                }
            coming_.add(origin, c);
            copies_[c] = 1;
            events_.push({0, origin, c});
        }
        if (is_urgent_) {
            nearest_.assign(problem_.network.node_count() * chunks_, 0);
            for (ChunkId c = 0; c < chunks_; ++c) {
                const NodeId origin = problem_.collective.chunks[c].contributors.front();
                for (const NodeId receiver : problem_.receivers[c])
                    nearest(c, receiver) = guide_.to_go[receiver][origin];
            }
        }
    }

    /// Least to_go of the receiver from nodes that have the chunk, or that it is on the way to.
    float& nearest(ChunkId chunk, NodeId receiver) { return nearest_[receiver * chunks_ + chunk]; }
    float nearest(ChunkId chunk, NodeId receiver) const { return nearest_[receiver * chunks_ + chunk]; }

    void take(const Event& event)
    {
        if (event.chunk == none) {
            for (const std::uint32_t hop : problem_.hops_over[event.where])
                mark(hop);
            return;
        }
        has_.add(event.where, event.chunk);
        for (const std::uint32_t hop : problem_.hops_from[event.where])
            mark(hop);
    }

    void mark(std::uint32_t hop)
    {
        if (!is_dirty_[hop] && is_idle(hop)) {
            is_dirty_[hop] = true;
            dirty_.push_back(hop);
        }
    }

    bool is_idle(std::uint32_t hop) const { return calendar_.fits(problem_.hops[hop].path, latest_now()); }

    /// Every hop that has fallen idle, or whose source has something new, may take a chunk. Those that have
    /// the least to choose from choose first.
    void match()
    {
        order_.clear();
        for (const std::uint32_t hop : dirty_) {
            is_dirty_[hop] = false;
            const ChunkHop& one = problem_.hops[hop];
            if (const std::size_t count = count_lacking(has_, one.source, coming_, one.destination))
                order_.emplace_back(count, random_(), hop);
        }
        dirty_.clear();
        std::sort(order_.begin(), order_.end());
        for (const auto& [count, chance, hop] : order_)
            if (is_idle(hop))
                if (const ChunkId chunk = choose(hop); chunk != none)
                    send(hop, chunk);
    }

    /// The chunk that is most urgent; chance decides between equals.
    ChunkId choose(std::uint32_t h)
    {
        const ChunkHop& hop = problem_.hops[h];
        const bool may_leave_it = is_urgent_ && !guide_.relays;
        const float duration = may_leave_it ? duration_of(problem_, h) : 0;
        ChunkId best = none;
        float best_urgency = 0;
        std::uint32_t best_copies = 0, equals = 0, faster = 0;
        for_each_lacking(has_, hop.source, coming_, hop.destination, [&](ChunkId chunk) {
            const float urgency = is_urgent_ ? urgency_of(chunk, hop) : 1.0f;
            if (urgency <= 0)
                return;
            faster += urgency < duration ? 1 : 0;
            const bool better = best == none || urgency > best_urgency ||
                                (urgency == best_urgency && copies_[chunk] < best_copies);
            const bool equal = !better && urgency == best_urgency && copies_[chunk] == best_copies;
            equals = better ? 1 : equals + (equal ? 1 : 0);
            if (better || (equal && random_.below(equals) == 0)) {
                best = chunk;
                best_urgency = urgency;
                best_copies = copies_[chunk];
            }
        });
        // What all comes sooner over faster links leaves this one to what does not.
        if (best_urgency < duration &&
            faster * problem_.cost.bytes_per_weight < guide_.rates_of_faster[h] * duration)
            return none;
        return best;
    }

    /// How long the farthest receiver that this brings the chunk nearer to still waits for it at least; 0 if
    /// there is none. Without relays, how long the node that it is sent to would wait for it at least: what a
    /// neighbour has over a fast link need not come over a slow one.
    float urgency_of(ChunkId chunk, const ChunkHop& hop) const
    {
        if (!guide_.relays)
            return nearest(chunk, hop.destination);
        float longest = 0;
        for (const NodeId receiver : problem_.receivers[chunk])
            if (guide_.to_go[receiver][hop.destination] < nearest(chunk, receiver))
                longest = std::max(longest, guide_.to_go[receiver][hop.source]);
        return longest;
    }

    void send(std::uint32_t h, ChunkId chunk)
    {
        const ChunkHop& hop = problem_.hops[h];
        const TransferTime time = problem_.times[h].of(
            problem_.collective.chunks[chunk].weight * problem_.cost.bytes_per_weight, problem_.cost);
        const double end = now_ + time.duration, released = now_ + time.holds_links;
        calendar_.hold(hop.path, now_, released);
        for (const LinkId link : hop.path)
            events_.push({released, link, none});
        events_.push({end, hop.destination, chunk});
        coming_.add(hop.destination, chunk);
        ++copies_[chunk];
        if (has_owed_.has(hop.destination, chunk)) {
            --open_;
            outcome_.cycles = std::max(outcome_.cycles, end);
        }
        if (is_urgent_)
            for (const NodeId receiver : problem_.receivers[chunk])
                nearest(chunk, receiver) =
                    std::min(nearest(chunk, receiver), guide_.to_go[receiver][hop.destination]);
        outcome_.sends.push_back({h, chunk, released});
    }

    const TimedProblem& problem_;
    const RunGuide& guide_;
    bool is_urgent_; ///< are chunks chosen by how long they are waited for?
    std::size_t chunks_;
    SplitMix64 random_;
    ChunkSets has_;
    ChunkSets coming_; ///< what a node has, or is on the way to it
    ChunkSets has_owed_{0, 0};
    std::vector<std::uint32_t> copies_; ///< by chunk: nodes that have it, or that it is on the way to
    std::vector<float> nearest_;        ///< by receiver and chunk
    LinkShares calendar_;
    std::vector<bool> is_dirty_;
    std::vector<std::uint32_t> dirty_;
    std::vector<std::tuple<std::size_t, std::uint64_t, std::uint32_t>> order_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    double now_ = 0;
    std::size_t open_ = 0; ///< demands that nothing has set out for
    TimedOutcome outcome_;
};

} // namespace

TimedOutcome run_in_time(const TimedProblem& problem, const RunGuide& guide, SplitMix64 random,
                         SlowLinks slow_links, double most_cycles, const SearchEnd& end)
{
    return TimedRun{problem, guide, random, slow_links}.run(most_cycles, end);
}

} // namespace nocturne
