#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/flows/shortest_walks.hpp"
#include "schedules/scatter/packing.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/path_choice.hpp"
#include "schedules/search/search_meter.hpp"
#include "schedules/search/warm_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view local_engine = "local";
/// Candidate paths of a message, and of all together.
constexpr std::size_t scatter_paths = 128;
constexpr std::size_t scatter_paths_in_all = 1'000'000;
constexpr unsigned scatter_slack = 2;
/// Placements for each message in an attempt of the first round.
constexpr std::uint64_t scatter_effort = 50;

/// Paths by message, each of which has one receiver.
using Candidates = std::vector<std::vector<Path>>;

std::int64_t length(const ChannelLengths& lengths, const Message& message, const Path& path)
{
    std::int64_t sum = lengths.injections[message.origin] + lengths.ejections[message.receivers.front()];
    for (const ChannelId channel : path)
        sum += lengths.channels[channel];
    return sum;
}

/// All lengths by ResourceId.
std::vector<std::int64_t> by_resource(const ChannelLengths& lengths)
{
    std::vector<std::int64_t> all = lengths.channels;
    all.insert(all.end(), lengths.injections.begin(), lengths.injections.end());
    all.insert(all.end(), lengths.ejections.begin(), lengths.ejections.end());
    return all;
}

/// See choose_paths(). Throws std::invalid_argument if a message has several receivers.
Candidates candidate_paths(const Problem& problem, const PathChoice& choice)
{
    Candidates candidates;
    PathChoice own = choice;
    for (const Message& message : problem.collective.messages()) {
        if (message.receivers.size() != 1)
            throw std::invalid_argument(
                fmt::format("{}: a message has {} receivers", describe(problem), message.receivers.size()));
        candidates.push_back(choose_paths(problem.topology, message.origin, message.receivers.front(), own));
        ++own.seed;
    }
    return candidates;
}

/// Those of `candidates` that a schedule of `steps` steps can use. Under the lengths of `flow`, which is a
/// solution for the problem, such a schedule has steps x capacity to give away, and all messages together
/// need the distance at least: no path can be longer than a shortest walk by more than the difference
/// (complementary slackness). Nothing is left of any message if the bound is above `steps`.
Candidates usable_paths(const Problem& problem, Candidates candidates, const FlowSolution& flow,
                        unsigned steps)
{
    const WalkGraph graph(problem);
    ShortestWalks walks(graph);
    const std::vector<std::int64_t> lengths = by_resource(flow.lengths);
    const std::int64_t most_excess = steps * flow.capacity - flow.distance;
    const auto& messages = problem.collective.messages();
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (i == 0 || messages[i].origin != messages[i - 1].origin)
            walks.search(messages[i].origin, lengths);
        const std::int64_t longest = walks.distance_to(messages[i].receivers.front()) + most_excess;
        std::erase_if(candidates[i],
                      [&](const Path& path) { return length(flow.lengths, messages[i], path) > longest; });
    }
    return candidates;
}

/// An item a message, an option a path: its channels and, where they matter, ports.
packing::Packing make_packing(const Problem& problem, const Candidates& candidates)
{
    const Resources resources(problem);
    packing::Packing packing(resources.capacities());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Message& message = problem.collective.messages()[i];
        packing.add_item();
        for (const Path& path : candidates[i])
            packing.add_option(resources.held_by(path, message.origin, message.receivers.front()));
    }
    return packing;
}

using StraightTransfers = std::vector<std::optional<StraightTransfer>>;

/// The paths of the schedule to begin with become candidates, too.
void add_paths(Candidates& candidates, const StraightTransfers& start)
{
    for (std::size_t i = 0; i < start.size(); ++i)
        if (start[i] &&
            std::find(candidates[i].begin(), candidates[i].end(), start[i]->path) == candidates[i].end())
            candidates[i].push_back(start[i]->path);
}

/// Where the messages begin that still have their path.
std::vector<std::optional<packing::Placement>>
placements(const StraightTransfers& start, const packing::Packing& packing, const Candidates& candidates)
{
    std::vector<std::optional<packing::Placement>> places(start.size());
    for (packing::Item item = 0; item < start.size(); ++item)
        if (start[item]) {
            const std::vector<Path>& paths = candidates[item];
            const auto path = std::find(paths.begin(), paths.end(), start[item]->path);
            if (path != paths.end())
                places[item] = {start[item]->step, packing.first_option(item) +
                                                       static_cast<packing::Option>(path - paths.begin())};
        }
    return places;
}

} // namespace

std::uint64_t memory_of_scatter(const Problem& problem, unsigned steps)
{
    // By resource and step: owner, units used, price and who is alone in the way (see Occupancy), or holder
    // and units used.
    const std::uint64_t cell = problem.switching == Switching::wormhole ? 14 : 8;
    const std::uint64_t resources =
        problem.topology.channel_count() + 2 * std::uint64_t{problem.topology.processor_count()};
    // By message: its paths, as lists and as options.
    constexpr std::uint64_t path_bytes = 200;
    const std::uint64_t messages = problem.collective.messages().size();
    const std::uint64_t paths = std::clamp<std::uint64_t>(
        scatter_paths_in_all / std::max<std::uint64_t>(messages, 1), 1, scatter_paths);
    return resources * steps * cell + messages * paths * path_bytes;
}

SearchResult search_scatter(const Problem& problem, unsigned steps, const SearchControl& control)
{
    SearchMeter meter(control, local_engine, steps);
    const std::size_t messages = problem.collective.messages().size();
    const unsigned slacks = std::min(problem.slack.value_or(scatter_slack), scatter_slack) + 1;
    PathChoice choice{.most_paths =
                          std::clamp<std::size_t>(scatter_paths_in_all / messages, 1, scatter_paths),
                      .seed = control.seed};
    const StraightTransfers before = straight_transfers(problem, steps, control.start);
    std::optional<FlowSolution> flow;
    SearchResult result{.unscheduled = messages};
    for (unsigned round = 0;; ++round) {
        const std::uint64_t tried_before = meter.tried();
        // Where the old schedule leads nowhere a new beginning may help.
        const StraightTransfers start = round % 2 == 0 ? before : StraightTransfers{};
        for (choice.slack = 0; choice.slack < slacks; ++choice.slack, choice.seed += messages) {
            Candidates candidates = candidate_paths(problem, choice);
            add_paths(candidates, start);
            if (flow)
                candidates = usable_paths(problem, std::move(candidates), *flow, steps);
            const packing::Packing packing = make_packing(problem, candidates);
            SearchControl slice = meter.slice(scatter_effort * messages << std::min(round, 30u));
            slice.seed = choice.seed;
            const packing::PackingResult packed =
                packing::pack(packing, steps, slice, placements(start, packing, candidates));
            meter.count(packed.tried);
            meter.end_attempt(packed.unplaced);
            result.tried = meter.tried();
            result.unscheduled = meter.unscheduled();
            if (packed.unplaced == 0) {
                result.outcome = Outcome::found;
                std::vector<StraightTransfer> straight;
                for (MessageId id = 0; id < messages; ++id) {
                    const auto [step, option] = packed.placements[id];
                    straight.push_back({step, candidates[id][option - packing.first_option(id)]});
                }
                result.schedule = straight_schedule(problem, local_engine, std::move(straight));
                return result;
            }
            if (meter.is_over())
                return result;
        }
        if (meter.tried() == tried_before)
            return result; // hopeless with every slack
        if (!flow)
            flow = solve_flow(problem, control.end.deadline);
    }
}

} // namespace nocturne
