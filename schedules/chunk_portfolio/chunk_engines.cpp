#include "schedules/chunk_portfolio/chunk_engines.hpp"

#include "schedules/chunk_flows/flow_schedule.hpp"
#include "schedules/chunk_portfolio/message_flow.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/chunk_trees/chunk_trees.hpp"
#include "schedules/conversion/step_chunks.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// Nodes times links: beyond it the flows to every receiver alone take minutes.
constexpr std::size_t most_for_trees = 100'000;

/// Edges that flows look at; a second is worth some ten millions.
constexpr std::uint64_t most_packing_work = 10'000'000;

/// Chunks times demands: beyond it the search by time takes minutes, and other engines do better.
constexpr double most_choices = 2e10;
constexpr double most_choices_in_all = 4e8; ///< of all runs: a second or two

/// Hops of chunks that orders of flows and trees are tried for, in all: some seconds.
constexpr double most_ordered_hops = 4'000'000;

} // namespace

ChunkEngines::ChunkEngines(const LinkNetwork& network, const ChunkRequest& request, const SearchEnd& end,
                           BestSchedule& best)
    : network_(request.objective == ChunkObjective::time ? network : without_latencies(network)),
      request_(request), end_(end), best_(best), owed_(owed_pairs(request.of_parts(1)).value_or(OwedPairs{}))
{
}

/// A round is a cycle where rounds count.
AlphaBeta ChunkEngines::cost_for(const Collective& collective) const
{
    if (request_.objective == ChunkObjective::time)
        return cost_of(request_, collective);
    return {.bytes_per_weight = static_cast<double>(network_.unit_bytes_per_cycle())};
}

void ChunkEngines::offer_steps(const Schedule& steps)
{
    if (owed_.demands.empty()) {
        best_.offer(chunks_of_steps(steps, network_), "construction");
        return;
    }
    flow_ = flow_of_steps(steps, network_, owed_);
    flow_engine_ = "construction";
    if (request_.objective != ChunkObjective::time) { // links carry in each round what they do in a step
        best_.offer(chunks_of_steps(steps, network_), flow_engine_);
        return;
    }
    if (auto found = flow_schedule(*flow_, request_.of_parts(1), 1, request_.seed, {.stop = end_.stop}))
        best_.offer(std::move(*found), flow_engine_);
}

void ChunkEngines::begin()
{
    // What takes milliseconds is not cut: there is something then, however busy the machine is, or how early
    // the flag is set.
    constexpr std::size_t most_uncut = 100'000; // demands times links
    const Collective one = request_.of_parts(1);
    const SearchEnd end = one.demands.size() * network_.link_count() <= most_uncut ? SearchEnd{} : end_;
    if (owed_.demands.empty()) {
        const AlphaBeta cost = cost_for(one);
        if (auto found =
                search_by_time(network_, one, {.cost = cost, .seed = request_.seed, .runs = 1, .end = end}))
            best_.offer(std::move(found->schedule), "time");
    } else if (const auto shortest = link_flow(network_, owed_.demands, FlowEffort::shortest, end)) {
        auto found = schedule_over(*shortest, *owed_pairs(one), network_, one,
                                   {.cost = cost_for(one),
                                    .seed = request_.seed,
                                    .runs = 1,
                                    .end = {.stop = end_.stop}}); // there is nothing yet
        if (found)
            best_.offer(std::move(found->schedule), "flow");
    }
}

void ChunkEngines::attempt(const std::function<void()>& engine)
{
    const auto note = [&] {
        if (!failure_)
            failure_ = std::current_exception();
    };
    try {
        engine();
    } catch (const std::invalid_argument&) {
        note();
    } catch (const std::length_error&) {
        note();
    } catch (const std::bad_alloc&) {
        note();
    }
}

double ChunkEngines::try_parts(std::uint32_t parts, Effort effort, std::uint64_t seed)
{
    double value = std::numeric_limits<double>::infinity();
    attempt([&] { value = try_all(parts, effort, seed); });
    return value;
}

double ChunkEngines::try_all(std::uint32_t parts, Effort effort, std::uint64_t seed)
{
    const Collective collective = request_.of_parts(parts);
    const AlphaBeta cost = cost_for(collective);
    double least = std::numeric_limits<double>::infinity();
    const auto offer = [&](ChunkedSchedule schedule, double cycles, const char* engine) {
        transfers_a_part_ = static_cast<double>(schedule.transfers.size()) / parts;
        // What an end cuts short, more time may find in another order, in more rounds.
        if (request_.objective != ChunkObjective::time && end_.has_come() && !best_.is_empty())
            return;
        least = std::min(least, request_.objective == ChunkObjective::time ? cycles : cycles / parts);
        best_.offer(std::move(schedule), engine);
    };
    // Each link chooses among the chunks of the whole network.
    const double choices =
        static_cast<double>(collective.demands.size()) * static_cast<double>(collective.chunks.size());
    const auto runs = static_cast<std::uint32_t>(
        effort == Effort::quick ? 2 : std::clamp(most_choices_in_all / choices, 2.0, 20.0));
    if (best_.is_empty() || choices <= most_choices)
        if (auto found =
                search_by_time(network_, collective, {.cost = cost, .seed = seed, .runs = runs, .end = end_}))
            offer(std::move(found->schedule), found->cycles, "time");
    const double hops = std::max(transfers_a_part_ * parts, static_cast<double>(collective.demands.size()));
    const auto orders = static_cast<std::uint32_t>(std::clamp(most_ordered_hops / hops, 1.0, 0.5 * runs));
    if (effort == Effort::full && parts < too_many_for_trees_ && !end_.has_come() &&
        network_.node_count() * network_.link_count() <= most_for_trees) {
        auto found = spread_over_trees(
            network_, collective,
            {.cost = cost, .seed = seed, .runs = orders, .packing_work = most_packing_work, .end = end_});
        if (found)
            offer(std::move(found->schedule), found->cycles, "trees");
        else if (!end_.has_come())
            too_many_for_trees_ = parts;
    }
    find_flow();
    if (flow_ && !end_.has_come())
        if (auto found = flow_schedule(scaled(*flow_, parts), collective, orders, seed, end_)) {
            const double cycles = time_of(*found, network_, cost);
            offer(std::move(*found), cycles, flow_engine_);
        }
    return least;
}

std::optional<ChunkedSchedule> ChunkEngines::flow_schedule(const LinkFlow& flow, const Collective& collective,
                                                           std::uint32_t runs, std::uint64_t seed,
                                                           const SearchEnd& end) const
{
    auto found = schedule_over(flow, *owed_pairs(collective), network_, collective,
                               {.cost = cost_for(collective), .seed = seed, .runs = runs, .end = end});
    return found ? std::optional(std::move(found->schedule)) : std::nullopt;
}

void ChunkEngines::find_flow()
{
    constexpr double tolerance = 1e-6;
    if (owed_.demands.empty() || end_.has_come() || std::exchange(has_searched_flow_, true))
        return;
    if (flow_) {
        // Where a construction is at the bound, even lengths mostly prove it.
        const auto first = link_flow(network_, owed_.demands, FlowEffort::shortest, end_);
        if (first && flow_->rounds <= first->least_rounds * (1 + tolerance))
            return;
    }
    auto best = link_flow(network_, owed_.demands, FlowEffort::full, end_);
    if (best && (!flow_ || best->rounds < flow_->rounds * (1 - tolerance))) {
        flow_ = std::move(best);
        flow_engine_ = "flow";
    }
}

} // namespace nocturne
