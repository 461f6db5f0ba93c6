#include "schedules/chunk_search/front.hpp"

#include "schedules/chunk_search/all_reduce.hpp"
#include "schedules/chunk_search/exact_sums.hpp"
#include "schedules/chunk_search/round_bounds.hpp"
#include "schedules/chunk_search/tree_all_reduce.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;
using OfParts = std::function<ChunkedCollective(std::uint32_t)>;

/// Fewer rounds a chunk.
bool is_less(std::uint64_t rounds_a, std::uint64_t parts_a, std::uint64_t rounds_b, std::uint64_t parts_b)
{
    return rounds_a * parts_b < rounds_b * parts_a;
}

/// `bound` is for collectives of one part.
bool is_at_bound(std::uint64_t rounds, std::uint64_t parts, const RoundRatio& bound)
{
    return rounds * bound.units == parts * bound.weight;
}

/// Nothing is added, or all is for one receiver a chunk: the formula for copies, backwards, says all.
bool copies_or_turns(const ChunkedCollective& collective)
{
    const bool adds = reduces(collective);
    std::vector<bool> seen(collective.chunks.size(), false);
    for (const ChunkDemand& demand : collective.demands) {
        if (demand.contributors != collective.chunks[demand.chunk].contributors)
            return false;
        if (seen[demand.chunk] && adds)
            return false;
        seen[demand.chunk] = true;
    }
    return true;
}

class FrontFinder {
public:
    FrontFinder(const LinkNetwork& network, const OfParts& of_parts, const FrontConfig& config)
        : network_(network), of_parts_(of_parts), config_(config),
          end_(Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(config.seconds)))
    {
    }

    std::vector<FrontPoint> find()
    {
        const auto fewest = least_steps(network_, of_parts_(1));
        if (!fewest || *fewest == 0)
            return {};
        ratio_ = least_round_ratio(network_, of_parts_(1));
        for (std::uint32_t parts = 1; parts <= config_.most_parts; ++parts) {
            collectives_.push_back(of_parts_(parts));
            bounds_.push_back((ratio_.weight * parts + ratio_.units - 1) / ratio_.units);
        }
        for (std::uint32_t steps = *fewest; steps <= *fewest + config_.extra_steps; ++steps)
            if (!find_point(steps))
                break;
        return std::move(points_);
    }

private:
    struct Candidate {
        std::uint32_t parts;
        std::uint32_t rounds;
    };

    double seconds_left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

    /// Those that may be better than the points so far, the best first.
    std::vector<Candidate> candidates(std::uint32_t steps) const
    {
        std::vector<Candidate> result;
        for (std::uint32_t parts = 1; parts <= config_.most_parts; ++parts)
            for (std::uint32_t extra = 0; extra <= config_.extra_rounds; ++extra) {
                const auto least = static_cast<std::uint32_t>(bounds_[parts - 1]);
                const std::uint32_t rounds = std::max(steps, least) + extra;
                if (points_.empty() || is_less(rounds, parts, points_.back().rounds, points_.back().parts))
                    result.push_back({parts, rounds});
            }
        std::stable_sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
            return is_less(a.rounds, a.parts, b.rounds, b.parts);
        });
        return result;
    }

    /// False: no more points can or shall be found.
    bool find_point(std::uint32_t steps)
    {
        bool is_proven = true;
        for (const auto& [parts, rounds] : candidates(steps)) {
            const double left = seconds_left();
            if (left <= 0)
                return false;
            ExactConfig question;
            question.shape = {steps, rounds};
            question.seconds = std::min(left, config_.seconds_each);
            question.conflicts = config_.conflicts_each;
            const ChunkedCollective& collective = collectives_[parts - 1];
            ExactAnswer answer = copies_or_turns(collective) ? decide_steps(network_, collective, question)
                                                             : decide_sums(network_, collective, question);
            if (answer.verdict == Verdict::satisfiable) {
                const auto found_steps = count_steps(*answer.schedule);
                const auto found_rounds = static_cast<std::uint32_t>(count_rounds(*answer.schedule));
                points_.push_back({parts, found_steps, found_rounds, std::move(*answer.schedule), is_proven,
                                   is_at_bound(found_rounds, parts, ratio_)});
                return !points_.back().is_least;
            }
            is_proven = is_proven && answer.verdict == Verdict::unsatisfiable;
        }
        return true;
    }

    const LinkNetwork& network_;
    const OfParts& of_parts_;
    const FrontConfig& config_;
    Clock::time_point end_;
    std::vector<ChunkedCollective> collectives_; ///< by parts - 1
    RoundRatio ratio_;                           ///< of one part
    std::vector<std::uint64_t> bounds_;          ///< rounds, by parts - 1
    std::vector<FrontPoint> points_;
};

/// An all-reduce of all that contribute, whose halves are allgathers turned round.
bool is_all_reduce(const ChunkedCollective& collective)
{
    return collective.kind == ChunkedKind::allreduce;
}

/// Has every link a partner the other way, so that an allgather run backwards is a reduce-scatter?
bool runs_backwards(const LinkNetwork& network)
{
    std::map<std::array<std::uint64_t, 3>, std::int64_t> surplus; // of links one way
    for (const NetworkLink& link : network.links())
        if (link.source < link.target)
            ++surplus[{link.source, link.target, link.bytes_per_cycle}];
        else
            --surplus[{link.target, link.source, link.bytes_per_cycle}];
    return std::all_of(surplus.begin(), surplus.end(), [](const auto& one) { return one.second == 0; });
}

std::vector<FrontPoint> points_of_halves(const LinkNetwork& network, const OfParts& of_parts,
                                         const FrontConfig& config)
{
    const ChunkedCollective whole = of_parts(1);
    const auto& group = whole.chunks.front().contributors;
    const OfParts allgather = [&](std::uint32_t parts) {
        return chunked_allgather({.processors = whole.processors, .parts = parts, .group = group});
    };
    const RoundRatio ratio = least_round_ratio(network, whole);
    std::vector<FrontPoint> points;
    const auto add = [&](const FrontPoint& reduce, const FrontPoint& gather, ChunkedSchedule schedule) {
        FrontPoint point{gather.parts * static_cast<std::uint32_t>(group.size()),
                         reduce.steps + gather.steps,
                         reduce.rounds + gather.rounds,
                         std::move(schedule),
                         false,
                         false};
        point.is_least = is_at_bound(point.rounds, point.parts, ratio);
        point.is_proven = point.is_least;
        points.push_back(std::move(point));
    };
    if (runs_backwards(network)) {
        for (const FrontPoint& half : FrontFinder{network, allgather, config}.find())
            add(half, half, all_reduce_from(half.schedule, network));
        return points;
    }
    FrontConfig half_config = config;
    half_config.seconds /= 2;
    const OfParts reduce_scatter = [&](std::uint32_t parts) {
        return chunked_reduce_scatter({.processors = whole.processors, .parts = parts, .group = group});
    };
    const std::vector<FrontPoint> reduces = FrontFinder{network, reduce_scatter, half_config}.find();
    for (const FrontPoint& gather : FrontFinder{network, allgather, half_config}.find())
        for (const FrontPoint& reduce : reduces)
            if (reduce.parts == gather.parts)
                add(reduce, gather, all_reduce_of(reduce.schedule, gather.schedule));
    return points;
}

std::optional<FrontPoint> point_of_trees(const LinkNetwork& network, const OfParts& of_parts,
                                         std::uint32_t parts)
{
    if (parts == 0)
        return std::nullopt;
    auto schedule = all_reduce_by_trees(network, of_parts(parts));
    if (!schedule)
        return std::nullopt;
    FrontPoint point{parts,
                     count_steps(*schedule),
                     static_cast<std::uint32_t>(count_rounds(*schedule)),
                     std::move(*schedule),
                     false,
                     false};
    point.is_least = is_at_bound(point.rounds, point.parts, least_round_ratio(network, of_parts(1)));
    point.is_proven = point.is_least;
    return point;
}

void keep_best(std::vector<FrontPoint>& points)
{
    std::stable_sort(points.begin(), points.end(), [](const FrontPoint& a, const FrontPoint& b) {
        return a.steps != b.steps ? a.steps < b.steps : is_less(a.rounds, a.parts, b.rounds, b.parts);
    });
    std::vector<FrontPoint> kept;
    for (FrontPoint& point : points)
        if (kept.empty() || is_less(point.rounds, point.parts, kept.back().rounds, kept.back().parts))
            kept.push_back(std::move(point));
    points = std::move(kept);
}

} // namespace

std::vector<FrontPoint> find_front(const LinkNetwork& network, const OfParts& of_parts,
                                   const FrontConfig& config)
{
    if (!is_all_reduce(of_parts(1)))
        return FrontFinder{network, of_parts, config}.find();
    FrontConfig half = config;
    half.seconds /= 2;
    std::vector<FrontPoint> points = points_of_halves(network, of_parts, half);
    for (FrontPoint& point : FrontFinder{network, of_parts, half}.find())
        points.push_back(std::move(point));
    if (auto point = point_of_trees(network, of_parts, config.tree_parts))
        points.push_back(std::move(*point));
    keep_best(points);
    return points;
}

} // namespace nocturne
