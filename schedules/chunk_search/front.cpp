#include "schedules/chunk_search/front.hpp"

#include "schedules/chunk_search/all_reduce.hpp"
#include "schedules/chunk_search/exact_questions.hpp"
#include "schedules/chunk_search/reshaping.hpp"
#include "schedules/chunk_search/round_bounds.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/chunk_search/tree_all_reduce.hpp"
#include "schedules/chunk_search/turned_network.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace nocturne {
namespace {

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

FrontPoint point_of(Schedule schedule, std::string_view engine)
{
    const std::uint32_t parts = schedule.collective.parts, steps = count_steps(schedule);
    const auto rounds = static_cast<std::uint32_t>(count_rounds(schedule));
    return {parts, steps, rounds, std::move(schedule), engine};
}

/// Of a schedule that no question was asked for.
FrontPoint point_of(Schedule schedule, std::string_view engine, const RoundRatio& bound)
{
    FrontPoint point = point_of(std::move(schedule), engine);
    point.is_least = point.is_proven = is_at_bound(point.rounds, point.parts, bound);
    return point;
}

/// In steps, ascending, each of fewer rounds a chunk than those before; of equal ones that of fewest chunks.
void keep_best(std::vector<FrontPoint>& points)
{
    std::stable_sort(points.begin(), points.end(), [](const FrontPoint& a, const FrontPoint& b) {
        if (a.steps != b.steps)
            return a.steps < b.steps;
        if (is_less(a.rounds, a.parts, b.rounds, b.parts))
            return true;
        return !is_less(b.rounds, b.parts, a.rounds, a.parts) && a.parts < b.parts;
    });
    std::vector<FrontPoint> kept;
    for (FrontPoint& point : points)
        if (kept.empty() || is_less(point.rounds, point.parts, kept.back().rounds, kept.back().parts))
            kept.push_back(std::move(point));
    points = std::move(kept);
}

class FrontFinder {
public:
    FrontFinder(const LinkNetwork& network, const Collective& whole, const FrontConfig& config)
        : network_(network), config_(config), fewest_(least_steps(network, whole).value_or(0)),
          ratio_(least_round_ratio(network, whole))
    {
        for (std::uint32_t parts = config_.least_parts; fewest_ > 0 && parts <= config_.most_parts; ++parts) {
            collectives_.push_back(in_parts(whole, parts));
            bounds_.push_back((ratio_.weight * parts + ratio_.units - 1) / ratio_.units);
        }
    }

    /// What the search by time finds.
    void begin()
    {
        const LinkNetwork network = without_latencies(network_);
        for (const Collective& collective : collectives_)
            for (const auto packing : {StepPacking::fewest_steps, StepPacking::fewest_rounds}) {
                constexpr double next_to_nothing = 1e-6;
                const bool counts_steps = packing == StepPacking::fewest_steps;
                TimedConfig config{.cost = {.bytes_per_weight = counts_steps ? next_to_nothing : 1,
                                            .start_cycles = counts_steps ? 1. : 0},
                                   .seed = config_.seed,
                                   .runs = 4,
                                   .end = config_.end};
                // What an end cuts short, more time may find in another order, in more rounds.
                if (const auto found = search_by_time(network, collective, config);
                    found && (points_.empty() || !config.end.has_come()))
                    points_.push_back(point_of(in_steps(found->schedule, network_, packing), "time"));
            }
        keep_best(points_);
    }

    /// Asks what is open, and would be better than what there is. False: nothing is open any more.
    bool ask(std::uint64_t conflicts)
    {
        has_open_questions_ = false;
        for (std::uint32_t steps = fewest_; fewest_ > 0 && steps <= fewest_ + config_.extra_steps; ++steps) {
            ask(steps, conflicts);
            keep_best(points_);
            if (config_.end.has_come())
                return false;
            if (!points_.empty() && points_.back().steps <= steps && is_least(points_.back()))
                break;
        }
        return has_open_questions_;
    }

    std::vector<FrontPoint> points() const
    {
        std::vector<FrontPoint> result = points_;
        for (FrontPoint& point : result) {
            point.is_least = is_least(point);
            const std::vector<Candidate> better = better_than(point, point.steps);
            point.is_proven =
                point.is_least || (point.steps <= fewest_ + config_.extra_steps &&
                                   std::all_of(better.begin(), better.end(), [&](const Candidate& one) {
                                       return refuted_.contains({point.steps, one.parts, one.rounds});
                                   }));
        }
        return result;
    }

private:
    struct Candidate {
        std::uint32_t parts;
        std::uint32_t rounds;
    };

    bool is_least(const FrontPoint& point) const { return is_at_bound(point.rounds, point.parts, ratio_); }

    /// In so many steps, the best first.
    std::vector<Candidate> better_than(const std::optional<FrontPoint>& point, std::uint32_t steps) const
    {
        std::vector<Candidate> result;
        for (std::uint32_t parts = config_.least_parts; parts <= config_.most_parts; ++parts)
            for (std::uint32_t extra = 0; extra <= config_.extra_rounds; ++extra) {
                const auto least = static_cast<std::uint32_t>(bounds_[parts - config_.least_parts]);
                const std::uint32_t rounds = std::max(steps, least) + extra;
                if (!point || is_less(rounds, parts, point->rounds, point->parts))
                    result.push_back({parts, rounds});
            }
        std::stable_sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
            return is_less(a.rounds, a.parts, b.rounds, b.parts);
        });
        return result;
    }

    /// As many rounds a chunk, the fewest chunks first.
    std::vector<Candidate> as_good_in_fewer_parts(const FrontPoint& point) const
    {
        std::vector<Candidate> result;
        for (std::uint32_t parts = config_.least_parts; parts < point.parts; ++parts)
            if (const std::uint64_t rounds = std::uint64_t{point.rounds} * parts;
                rounds % point.parts == 0 && rounds / point.parts >= point.steps)
                result.push_back({parts, static_cast<std::uint32_t>(rounds / point.parts)});
        return result;
    }

    /// The best in so many steps or fewer.
    std::optional<FrontPoint> best_within(std::uint32_t steps) const
    {
        std::optional<FrontPoint> best;
        for (const FrontPoint& point : points_)
            if (point.steps <= steps)
                best = point;
        return best;
    }

    void ask(std::uint32_t steps, std::uint64_t conflicts)
    {
        const std::optional<FrontPoint> best = best_within(steps);
        const std::vector<Candidate> better = better_than(best, steps);
        std::vector<Candidate> candidates = better;
        if (best && best->steps == steps)
            std::ranges::copy(as_good_in_fewer_parts(*best), std::back_inserter(candidates));
        std::vector<ExactQuestion> questions;
        std::size_t that_keep_open = 0; // a schedule would be better than what there is
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto& [parts, rounds] = candidates[i];
            const Collective& collective = collective_of(parts);
            if (refuted_.contains({steps, parts, rounds}) ||
                network_.node_count() * collective.chunks.size() > most_exact_places)
                continue;
            questions.push_back({&collective, {steps, rounds}});
            that_keep_open += i < better.size() ? 1 : 0;
        }
        const auto take = [&](std::size_t question, ExactAnswer answer) {
            if (answer.verdict == Verdict::satisfiable)
                points_.push_back(point_of(std::move(*answer.schedule), "exact"));
            else if (answer.verdict == Verdict::unsatisfiable)
                refuted_.insert(
                    {steps, questions[question].collective->parts, questions[question].shape.rounds});
            else if (question < that_keep_open)
                has_open_questions_ = true;
        };
        put_questions(network_, questions,
                      {.conflicts = conflicts,
                       .end = config_.end,
                       .workers = config_.workers,
                       .least_to_hand_over = config_.least_to_hand_over},
                      take);
    }

    const Collective& collective_of(std::uint32_t parts) const
    {
        return collectives_[parts - config_.least_parts];
    }

    const LinkNetwork& network_;
    FrontConfig config_;
    std::uint32_t fewest_;                           ///< steps; 0: nothing is owed, or something out of reach
    RoundRatio ratio_;                               ///< of one part
    std::vector<Collective> collectives_;            ///< by parts, from the least
    std::vector<std::uint64_t> bounds_;              ///< rounds, by parts
    std::vector<FrontPoint> points_;                 ///< as keep_best() leaves them
    std::set<std::array<std::uint32_t, 3>> refuted_; ///< steps, parts, rounds
    bool has_open_questions_ = false;
};

/// With ever more conflicts, one finder after the other, until nothing is open.
void ask_all(std::span<FrontFinder* const> finders, const FrontConfig& config)
{
    constexpr std::array<std::uint64_t, 3> stages{1'000, 10'000, 0}; // the last: as many as may be
    if (config.by_time)
        for (FrontFinder* const finder : finders)
            finder->begin();
    if (!config.has_questions)
        return;
    for (const std::uint64_t stage : stages) {
        const std::uint64_t most = config.conflicts_each;
        const std::uint64_t conflicts =
            stage == 0 || most == 0 ? std::max(stage, most) : std::min(stage, most);
        bool is_open = false;
        for (FrontFinder* const finder : finders)
            is_open = finder->ask(conflicts) || is_open;
        if (!is_open || conflicts == most || config.end.has_come())
            return;
    }
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

/// Finders of the halves of an all-reduce, and the schedules that are put together from theirs.
class HalvesFinder {
public:
    HalvesFinder(const LinkNetwork& network, const Collective& whole, const FrontConfig& config)
        : network_(network), ratio_(least_round_ratio(network, whole)),
          gather_(network, allgather(shape_of(whole)), config)
    {
        if (!runs_backwards(network))
            reduce_.emplace(network, reduce_scatter(shape_of(whole)), config);
    }

    std::vector<FrontFinder*> finders()
    {
        return reduce_ ? std::vector{&gather_, &*reduce_} : std::vector{&gather_};
    }

    std::vector<FrontPoint> points() const
    {
        std::vector<FrontPoint> points;
        const auto add = [&](Schedule schedule) {
            points.push_back(point_of(std::move(schedule), "halves", ratio_));
        };
        for (const FrontPoint& gather : gather_.points()) {
            if (!reduce_)
                add(all_reduce_from(gather.schedule, network_));
            else
                for (const FrontPoint& reduce : reduce_->points())
                    if (reduce.parts == gather.parts)
                        add(all_reduce_of(reduce.schedule, gather.schedule));
        }
        return points;
    }

private:
    static CollectiveShape shape_of(const Collective& whole)
    {
        const auto& members = whole.chunks.front().contributors;
        return {.processors = whole.processors, .group = {members.begin(), members.end()}};
    }

    const LinkNetwork& network_;
    RoundRatio ratio_;
    FrontFinder gather_;
    std::optional<FrontFinder> reduce_; ///< none: the allgather, backwards
};

std::optional<FrontPoint> point_of_trees(const LinkNetwork& network, const Collective& whole,
                                         const FrontConfig& config)
{
    if (config.tree_parts == 0 || whole.kind != CollectiveKind::allreduce)
        return std::nullopt;
    auto schedule = all_reduce_by_trees(network, in_parts(whole, config.tree_parts), {.end = config.end});
    if (!schedule)
        return std::nullopt;
    return point_of(std::move(*schedule), "trees", least_round_ratio(network, whole));
}

/// Each part of a half is as many parts of the whole as there are members.
std::optional<FrontConfig> config_of_halves(const Collective& whole, const FrontConfig& config)
{
    if (whole.kind != CollectiveKind::allreduce)
        return std::nullopt;
    FrontConfig half = config;
    if (config.least_parts == 1)
        return half;
    const auto members = static_cast<std::uint32_t>(whole.chunks.front().contributors.size());
    half.least_parts = (config.least_parts + members - 1) / members;
    half.most_parts = config.most_parts / members;
    return half.least_parts <= half.most_parts ? std::optional(half) : std::nullopt;
}

} // namespace

std::vector<FrontPoint> find_front(const LinkNetwork& network, const Collective& whole,
                                   const FrontConfig& config)
{
    // In time that is counted, unlike the questions, which go on to the end.
    std::vector<FrontPoint> points;
    if (auto point = point_of_trees(network, whole, config))
        points.push_back(std::move(*point));
    FrontFinder direct(network, whole, config);
    std::vector<FrontFinder*> finders;
    std::optional<HalvesFinder> halves;
    if (const auto in_halves = config_of_halves(whole, config); config.has_halves && in_halves) {
        halves.emplace(network, whole, *in_halves);
        finders = halves->finders();
    }
    if (config.is_direct)
        finders.push_back(&direct);
    ask_all(finders, config);
    const auto add = [&](std::vector<FrontPoint> more) {
        points.insert(points.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
    };
    if (halves)
        add(halves->points());
    add(direct.points());
    keep_best(points);
    return points;
}

} // namespace nocturne
