// The engines that scale to many chunks, on one number of parts after the other.
#pragma once

#include "schedules/chunk_flows/path_rounding.hpp"
#include "schedules/portfolio/best_schedule.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/engine.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace nocturne {

/// What the engines are asked for next.
struct PartsTask {
    enum class Effort {
        quick, ///< a few runs of each
        full,  ///< more of them, and packed trees
    };

    std::uint32_t parts;
    Effort effort = Effort::quick;
    std::uint64_t seed = 1;
};

/// What they share: a network without latencies where the objective knows none, flows, sizes of schedules.
class ChunkEngines {
public:
    /// All must outlive it.
    ChunkEngines(const ChunkProblem& problem, const PortfolioOptions& options, const SearchEnd& end,
                 BestSchedule& best);

    /// Are there so many demands in one part that what one member's chunks take is to be tried first?
    bool begins_translated() const;
    /// Of networks that look the same from every member (translated_search.hpp).
    void begin_translated();
    /// Something in one part, soon.
    void begin();
    /// What goes in one part over the flow of least congestion, if the collective is of pairs: often the best
    /// there is, before searches that take long.
    void offer_flow();

    /// Has each chunk one source and one receiver, so that flows say how it travels?
    bool are_pairs() const { return !owed_.demands.empty(); }

    /// Runs an engine. That the problem, or a number of parts, is too large for it is no error of others:
    /// failure() is what was thrown for the first one.
    void attempt(const std::function<void()>& engine);

    /// What each of those engines finds that are asked for numbers of parts is offered, one task after the
    /// other as long as `is_wanted`; with several workers those behind it are begun ahead, which changes
    /// nothing. `take` gets the best of each, in what the objective counts; infinity if nothing was found, or
    /// so many parts are too many.
    void try_parts(std::span<const PartsTask> tasks, std::span<const Engine* const> engines,
                   const std::function<bool(const PartsTask&)>& is_wanted,
                   const std::function<void(const PartsTask&, double least)>& take);

    /// Tells PortfolioOptions::on_progress what is tried.
    void report(std::string_view engine, std::uint32_t parts) const;

    /// The engines (engines.hpp).
    ///
    /// What constructions for whole messages know of the collective in one part. Where each chunk has one
    /// receiver, its paths are a flow from now on, if those found are more congested.
    void construct(const PartsTask& task);
    void search_time(const PartsTask& task);
    void search_trees(const PartsTask& task);
    void search_flow(const PartsTask& task);

    /// The flow of least congestion in one part, which is searched for once. Null where the collective is not
    /// of pairs, a construction's flow is shown to be as good, or the end comes first.
    const LinkFlow* searched_flow();

    /// Null if there was none.
    std::exception_ptr failure() const { return failure_; }
    /// Was an engine given less than it wanted of what is left, so that more time might find better?
    bool was_cut() const { return was_cut_; }

    /// Transfers of the last schedule that was found, for each of its parts.
    double transfers_a_part() const { return transfers_a_part_; }

private:
    double find_in(const PartsTask& task, std::span<const Engine* const> engines);
    nlohmann::json state_after(double least, std::size_t bettered_before) const;
    double take_over(const nlohmann::json& state);
    std::chrono::duration<double> least_to_hand_over(std::span<const PartsTask> tasks) const;
    void note_failure();
    AlphaBeta cost_for(const Collective& collective) const;
    void offer(Schedule schedule, double cycles, std::string_view engine);
    void offer_steps(const Schedule& steps);
    double choices() const;
    std::uint32_t runs_of(const PartsTask& task) const;
    std::uint32_t orders_of(const PartsTask& task);
    std::optional<Schedule> flow_schedule(const LinkFlow& flow, const Collective& collective,
                                          std::uint32_t runs, std::uint64_t seed, const SearchEnd& end) const;

    LinkNetwork network_; ///< without latencies, where the objective knows none
    const ChunkProblem& problem_;
    const PortfolioOptions& options_;
    const SearchEnd& end_;
    BestSchedule& best_;

    /// What the first search has found, where a second one would find the same.
    struct Exchange {
        double cycles;
        double transfers;
    };

    std::optional<Exchange> exchange_in_one_part_;
    Collective collective_;               ///< of the task
    double least_ = 0;                    ///< that was offered for the task
    std::optional<std::uint32_t> orders_; ///< that flows and trees try for the task
    OwedPairs owed_;                      ///< in one part; empty if the collective is not of pairs
    std::optional<LinkFlow> flow_;        ///< of one part
    const char* flow_engine_ = "flow";
    std::optional<LinkFlow> searched_flow_;
    bool has_searched_flow_ = false;
    std::exception_ptr failure_;
    bool was_cut_ = false;
    std::uint32_t too_many_for_trees_ = ~0U; ///< parts for which they were given up
    std::uint32_t trees_lead_at_ = ~0U;      ///< parts for which they were better than the search by time
    double transfers_a_part_ = 0;
    double seconds_a_part_ = 0; ///< that the last task of this process took
    double found_in_task_ = 0;  ///< transfers a part, of the last schedule for the task; 0: none
    /// What tasks know that are tried together: not what the others find, which may come before or after.
    struct Before {
        bool is_empty = true;         ///< is there nothing yet?
        double transfers_a_part = 0;  ///< of the best
        std::uint32_t too_many = ~0U; ///< parts for trees
        std::uint32_t trees_lead = ~0U;
    } before_;
    bool is_reporting_ = true; ///< is this process the one that tells how far it has come?
};

/// When a search asks an engine.
enum class EngineTurn {
    first, ///< before all others, once
    front, ///< all of these at once: they share the questions of find_front()
    parts, ///< for one number of parts after the other
};

/// How an engine searches by an objective.
struct ObjectiveSearch {
    EngineTurn turn;
    /// Can it be tried at all? Cheap.
    bool (*suits)(const ChunkProblem& problem);
    /// Offers what it finds. Null for EngineTurn::front.
    void (ChunkEngines::*search)(const PartsTask& task) = nullptr;
};

} // namespace nocturne
