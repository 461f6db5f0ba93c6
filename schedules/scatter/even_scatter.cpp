#include "schedules/scatter/even_scatter.hpp"

#include "models/routing/distances.hpp"
#include "schedules/problem/resources.hpp"
#include "schedules/scatter/even_paths.hpp"
#include "schedules/scatter/path_packing.hpp"
#include "schedules/schedule/empty_schedule.hpp"
#include "schedules/search/search_meter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view even_engine = "even";
/// Placements for each message, in one attempt and in all.
constexpr std::uint64_t effort_of_attempt = 40;
constexpr std::uint64_t effort_in_all = 120;
/// Steps more than the busiest resource needs, in the first attempt, as a share of these.
constexpr double first_excess = 0.12;
/// Hops of all paths together: what memory allows.
constexpr std::size_t most_hops = 200'000'000;

/// Steps that the busiest channel or port takes over the first path of each message.
unsigned steps_for_load(const Problem& problem, const EvenPaths& even)
{
    const Resources resources(problem);
    std::vector<std::uint32_t> load(resources.count(), 0);
    for (const Message& message : problem.collective.messages) {
        ++load[resources.send_port(message.origin)];
        ++load[resources.receive_port(message.receivers.front())];
    }
    std::uint32_t most = std::max(1U, even.most_load);
    for (ResourceId id = 0; id < load.size(); ++id)
        most = std::max(most, (load[id] + resources.capacity(id) - 1) / resources.capacity(id));
    return most;
}

/// More paths where they are short and few, and never more than fit into memory.
EvenPathsOptions options_for(const Problem& problem, std::uint64_t seed)
{
    constexpr std::size_t many = 16, fewest = 2;
    const std::size_t messages = problem.collective.messages.size();
    const double hops = std::sqrt(static_cast<double>(problem.topology.router_count()));
    const auto within_memory =
        static_cast<std::size_t>(static_cast<double>(most_hops) / (static_cast<double>(messages) * hops));
    return {.rounds = 24, .most_paths = std::clamp(within_memory, fewest, many), .seed = seed};
}

Schedule make_schedule(const Problem& problem, const PathTable& paths,
                       const std::vector<PathPlacement>& placements)
{
    Schedule schedule = empty_schedule(problem, even_engine);
    for (MessageId id = 0; id < placements.size(); ++id) {
        const auto [step, index] = placements[id];
        const Message& message = problem.collective.messages[id];
        const auto path = paths.path(index);
        if (schedule.steps.size() <= step)
            schedule.steps.resize(step + 1);
        schedule.steps[step].push_back(
            {id, message.origin, message.receivers.front(), Path(path.begin(), path.end())});
    }
    return schedule;
}

/// Which numbers of steps have sufficed, which have not, and what to try next.
class Bracket {
public:
    Bracket(unsigned least, unsigned most) : failed_(least - 1), most_(most)
    {
        next_ = std::min(most, least + static_cast<unsigned>(std::ceil(least * first_excess)));
        close_ = std::max(1U, least / 500);
    }

    unsigned next() const { return next_; }
    bool is_over() const { return found_ == 0 ? failed_ >= most_ : found_ - failed_ <= close_; }

    void succeed(unsigned steps)
    {
        found_ = steps;
        next_ = failed_ + (found_ - failed_) / 2;
    }
    void fail(unsigned steps)
    {
        const std::uint64_t excess = steps - failed_;
        failed_ = steps;
        next_ = found_ != 0 ? failed_ + (found_ - failed_) / 2
                            : static_cast<unsigned>(std::min<std::uint64_t>(most_, steps + 2 * excess));
    }

private:
    unsigned failed_;
    unsigned most_;
    unsigned next_ = 0;
    unsigned close_ = 1;
    unsigned found_ = 0; // 0: none yet
};

} // namespace

bool suits_even_scatter(const Problem& problem)
{
    const auto& messages = problem.collective.messages;
    if (problem.switching != Switching::wormhole || !is_personalized(problem.collective))
        return false;
    std::vector<std::uint32_t> hops;
    ProcessorId origin = ~0u;
    return std::all_of(messages.begin(), messages.end(), [&](const Message& message) {
        if (message.origin != origin) {
            origin = message.origin;
            hops = distances_from(problem.topology, problem.topology.processor(origin).injection);
        }
        return hops[problem.topology.processor(message.receivers.front()).ejection] != unreachable;
    });
}

std::uint64_t memory_of_even_scatter(const Problem& problem, unsigned steps)
{
    const Resources resources(problem);
    std::uint64_t slots = 0;
    for (ResourceId id = 0; id < resources.count(); ++id)
        slots += resources.is_scarce(id) ? resources.capacity(id) : 0;
    // A path as lists while it is looked for, and in the table; the transfers of the schedule.
    constexpr std::uint64_t path_bytes = 100, message_bytes = 300;
    const std::uint64_t messages = problem.collective.messages.size();
    return slots * steps * sizeof(MessageId) +
           messages * (message_bytes + options_for(problem, 1).most_paths * path_bytes);
}

SearchResult search_even_scatter(const Problem& problem, unsigned steps, const SearchControl& control)
{
    const std::uint64_t messages = problem.collective.messages.size();
    SearchControl limits = control;
    if (limits.effort == 0)
        limits.effort = effort_in_all * messages;
    SearchMeter meter(limits, even_engine, steps);
    SearchResult result{.unscheduled = messages};
    const EvenPaths even = even_paths(problem, options_for(problem, control.seed));
    std::vector<PathPlacement> best;
    for (Bracket bracket(steps_for_load(problem, even), steps); !bracket.is_over() && !meter.is_over();) {
        SearchControl slice = limits;
        slice.effort = std::min(effort_of_attempt * messages, meter.effort_left());
        PathPackingResult packed = pack_paths(problem, even.paths, bracket.next(), slice);
        meter.count(packed.tried);
        meter.end_attempt(packed.unplaced);
        if (packed.unplaced == 0) {
            best = std::move(packed.placements);
            bracket.succeed(bracket.next());
        } else {
            bracket.fail(bracket.next());
        }
    }
    result.tried = meter.tried();
    result.unscheduled = best.empty() ? meter.unscheduled() : 0;
    if (!best.empty()) {
        result.outcome = Outcome::found;
        result.schedule = make_schedule(problem, even.paths, best);
    }
    return result;
}

} // namespace nocturne
