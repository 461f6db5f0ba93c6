#include "schedules/certificate/hops.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/tree_all_reduce.hpp"
#include "schedules/portfolio/best_schedule.hpp"
#include "schedules/portfolio/chunk_engines.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/parts_search.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// What the objective counts first, and no schedule has less of; nothing is known: 0.
double least_value(const Bounds& bounds, const ChunkProblem& problem, std::uint32_t parts)
{
    switch (problem.objective) {
    case ChunkObjective::steps:
        return bounds.steps ? bounds.steps->steps : 0;
    case ChunkObjective::bandwidth: {
        if (!bounds.rounds)
            return 0;
        const Ratio& rounds = bounds.rounds->rounds;
        return (problem.parts ? static_cast<double>(rounded_up(rounds)) : to_double(rounds)) / parts;
    }
    case ChunkObjective::time:
        return bounds.cycles ? bounds.cycles->cycles : 0;
    }
    throw std::logic_error("unknown objective");
}

/// That schedules in steps are looked for in where time counts.
constexpr std::uint32_t most_parts_in_steps = 4;

class ChunkPortfolio {
public:
    ChunkPortfolio(const ChunkProblem& problem, const PortfolioOptions& options)
        : problem_(problem), options_(options), begun_(options.begun.value_or(SearchEnd::Clock::now())),
          end_{deadline_after(options.budget, begun_), options.stop},
          cut_(problem.parts ? std::optional(in_parts(problem.collective, *problem.parts)) : std::nullopt),
          asked_(cut_ ? *cut_ : problem.collective), asked_engines_(engines_for(problem, options.engine)),
          best_(problem, options.engine, end_, options.accepts), engines_(problem, options, end_, best_)
    {
    }

    PortfolioResult run()
    {
        begin();
        search();
        is_cut_ = is_cut_ || engines_.was_cut() || end_.has_come();
        if (best_.is_empty() && engines_.failure())
            std::rethrow_exception(engines_.failure());
        PortfolioResult result = what_there_is();
        result.end = end_reason(result.is_optimal, end_.is_stopped(), is_cut_);
        result.seconds = std::chrono::duration<double>(SearchEnd::Clock::now() - begun_).count();
        return result;
    }

private:
    /// No schedule in so many steps has fewer rounds a chunk, or (least) none at all has.
    struct Proven {
        std::uint32_t steps;
        double rounds_a_chunk;
        bool is_least;
    };

    /// No schedule is better in what the objective counts first.
    bool is_at_bound() const { return best_.value() <= least_ * (1 + 1e-9); }
    bool is_over() const { return end_.has_come() || is_at_bound(); }
    /// What could still be gained is not worth a search.
    bool is_nearly_at_bound() const
    {
        constexpr double worth_while = 2e-3;
        return best_.value() <= least_ * (1 + worth_while);
    }

    void begin_with(const Schedule& start)
    {
        const auto refuse = [&](std::string_view why) {
            throw std::invalid_argument(fmt::format("{}: the initial schedule {}", describe(problem_), why));
        };
        const std::uint32_t parts = start.collective.parts;
        const Collective wanted = in_parts(problem_.collective, parts);
        if (start.collective.chunks != wanted.chunks || start.collective.demands != wanted.demands)
            refuse("is of another collective");
        if (problem_.parts && *problem_.parts % parts != 0)
            refuse(fmt::format("has {} chunks for each, which do not divide {}", parts, *problem_.parts));
        if (const auto violations = validate(start, problem_.network); !violations.empty())
            refuse(fmt::format("is not valid: {}", violations.front().text));
        if (!best_.offer(start, of_start) && options_.on_note)
            options_.on_note("the initial schedule needs its barriers, or cannot be used, and is ignored");
    }

    /// Is what takes milliseconds, before constructions that take minutes, nearly at the bound?
    bool is_begun_at_bound()
    {
        if (options_.start || !engines_.begins_translated())
            return false;
        engines_.attempt([&] { engines_.begin_translated(); });
        if (best_.is_empty())
            return false;
        // Of pairs the rest of the bounds takes longer, and is for a flow.
        find_bounds(engines_.are_pairs() ? SearchEnd{.deadline = SearchEnd::Clock::now()} : end_, nullptr);
        return is_nearly_at_bound();
    }

    /// The schedule given, the constructions, something in one part, and the bounds.
    void begin()
    {
        if (options_.start)
            begin_with(*options_.start);
        if (asks("time") && is_begun_at_bound())
            return;
        for (const Engine* const engine : asked_engines_)
            if (engine->by_objective->turn == EngineTurn::first && (best_.is_empty() || !end_.has_come())) {
                engines_.report(engine->name, 1);
                (engines_.*engine->by_objective->search)({.parts = 1, .seed = options_.seed});
            }
        if (best_.is_empty() && (asks("time") || asks("flow")))
            engines_.attempt([&] { engines_.begin(); });
        bool has_bounds = least_ > 0;
        if (!best_.is_empty() && engines_.are_pairs()) { // is there anything left for a flow?
            if (!has_bounds)
                find_bounds({.deadline = SearchEnd::Clock::now()}, nullptr);
            if (is_nearly_at_bound())
                return;
            has_bounds = true;
        }
        if (asks("flow") && problem_.objective != ChunkObjective::steps)
            engines_.attempt([&] { engines_.offer_flow(); });
        if (!has_bounds || !end_.has_come())
            find_bounds(end_, engines_.searched_flow());
    }

    void find_bounds(const SearchEnd& end, const LinkFlow* flow)
    {
        const BoundScope scope = problem_.parts ? BoundScope::own_parts : BoundScope::any_parts;
        bounds_ = best_chunk_bounds(problem_.network, asked_, cost_of(problem_, asked_), scope, end, flow);
        if (!bounds_.steps)
            throw std::invalid_argument(
                fmt::format("{}: a receiver cannot be reached", problem_.network.name()));
        least_ = least_value(bounds_, problem_, asked_.parts);
    }

    void search()
    {
        const bool counts_time = problem_.objective == ChunkObjective::time;
        if (!counts_time)
            try_front({.seed = options_.seed});
        if (problem_.objective == ChunkObjective::steps || is_over())
            return;
        if (problem_.parts)
            try_divisors();
        else
            try_all_parts();
        // Small messages take few steps, which only the exact search finds.
        constexpr std::size_t most_places = 256;
        if (counts_time && !end_.has_come() && !is_nearly_at_bound() &&
            problem_.network.node_count() * asked_.chunks.size() <= most_places)
            try_front({.most_parts = most_parts_in_steps,
                       .extra_rounds = 2,
                       .extra_steps = 1,
                       .tree_parts = 0,
                       .conflicts_each = 1'000,
                       .seed = options_.seed});
    }

    bool asks(std::string_view engine) const
    {
        return std::ranges::any_of(asked_engines_, [&](const auto* one) { return one->name == engine; });
    }

    void try_front(FrontConfig config)
    {
        config.end = end_;
        config.is_direct = asks("exact") || asks("time");
        config.has_halves = asks("halves");
        config.by_time = asks("time") || !asks("exact");
        config.has_questions = asks("exact") || asks("halves");
        config.workers = options_.workers;
        config.least_to_hand_over = options_.least_to_hand_over;
        if (!asks("trees"))
            config.tree_parts = 0;
        // What is left is for judging what it finds: it says that at its end only.
        constexpr double share = 0.85;
        if (const auto now = SearchEnd::Clock::now();
            end_.deadline != SearchEnd::Clock::time_point::max() && now < end_.deadline)
            config.end.deadline =
                now + std::chrono::duration_cast<SearchEnd::Clock::duration>((end_.deadline - now) * share);
        if (problem_.objective == ChunkObjective::steps)
            config.extra_steps = 0;
        if (!problem_.parts)
            return offer_front(config);
        const std::uint32_t most_extra = problem_.objective == ChunkObjective::time ? 1 : 3;
        for (const std::uint32_t parts : divisors_of(*problem_.parts)) {
            if (problem_.objective == ChunkObjective::time && parts > most_parts_in_steps)
                continue;
            config.least_parts = config.most_parts = parts;
            config.extra_rounds = most_extra * parts;
            if (config.tree_parts > 0)
                config.tree_parts = parts;
            offer_front(config);
        }
    }

    void offer_front(FrontConfig config)
    {
        if (!best_.is_empty() && end_.has_come())
            return;
        // Not at the end of the front's questions, when it is too late to judge them.
        if (const std::uint32_t parts = std::exchange(config.tree_parts, 0);
            parts > 0 && asked_.kind == CollectiveKind::allreduce)
            engines_.attempt([&] {
                if (auto trees = all_reduce_by_trees(problem_.network, in_parts(problem_.collective, parts),
                                                     {.end = end_}))
                    best_.offer(std::move(*trees), "trees");
            });
        if (!config.has_questions && !config.is_direct)
            return;
        engines_.report(config.has_questions ? "exact" : "time", config.most_parts);
        std::vector<FrontPoint> front;
        engines_.attempt([&] { front = find_front(problem_.network, problem_.collective, config); });
        is_cut_ = is_cut_ || config.end.has_come();
        for (FrontPoint& point : front) {
            // Of parts that are fewer than asked for nothing is known but by the bound.
            const bool is_proven =
                point.is_proven && (!problem_.parts || *problem_.parts == config.most_parts);
            if (is_proven || point.is_least)
                proven_.push_back(
                    {point.steps, static_cast<double>(point.rounds) / point.parts, point.is_least});
            best_.offer(std::move(point.schedule), point.engine);
        }
    }

    /// 1, for there to be something soon; then those asked for, and the others, the largest first.
    static std::vector<std::uint32_t> divisors_of(std::uint32_t parts)
    {
        std::vector<std::uint32_t> divisors{1};
        for (std::uint32_t divisor = parts; divisor > 1; --divisor)
            if (parts % divisor == 0)
                divisors.push_back(divisor);
        return divisors;
    }

    void try_divisors()
    {
        std::vector<PartsTask> tasks;
        for (const std::uint32_t parts : divisors_of(*problem_.parts))
            tasks.push_back({parts, PartsTask::Effort::full, options_.seed});
        engines_.try_parts(
            tasks, asked_engines_, [&](const PartsTask&) { return !is_over(); },
            [](const PartsTask&, double) {});
    }

    void try_all_parts()
    {
        PartsSearch search(problem_, options_.seed, engines_, asked_engines_, best_, suggested_parts(),
                           [&] { return end_.has_come() || is_nearly_at_bound(); });
        search.run();
        parts_tried_ = search.tried();
    }

    /// A part for each of the ways between two processors that share no link, or some for each if results are
    /// spread, and as many as make the bound on rounds a whole number; of sums that are shared out as many at
    /// each member.
    std::vector<std::uint32_t> suggested_parts() const
    {
        constexpr std::uint64_t most = 256;
        const auto& contributors = problem_.collective.chunks.front().contributors;
        const std::uint64_t members =
            problem_.collective.kind == CollectiveKind::allreduce ? contributors.size() : 1;
        std::map<NodeId, std::uint64_t> ways; // from a member, by where they lead
        std::uint64_t most_ways = 1;
        for (const ChunkHop& hop : shortest_hops_from(problem_.network, contributors.front(), 1))
            most_ways = std::max(most_ways, ++ways[hop.destination]);
        std::vector<std::uint64_t> suggested{members * most_ways};
        if (members > 1 && problem_.objective == ChunkObjective::time)
            for (const std::uint64_t shares : {2U, 4U}) // results of some spread while others are added up
                suggested.push_back(shares * members * most_ways);
        if (bounds_.rounds && bounds_.rounds->rounds.denominator <= most) {
            const std::uint64_t whole = std::lcm(bounds_.rounds->rounds.denominator, members);
            suggested.push_back(whole);
            if (members > 1) // sums on the way there and results on the way back
                suggested.push_back(2 * whole);
        }
        std::vector<std::uint32_t> parts;
        for (const std::uint64_t number : suggested)
            if (number > 1 && number <= most * members) // the climb begins with 1
                parts.push_back(static_cast<std::uint32_t>(number));
        return parts;
    }

    PortfolioResult what_there_is()
    {
        PortfolioResult result;
        result.parts_tried = std::move(parts_tried_);
        if (best_.is_empty()) {
            result.bounds = std::move(bounds_);
            return result;
        }
        best_.judge();
        result.schedule = best_.take();
        result.engine = best_.engine();
        say_origin(*result.schedule, result.engine);
        const Collective& collective = result.schedule->collective;
        result.cost = cost_of(problem_, collective);
        result.cycles = best_.cycles();
        result.bounds = problem_.parts ? std::move(bounds_)
                                       : bounds_for_parts(std::move(bounds_), problem_.network, collective,
                                                          result.cost.bytes_per_weight);
        result.is_optimal = is_optimal(*result.schedule);
        if (least_ > 0)
            result.gap = is_at_bound() ? 0 : best_.value() / least_ - 1; // no rounding error for a gap
        return result;
    }

    /// What a schedule that is not the start says of itself: as those of messages in few steps do.
    void say_origin(Schedule& schedule, const std::string& engine) const
    {
        schedule.made_for = setting_of(problem_);
        if (engine == of_start)
            return;
        schedule.name = describe_chunks(schedule.collective, problem_.network.name(), problem_.objective);
        const std::string details = schedule.source.starts_with("engine ") ? "" : schedule.source;
        schedule.source = fmt::format("engine {}{}{}", engine, details.empty() ? "" : ", ", details);
    }

    bool is_optimal(const Schedule& schedule) const
    {
        if (problem_.objective == ChunkObjective::time)
            return is_at_bound();
        const bool counts_steps = problem_.objective == ChunkObjective::steps;
        const double rounds = static_cast<double>(count_rounds(schedule)) / schedule.collective.parts;
        const bool is_proven = std::any_of(proven_.begin(), proven_.end(), [&](const Proven& one) {
            return one.rounds_a_chunk == rounds &&
                   (counts_steps ? one.steps == count_steps(schedule) : one.is_least);
        });
        return counts_steps ? is_at_bound() && is_proven : is_at_bound() || is_proven;
    }

    const ChunkProblem& problem_;
    const PortfolioOptions& options_;
    SearchEnd::Clock::time_point begun_;
    SearchEnd end_;
    std::optional<Collective> cut_; ///< in the parts given
    const Collective& asked_;       ///< that, or in one part
    std::vector<const Engine*> asked_engines_;
    BestSchedule best_;
    ChunkEngines engines_;
    Bounds bounds_;
    double least_ = 0; ///< bound on what the objective counts first
    std::vector<std::uint32_t> parts_tried_;
    std::vector<Proven> proven_;
    bool is_cut_ = false; ///< by the end of the budget, or of a share of it
};

/// What is for messages only.
void refuse_options_of_messages(const PortfolioOptions& options)
{
    const auto refuse = [](std::string_view option, bool is_given) {
        if (is_given)
            throw std::invalid_argument(fmt::format("{}: of messages in steps, not of chunks", option));
    };
    refuse("a number of steps that is enough", options.steps.has_value());
    refuse("a transport", options.transport != nullptr);
    refuse("a checkpoint", !options.checkpoint.empty());
}

} // namespace

PortfolioResult find_schedule(const ChunkProblem& problem, const PortfolioOptions& options)
{
    check(problem);
    refuse_options_of_messages(options);
    if (!(options.budget.count() > 0))
        throw std::invalid_argument("a budget of 0 s: a search takes time");
    if (!problem.latency_holds_link || problem.objective == ChunkObjective::time)
        return ChunkPortfolio(problem, options).run();
    ChunkProblem asked = problem;
    asked.latency_holds_link = false;
    return ChunkPortfolio(asked, options).run();
}

} // namespace nocturne
