#include "schedules/concurrent/concurrent.hpp"

#include "schedules/concurrent/joint_bound.hpp"
#include "schedules/concurrent/joint_schedule.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// What is this near to its bound is not searched for again.
constexpr double near_enough = 1.02;

/// The schedules of one collective, of one way to carry it.
struct Way {
    CollectiveSchedules schedules = {};
    std::string engine = {};
    double cycles = 0; ///< alone: the latest of its groups, if they do not meet
    bool is_within_groups = false;
};

class ConcurrentSearch {
public:
    ConcurrentSearch(const ConcurrentProblem& problem, const PortfolioOptions& options)
        : problem_(problem), options_(options), begun_(options.begun.value_or(SearchEnd::Clock::now())),
          end_{deadline_after(options.budget, begun_), options.stop}, ways_(problem.collectives.size())
    {
    }

    ConcurrentResult run()
    {
        find_places();
        for (std::size_t i = 0; i < ways_.size(); ++i)
            if (!places_[i].empty())
                search_within_groups(i);
        for (std::size_t i = 0; i < ways_.size(); ++i)
            if (ways_[i].empty())
                search_on_whole(i);
        chosen_.assign(ways_.size(), 0);
        if (std::ranges::any_of(ways_, [](const auto& ways) { return ways.empty(); }))
            return result(); // nothing for one of them
        try_chosen();
        find_bounds();
        const std::vector<std::size_t> bounded = best_;
        // Others may relay what is far from its bound.
        for (std::size_t i = 0; i < ways_.size() && !is_near() && !end_.has_come(); ++i)
            if (ways_[i].front().is_within_groups) {
                search_on_whole(i);
                for (std::size_t way = 1; way < ways_[i].size(); ++way) {
                    const std::size_t before = std::exchange(chosen_[i], way);
                    if (!try_chosen())
                        chosen_[i] = before;
                }
            }
        if (best_ != bounded) // cut otherwise, with other weights
            find_bounds();
        return result();
    }

private:
    /// Networks of the groups, if each is connected by itself, and which links are among members.
    void find_places()
    {
        for (const ConcurrentCollective& one : problem_.collectives) {
            std::vector<GroupNetwork> places;
            std::vector<bool> links(problem_.network.link_count(), false);
            bool are_connected = true;
            for (const std::vector<std::uint32_t>& group : one.groups)
                if (auto place = group_network(problem_.network, group)) {
                    for (const LinkId link : place->links)
                        links[link] = true;
                    places.push_back(std::move(*place));
                } else {
                    are_connected = false;
                }
            places_.push_back(are_connected ? std::move(places) : std::vector<GroupNetwork>{});
            among_.push_back(std::move(links));
        }
    }

    /// An equal share of what is left, for so many searches.
    PortfolioOptions options_for(std::size_t searches) const
    {
        PortfolioOptions options = options_;
        options.begun = SearchEnd::Clock::now();
        const std::chrono::duration<double> left = end_.deadline - *options.begun;
        options.budget =
            std::max(left / static_cast<double>(searches + 1), std::chrono::duration<double>(0.1));
        options.start.reset();
        return options;
    }

    /// Searches that are still to come, at least.
    std::size_t searches_left() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(ways_, [](const auto& ways) { return ways.empty(); }));
    }

    ChunkProblem problem_on(const LinkNetwork& network, Collective collective, std::uint64_t bytes) const
    {
        return {.network = network,
                .collective = std::move(collective),
                .objective = ChunkObjective::time,
                .bytes = static_cast<double>(bytes),
                .start_cycles = problem_.start_cycles,
                .latency_holds_link = problem_.latency_holds_link};
    }

    /// One search for the groups that look alike. All groups are cut into the same parts.
    void search_within_groups(std::size_t i)
    {
        const ConcurrentCollective& one = problem_.collectives[i];
        std::vector<std::size_t> patterns; ///< groups that were the first to look so
        std::vector<PartialSchedule> found;
        Way way{.is_within_groups = true};
        std::optional<std::uint32_t> parts;
        for (std::size_t group = 0; group < places_[i].size(); ++group) {
            bool is_new = true;
            for (std::size_t p = 0; p < patterns.size() && is_new; ++p)
                if (auto place = placed_like(places_[i][patterns[p]], places_[i][group])) {
                    found[p].places.push_back(std::move(*place));
                    found[p].groups.push_back(group);
                    is_new = false;
                }
            if (!is_new)
                continue;
            const LinkNetwork& network = places_[i][group].network;
            const CollectiveShape shape{.processors = network.processor_count()};
            ChunkProblem problem = problem_on(
                network,
                make_collective(one.kind, shape, has_root(one.kind) ? std::optional(0U) : std::nullopt),
                one.bytes);
            problem.parts = parts;
            PortfolioResult result = find_schedule(problem, options_for(searches_left()));
            note_end(result);
            if (!result.schedule)
                return;
            parts = result.schedule->collective.parts;
            way.engine = result.engine;
            way.cycles = std::max(way.cycles, result.cycles);
            patterns.push_back(group);
            found.push_back({std::move(*result.schedule), {places_[i][group]}, {group}});
        }
        way.schedules = {parts.value_or(1), std::move(found)};
        ways_[i].push_back(std::move(way));
    }

    void search_on_whole(std::size_t i)
    {
        const ConcurrentCollective& one = problem_.collectives[i];
        const Collective all = collective_of_groups(one, problem_.network.processor_count(), 1);
        PortfolioResult result =
            find_schedule(problem_on(problem_.network, all, one.bytes), options_for(searches_left()));
        note_end(result);
        if (!result.schedule)
            return;
        const std::uint32_t parts = result.schedule->collective.parts;
        std::vector<PartialSchedule> schedules;
        schedules.push_back({std::move(*result.schedule)});
        ways_[i].push_back({{parts, std::move(schedules)}, result.engine, result.cycles, false});
    }

    void note_end(const PortfolioResult& result)
    {
        is_cut_ = is_cut_ || result.end == EndReason::out_of_budget;
    }

    /// The ways that are chosen, at once. False if what there is takes as little time, or less.
    bool try_chosen()
    {
        std::vector<std::uint32_t> parts;
        std::vector<CollectiveSchedules> schedules;
        std::vector<double> alone;
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            const Way& way = ways_[i][chosen_[i]];
            parts.push_back(way.schedules.parts);
            schedules.push_back(way.schedules);
            alone.push_back(way.cycles);
        }
        JointCollective joint = joint_collective(problem_, parts);
        const AlphaBeta cost = cost_at(problem_, joint.unit_bytes);
        bool is_better = false;
        for (const Precedence precedence :
             {Precedence::by_time, Precedence::longest_first, Precedence::shortest_first}) {
            Schedule schedule = in_order_of_starts(
                joint_schedule(problem_, joint, schedules, alone, precedence), problem_.network, cost);
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
        return is_better;
    }

    void find_bounds()
    {
        found_.bounds = joint_bounds(problem_.network, joint_->collective, found_.cost, among_, end_);
    }

    bool is_near() const
    {
        return found_.bounds.cycles && found_.cycles <= near_enough * found_.bounds.cycles->cycles;
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
                found_.shares.push_back({way.schedules.parts, way.engine, way.is_within_groups, way.cycles,
                                         bound_alone(i, way), ends[i]});
            }
        }
        const bool is_at_bound = found_.schedule && found_.bounds.cycles &&
                                 found_.cycles <= found_.bounds.cycles->cycles * (1 + 1e-9);
        found_.end = end_reason(is_at_bound, is_stopped(), is_cut_ || end_.has_come());
        found_.seconds = std::chrono::duration<double>(SearchEnd::Clock::now() - begun_).count();
        return std::move(found_);
    }

    double bound_alone(std::size_t i, const Way& way) const
    {
        const Collective all = collective_of_groups(problem_.collectives[i],
                                                    problem_.network.processor_count(), way.schedules.parts);
        const Bounds bounds = joint_bounds(problem_.network, all, cost_at(problem_, joint_->chunk_bytes[i]),
                                           std::span(among_).subspan(i, 1), SearchEnd{.stop = end_.stop});
        return bounds.cycles ? bounds.cycles->cycles : 0;
    }

    const ConcurrentProblem& problem_;
    const PortfolioOptions& options_;
    SearchEnd::Clock::time_point begun_;
    SearchEnd end_;
    std::vector<std::vector<GroupNetwork>> places_; ///< by collective and group; empty: not connected
    std::vector<std::vector<bool>> among_;          ///< by collective and link: is it among members?
    std::vector<std::vector<Way>> ways_;            ///< by collective
    std::vector<std::size_t> chosen_;
    std::vector<std::size_t> best_;
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
