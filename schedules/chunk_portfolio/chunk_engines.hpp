// The engines that scale to many chunks, on one number of parts after the other.
#pragma once

#include "schedules/chunk_flows/path_rounding.hpp"
#include "schedules/chunk_portfolio/best_schedule.hpp"
#include "schedules/chunks/search_end.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>

namespace nocturne {

class ChunkEngines {
public:
    /// All must outlive it.
    ChunkEngines(const LinkNetwork& network, const ChunkRequest& request, const SearchEnd& end,
                 BestSchedule& best);

    /// What a construction for whole messages knows of the collective in one part. Where each chunk has one
    /// receiver, its paths are a flow from now on, if those found are more congested.
    void offer_steps(const Schedule& steps);

    /// Something in one part, soon.
    void begin();

    /// Runs an engine. That the problem, or a number of parts, is too large for it is no error of others:
    /// failure() is what was thrown for the first one.
    void attempt(const std::function<void()>& engine);

    enum class Effort {
        quick, ///< a few runs of the search by time and of flows
        full,  ///< more of them, and packed trees
    };

    /// What the search by time, packed trees and flows find in so many parts is offered.
    /// Returns the time of the best of it, in what the objective counts; infinity if nothing was found, or so
    /// many parts are too many.
    double try_parts(std::uint32_t parts, Effort effort, std::uint64_t seed);

    /// Null if there was none.
    std::exception_ptr failure() const { return failure_; }

    /// Transfers of the last schedule that was found, for each of its parts.
    double transfers_a_part() const { return transfers_a_part_; }

private:
    AlphaBeta cost_for(const Collective& collective) const;
    std::optional<ChunkedSchedule> flow_schedule(const LinkFlow& flow, const Collective& collective,
                                                 std::uint32_t runs, std::uint64_t seed,
                                                 const SearchEnd& end) const;
    void find_flow();

    LinkNetwork network_; ///< without latencies, where the objective knows none
    const ChunkRequest& request_;
    const SearchEnd& end_;
    BestSchedule& best_;
    double try_all(std::uint32_t parts, Effort effort, std::uint64_t seed);

    OwedPairs owed_;               ///< in one part; empty if the collective is not of pairs
    std::optional<LinkFlow> flow_; ///< of one part
    const char* flow_engine_ = "flow";
    bool has_searched_flow_ = false;
    std::exception_ptr failure_;
    std::uint32_t too_many_for_trees_ = ~0U; ///< parts for which they were given up
    double transfers_a_part_ = 0;
};

} // namespace nocturne
