#include "schedules/portfolio/chunk_portfolio.hpp"

#include "models/text/unknown_name.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/tree_all_reduce.hpp"
#include "schedules/portfolio/best_schedule.hpp"
#include "schedules/portfolio/chunk_engines.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/parts_search.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

constexpr std::array<std::string_view, 3> objective_names{"steps", "bandwidth", "time"};

} // namespace

std::string_view to_string(ChunkObjective objective)
{
    return objective_names[static_cast<std::size_t>(objective)];
}

ChunkObjective parse_chunk_objective(std::string_view text)
{
    return value_named("objective", text,
                       {ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time});
}

AlphaBeta cost_of(const ChunkRequest& request, const Collective& collective)
{
    return {.bytes_per_weight = request.bytes / static_cast<double>(largest_contribution(collective)),
            .start_cycles = request.start_cycles,
            .latency_holds_link = request.latency_holds_link};
}

std::uint64_t largest_contribution(const Collective& collective)
{
    std::vector<std::uint64_t> weights(collective.processors, 0);
    for (const Chunk& chunk : collective.chunks)
        for (const std::uint32_t contributor : chunk.contributors)
            weights[contributor] += chunk.weight;
    return *std::max_element(weights.begin(), weights.end());
}

namespace {

/// What the objective counts first, and no schedule has less of; nothing is known: 0.
double least_value(const Bounds& bounds, const ChunkRequest& request, std::uint32_t parts)
{
    switch (request.objective) {
    case ChunkObjective::steps:
        return bounds.steps ? bounds.steps->steps : 0;
    case ChunkObjective::bandwidth: {
        if (!bounds.rounds)
            return 0;
        const Ratio& rounds = bounds.rounds->rounds;
        return (request.parts ? static_cast<double>(rounded_up(rounds)) : to_double(rounds)) / parts;
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
    ChunkPortfolio(const LinkNetwork& network, const ChunkRequest& request)
        : network_(network), request_(request), end_(end_after(request.budget, request.stop)),
          asked_(request.of_parts(request.parts.value_or(1))),
          asked_engines_(engines_for(network, request, request.of_parts(1))), best_(network, request, end_),
          engines_(network, request, end_, best_)
    {
    }

    std::optional<ChunkFinding> run()
    {
        for (const Engine* const engine : asked_engines_)
            if (engine->by_objective->turn == EngineTurn::first) {
                engines_.report(engine->name, 1);
                (engines_.*engine->by_objective->search)({.parts = 1, .seed = request_.seed});
            }
        if (best_.is_empty() && (asks("time") || asks("flow")))
            engines_.attempt([&] { engines_.begin(); });
        if (asks("flow") && request_.objective != ChunkObjective::steps)
            engines_.attempt([&] { engines_.offer_flow(); });
        const BoundScope scope = request_.parts ? BoundScope::own_parts : BoundScope::any_parts;
        bounds_ = best_chunk_bounds(network_, asked_, cost_of(request_, asked_), scope, end_,
                                    engines_.searched_flow());
        if (!bounds_.steps)
            return std::nullopt;
        least_ = least_value(bounds_, request_, asked_.parts);
        search();
        const bool is_cut = end_.has_come();
        if (!best_.is_empty())
            return finding(is_cut);
        if (engines_.failure())
            std::rethrow_exception(engines_.failure());
        if (end_.is_stopped())
            throw std::runtime_error(fmt::format("{}: stopped before a schedule was found", network_.name()));
        throw std::runtime_error(
            fmt::format("{}: no schedule was found in {:.6g} s", network_.name(), request_.budget.count()));
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

    void search()
    {
        const bool counts_time = request_.objective == ChunkObjective::time;
        if (!counts_time)
            try_front({.seed = request_.seed});
        if (request_.objective == ChunkObjective::steps || is_over())
            return;
        if (request_.parts)
            try_divisors();
        else
            try_all_parts();
        // Small messages take few steps, which only the exact search finds.
        constexpr std::size_t most_places = 256;
        if (counts_time && !is_over() && network_.node_count() * asked_.chunks.size() <= most_places)
            try_front({.most_parts = most_parts_in_steps,
                       .extra_rounds = 2,
                       .extra_steps = 1,
                       .tree_parts = 0,
                       .conflicts_each = 1'000,
                       .seed = request_.seed});
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
        if (!asks("trees"))
            config.tree_parts = 0;
        // What is left is for judging what it finds: it says that at its end only.
        constexpr double share = 0.85;
        if (const auto now = SearchEnd::Clock::now();
            end_.deadline != SearchEnd::Clock::time_point::max() && now < end_.deadline)
            config.end.deadline =
                now + std::chrono::duration_cast<SearchEnd::Clock::duration>((end_.deadline - now) * share);
        if (request_.objective == ChunkObjective::steps)
            config.extra_steps = 0;
        if (!request_.parts)
            return offer_front(config);
        const std::uint32_t most_extra = request_.objective == ChunkObjective::time ? 1 : 3;
        for (const std::uint32_t parts : divisors_of(*request_.parts)) {
            if (request_.objective == ChunkObjective::time && parts > most_parts_in_steps)
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
                if (auto trees = all_reduce_by_trees(network_, request_.of_parts(parts), {.end = end_}))
                    best_.offer(std::move(*trees), "trees");
            });
        if (!config.has_questions && !config.is_direct)
            return;
        engines_.report(config.has_questions ? "exact" : "time", config.most_parts);
        std::vector<FrontPoint> front;
        engines_.attempt([&] { front = find_front(network_, request_.of_parts, config); });
        for (FrontPoint& point : front) {
            // Of parts that are fewer than asked for nothing is known but by the bound.
            const bool is_proven =
                point.is_proven && (!request_.parts || *request_.parts == config.most_parts);
            if (is_proven || point.is_least)
                proven_.push_back(
                    {point.steps, static_cast<double>(point.rounds) / point.parts, point.is_least});
            if (request_.objective == ChunkObjective::time) {
                // Exchanges, which read and add to a place in one step, need the barrier.
                point.schedule = trees_without_barriers(point.schedule);
                if (!validate(point.schedule, network_).empty())
                    continue;
            }
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
        for (const std::uint32_t parts : divisors_of(*request_.parts))
            if (!is_over())
                engines_.try_parts({parts, PartsTask::Effort::full, request_.seed}, asked_engines_);
    }

    void try_all_parts()
    {
        constexpr double worth_while = 2e-3;
        PartsSearch search(request_, engines_, asked_engines_, best_, end_,
                           [&] { return best_.value() <= least_ * (1 + worth_while); });
        search.run();
        parts_tried_ = search.tried();
    }

    ChunkFinding finding(bool is_cut)
    {
        best_.judge();
        ChunkFinding finding;
        finding.schedule = best_.schedule();
        finding.engine = best_.engine();
        const Collective& collective = finding.schedule.collective;
        finding.cost = cost_of(request_, collective);
        finding.cycles = best_.cycles();
        finding.bounds = request_.parts ? std::move(bounds_)
                                        : bounds_for_parts(std::move(bounds_), network_, collective,
                                                           finding.cost.bytes_per_weight);
        finding.is_optimal = is_optimal(finding.schedule);
        if (least_ > 0)
            finding.gap = std::max(best_.value() / least_ - 1, 0.0);
        finding.parts_tried = std::move(parts_tried_);
        finding.end = end_reason(finding.is_optimal, end_.is_stopped(), is_cut);
        return finding;
    }

    bool is_optimal(const Schedule& schedule) const
    {
        if (request_.objective == ChunkObjective::time)
            return is_at_bound();
        const bool counts_steps = request_.objective == ChunkObjective::steps;
        const double rounds = static_cast<double>(count_rounds(schedule)) / schedule.collective.parts;
        const bool is_proven = std::any_of(proven_.begin(), proven_.end(), [&](const Proven& one) {
            return one.rounds_a_chunk == rounds &&
                   (counts_steps ? one.steps == count_steps(schedule) : one.is_least);
        });
        return counts_steps ? is_at_bound() && is_proven : is_at_bound() || is_proven;
    }

    const LinkNetwork& network_;
    const ChunkRequest& request_;
    SearchEnd end_;
    Collective asked_; ///< in the parts given, or one
    std::vector<const Engine*> asked_engines_;
    BestSchedule best_;
    ChunkEngines engines_;
    Bounds bounds_;
    double least_ = 0; ///< bound on what the objective counts first
    std::vector<std::uint32_t> parts_tried_;
    std::vector<Proven> proven_;
};

} // namespace

std::optional<ChunkFinding> find_chunked_schedule(const LinkNetwork& network, const ChunkRequest& request)
{
    if (!(request.bytes > 0))
        throw std::invalid_argument("0 bytes: a collective moves some");
    if (!(request.budget.count() > 0))
        throw std::invalid_argument("a budget of 0 s: a search takes time");
    ChunkRequest asked = request;
    asked.latency_holds_link = request.latency_holds_link && request.objective == ChunkObjective::time;
    return ChunkPortfolio(network, asked).run();
}

} // namespace nocturne
