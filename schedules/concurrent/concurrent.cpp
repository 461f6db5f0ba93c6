#include "schedules/concurrent/concurrent.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/concurrent/joint_bound.hpp"
#include "schedules/concurrent/joint_schedule.hpp"
#include "schedules/concurrent/way_search.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// What is this near to its bound is not searched for again.
constexpr double near_enough = 1.02;

/// Of links that are busy for so much of the longest time, all that is sent counts.
constexpr double critical = 0.98;

/// A way that makes links less crowded by less is not worth another search.
constexpr double least_gain = 0.02;

/// Transfers that keep the busiest link busy for all but so little time need no other order.
constexpr double close_packed = 1.01;

class ConcurrentSearch {
public:
    ConcurrentSearch(const ConcurrentProblem& problem, const PortfolioOptions& options)
        : problem_(problem), options_(options), begun_(options.begun.value_or(SearchEnd::Clock::now())),
          end_{deadline_after(options.budget, begun_), options.stop}, ways_(problem.collectives.size())
    {
        for (std::size_t i = 0; i < ways_.size(); ++i)
            searches_.emplace_back(problem, i, enough_transfers());
    }

    ConcurrentResult run()
    {
        find_bounds();
        for (std::size_t i = 0; i < ways_.size(); ++i)
            find_first(i);
        chosen_.assign(ways_.size(), 0);
        if (std::ranges::any_of(ways_, [](const auto& ways) { return ways.empty(); }))
            return result(); // nothing for one of them
        try_chosen();
        while (improve())
            continue;
        if (chosen_ != best_ && !try_chosen())
            chosen_ = best_;
        try_whole();
        return result();
    }

private:
    /// Of a collective: to join, order and judge them takes some of the budget.
    std::size_t enough_transfers() const
    {
        constexpr double each_second = 25'000, most = 1 << 18;
        return static_cast<std::size_t>(
            std::min(most, options_.budget.count() * each_second / static_cast<double>(ways_.size())));
    }

    /// Of all and of each alone, for blocks in one part.
    void find_bounds()
    {
        SearchEnd end = end_;
        const auto add_time = [&] { // a fifth of the budget in all
            end.deadline = deadline_after(options_.budget / (5.0 * static_cast<double>(ways_.size() + 1)),
                                          SearchEnd::Clock::now());
        };
        const JointCollective joint = joint_collective(problem_, std::vector<std::uint32_t>(ways_.size(), 1));
        std::vector<std::vector<bool>> among;
        for (const WaySearch& search : searches_)
            among.push_back(search.links_among_members());
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            add_time();
            const Collective one =
                collective_of_groups(problem_.collectives[i], problem_.network.processor_count(), 1);
            alone_.push_back(joint_bounds(problem_.network, one, cost_at(problem_, joint.chunk_bytes[i]),
                                          {std::span(among).subspan(i, 1)}, end));
        }
        add_time();
        found_.bounds = joint_bounds(problem_.network, joint.collective, cost_at(problem_, joint.unit_bytes),
                                     {among, alone_}, end);
    }

    /// An equal share of what is left, for so many searches.
    PortfolioOptions options_for(std::size_t searches) const
    {
        PortfolioOptions options = options_;
        options.begun = SearchEnd::Clock::now();
        const std::chrono::duration<double> left = end_.deadline - *options.begun - longest_try_ * 3;
        options.budget =
            std::max(left / static_cast<double>(searches + 1), std::chrono::duration<double>(0.1));
        options.start.reset();
        return options;
    }

    /// The fewest carriers that can.
    void find_first(std::size_t i)
    {
        for (const Carriers carriers : {Carriers::members, Carriers::relays, Carriers::all})
            if (ways_[i].empty() && searches_[i].can(carriers))
                add_way(i, carriers, {}, 2 * ways_.size() - i); // as many again make it better
    }

    /// True if there is one.
    bool add_way(std::size_t i, Carriers carriers, const std::vector<double>& shares, std::size_t searches)
    {
        auto way = searches_[i].search(carriers, shares, options_for(searches));
        if (!way)
            return false;
        is_cut_ = is_cut_ || way->is_cut;
        ways_[i].push_back(std::move(*way));
        return true;
    }

    /// Looks, for each that is on the busiest links, for a way over what the others leave of all links. True
    /// if that made them less busy.
    bool improve()
    {
        bool is_better = false;
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            const std::size_t present = chosen_[i];
            const Left left = left_for(i);
            if (is_near() || left.busiest <= near_enough * bound() || !left.is_critical || !has_time() ||
                !add_way(i, ways_[i][present].carriers, left.shares, ways_.size()))
                continue;
            chosen_[i] = ways_[i].size() - 1;
            if (crowding(left.busiest) < (1 - least_gain) * left.crowding)
                is_better = true;
            else
                chosen_[i] = present;
        }
        return is_better;
    }

    /// Looks for one way of each on which all processors relay, and keeps it if all take less time.
    void try_whole()
    {
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            const std::size_t present = chosen_[i];
            if (is_near() || !has_time() || ways_[i][present].carriers == Carriers::all ||
                !add_way(i, Carriers::all, left_for(i).shares, ways_.size()))
                continue;
            chosen_[i] = ways_[i].size() - 1;
            if (!try_chosen())
                chosen_[i] = present;
        }
    }

    /// Cycles for which each link is busy.
    std::vector<double> loads() const
    {
        std::vector<double> total(problem_.network.link_count(), 0);
        for (std::size_t i = 0; i < ways_.size(); ++i)
            std::ranges::transform(total, ways_[i][chosen_[i]].loads, total.begin(), std::plus());
        return total;
    }

    /// How many links are as busy as `busiest`, or nearly so.
    double crowding(double busiest) const
    {
        double sum = 0;
        for (const double load : loads())
            sum += std::pow(load / busiest, 32);
        return sum;
    }

    /// What the others leave for one.
    struct Left {
        std::vector<double> shares; ///< of the time for which the busiest link is busy
        double busiest;             ///< that time
        double crowding;
        bool is_critical = false; ///< does it use one of the busiest links?
    };

    Left left_for(std::size_t i) const
    {
        const std::vector<double> total = loads();
        const std::vector<double>& own = ways_[i][chosen_[i]].loads;
        Left left{.shares = {}, .busiest = std::ranges::max(total), .crowding = 0};
        left.crowding = crowding(left.busiest);
        for (LinkId link = 0; link < total.size(); ++link) {
            left.shares.push_back((left.busiest - (total[link] - own[link])) / left.busiest);
            left.is_critical = left.is_critical || (own[link] > 0 && total[link] >= critical * left.busiest);
        }
        return left;
    }

    /// The ways that are chosen, at once. False if what there is takes as little time, or less.
    bool try_chosen()
    {
        const auto begun = SearchEnd::Clock::now();
        std::vector<std::uint32_t> parts;
        std::vector<const CollectiveSchedules*> schedules;
        std::vector<double> alone;
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            const Way& way = ways_[i][chosen_[i]];
            parts.push_back(way.schedules.parts);
            schedules.push_back(&way.schedules);
            alone.push_back(way.cycles);
        }
        JointCollective joint = joint_collective(problem_, parts);
        const AlphaBeta cost = cost_at(problem_, joint.unit_bytes);
        const std::vector<JoinedTransfer> joined = joined_transfers(problem_, joint, schedules);
        const double busiest = std::ranges::max(loads());
        bool is_better = false;
        for (const Precedence precedence :
             {Precedence::by_time, Precedence::longest_first, Precedence::shortest_first}) {
            if (found_.schedule && (found_.cycles <= close_packed * busiest || end_.has_come()))
                break;
            Schedule schedule = in_order_of_starts(joint_schedule(problem_, joint, joined, alone, precedence),
                                                   problem_.network, cost);
            const double cycles = time_of(schedule, problem_.network, cost);
            if (found_.schedule && cycles >= found_.cycles)
                continue;
            is_better = true;
            found_.schedule = std::move(schedule);
            found_.cycles = cycles;
            found_.cost = cost;
        }
        if (is_better) {
            joint_ = std::move(joint);
            best_ = chosen_;
        }
        longest_try_ = std::max<std::chrono::duration<double>>(longest_try_, SearchEnd::Clock::now() - begun);
        return is_better;
    }

    double bound() const { return found_.bounds.cycles ? found_.bounds.cycles->cycles : 0; }
    bool is_near() const { return found_.cycles <= near_enough * bound(); }

    /// For another search, joining what it finds and checking the result?
    bool has_time() const
    {
        return !end_.is_stopped() && SearchEnd::Clock::now() + longest_try_ * 3 < end_.deadline;
    }

    ConcurrentResult result()
    {
        const auto is_stopped = [&] { return end_.is_stopped(); };
        if (found_.schedule) {
            if (const auto violations = validate(*found_.schedule, problem_.network); !violations.empty())
                throw std::logic_error("several collectives at once: " + violations.front().text);
            const std::vector<double> ends =
                ends_of(*found_.schedule, *joint_, problem_.network, found_.cost);
            for (std::size_t i = 0; i < ways_.size(); ++i) {
                const Way& way = ways_[i][best_[i]];
                found_.shares.push_back({way.schedules.parts, way.engine, way.carriers == Carriers::members,
                                         cycles_alone(i), alone_[i].cycles ? alone_[i].cycles->cycles : 0,
                                         ends[i]});
            }
            found_.bounds = bounds_for_parts(std::move(found_.bounds), problem_.network, joint_->collective,
                                             joint_->unit_bytes);
        }
        const bool is_at_bound = found_.schedule && found_.bounds.cycles &&
                                 found_.cycles <= found_.bounds.cycles->cycles * (1 + 1e-9);
        found_.end = end_reason(is_at_bound, is_stopped(), is_cut_ || end_.has_come());
        found_.seconds = std::chrono::duration<double>(SearchEnd::Clock::now() - begun_).count();
        return std::move(found_);
    }

    /// Of the way that was best, from its start and on all of the links.
    double cycles_alone(std::size_t i) const
    {
        ConcurrentProblem alone = problem_;
        alone.collectives = {problem_.collectives[i]};
        alone.collectives.front().after.clear();
        alone.collectives.front().start_cycles = 0;
        const Way& way = ways_[i][best_[i]];
        const JointCollective joint = joint_collective(alone, {way.schedules.parts});
        const AlphaBeta cost = cost_at(problem_, joint.unit_bytes);
        const Schedule schedule =
            in_order_of_starts(joint_schedule(alone, joint, joined_transfers(alone, joint, {&way.schedules}),
                                              {way.cycles}, Precedence::by_time),
                               problem_.network, cost);
        return time_of(schedule, problem_.network, cost);
    }

    const ConcurrentProblem& problem_;
    const PortfolioOptions& options_;
    SearchEnd::Clock::time_point begun_;
    SearchEnd end_;
    std::vector<WaySearch> searches_;    ///< by collective
    std::vector<Bounds> alone_;          ///< by collective
    std::vector<std::vector<Way>> ways_; ///< by collective
    std::vector<std::size_t> chosen_;
    std::vector<std::size_t> best_;
    std::chrono::duration<double> longest_try_{0};
    std::optional<JointCollective> joint_;
    ConcurrentResult found_;
    bool is_cut_ = false;
};

void check_one(const ConcurrentProblem& problem, std::size_t index)
{
    using enum CollectiveKind;
    const ConcurrentCollective& one = problem.collectives[index];
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument(fmt::format("collective '{}': {}", one.name, why));
    };
    const bool has_sets = one.kind == multicast || one.kind == permutation ||
                          one.kind == many_to_many_broadcast || one.kind == many_to_many_scatter;
    if (has_sets || one.kind == custom)
        refuse(fmt::format("{} is not one of a group", to_string(one.kind)));
    if (one.groups.empty())
        refuse("no groups");
    if (one.bytes == 0)
        refuse("0 bytes");
    std::set<std::uint32_t> members;
    for (const std::vector<std::uint32_t>& group : one.groups) {
        if (group.size() != one.groups.front().size())
            refuse("groups of different sizes");
        for (const std::uint32_t member : group)
            if (!members.insert(member).second)
                refuse(fmt::format("processor {} is in two groups, or twice in one", member));
    }
    for (const std::size_t before : one.after)
        if (before >= index)
            refuse("it waits for one that is not listed before it");
}

} // namespace

void check(const ConcurrentProblem& problem)
{
    if (problem.collectives.empty())
        throw std::invalid_argument("no collective");
    for (std::size_t i = 0; i < problem.collectives.size(); ++i) {
        check_one(problem, i);
        collective_of_groups(problem.collectives[i], problem.network.processor_count(), 1);
    }
}

ConcurrentResult find_concurrent_schedule(const ConcurrentProblem& problem, const PortfolioOptions& options)
{
    check(problem);
    return ConcurrentSearch(problem, options).run();
}

} // namespace nocturne
