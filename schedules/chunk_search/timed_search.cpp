#include "schedules/chunk_search/timed_search.hpp"

#include "schedules/chunk_search/all_reduce.hpp"
#include "schedules/chunk_search/crossing_time.hpp"
#include "schedules/chunk_search/timed_run.hpp"
#include "schedules/chunk_search/timed_schedules.hpp"
#include "schedules/chunk_search/translated_search.hpp"
#include "schedules/chunk_search/tree_all_reduce.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/start_order.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

void require_possible(const LinkNetwork& network, const Collective& collective, const TimedConfig& config)
{
    if (collective.processors != network.processor_count())
        throw std::invalid_argument("search by time: the collective is for another number of processors");
    if (!(config.cost.bytes_per_weight > 0) || config.cost.start_cycles < 0)
        throw std::invalid_argument("search by time: chunks have bytes, and a start takes 0 cycles or more");
}

/// The best of some runs that take less than `most_cycles`; incomplete if there is none.
struct BestRun {
    TimedOutcome outcome;
    std::uint32_t runs;
};

BestRun best_run(const TimedProblem& problem, const TimedConfig& config, double bound, double most_cycles)
{
    SplitMix64 seeds(config.seed);
    const RunGuide guide = make_run_guide(problem);
    TimedOutcome best;
    best.cycles = most_cycles;
    std::uint32_t runs = 0;
    do {
        // Neither is always better.
        const SlowLinks slow_links = runs % 2 == 0 ? SlowLinks::spared : SlowLinks::used;
        TimedOutcome outcome =
            run_in_time(problem, guide, SplitMix64(seeds()), slow_links, best.cycles, config.end);
        ++runs;
        if (outcome.is_complete && outcome.cycles < best.cycles)
            best = std::move(outcome);
    } while (std::isfinite(best.cycles) && best.cycles > bound * (1 + 1e-9) && runs < config.runs &&
             !config.end.has_come());
    return {std::move(best), runs};
}

/// In which order links carry what an outcome sends.
enum class LinkOrder {
    as_sent,
    as_free, ///< to whatever is ready when they fall free (start_order.hpp)
};

/// Of what is left when a search begins, what orders beyond the first of so many transfers may take: judging
/// the best takes about as long as making it.
constexpr int share_of_orders = 2;

/// Makes the schedule of an outcome, or nothing if that is over before.
using MakeSchedule =
    std::function<std::optional<Schedule>(TimedOutcome, LinkOrder, const std::function<bool()>& is_over)>;

/// The best of direct exchanges and, if these are not at the bound, of runs.
std::optional<TimedSchedule> search_of(const TimedProblem& problem, const LinkNetwork& network,
                                       const TimedConfig& config, const MakeSchedule& make)
{
    const double bound =
        port_time_bound(problem.network, problem.collective, piece_of(problem.collective), config.cost)
            .cycles;
    std::optional<TimedSchedule> best;
    const auto offer = [&](Schedule schedule) {
        const double cycles = time_of(schedule, network, config.cost);
        if (!best || cycles < best->cycles)
            best = TimedSchedule{std::move(schedule), cycles, bound, 0, best && best->is_cut};
    };
    const bool has_no_runs = is_large(problem.collective); // of minutes, and longer to judge than is left
    SearchEnd end_of_orders = config.end;
    if (const auto now = SearchEnd::Clock::now(); has_no_runs && now < config.end.deadline)
        end_of_orders.deadline = now + (config.end.deadline - now) / share_of_orders;
    for (const TimedOutcome& outcome : direct_exchanges(problem))
        for (const LinkOrder order : {LinkOrder::as_free, LinkOrder::as_sent}) {
            if (best && has_no_runs && order == LinkOrder::as_sent)
                continue;
            if (best && end_of_orders.has_come()) {
                best->is_cut = true;
                continue;
            }
            const SearchEnd end = best ? end_of_orders : SearchEnd{.stop = config.end.stop};
            if (auto made = make(outcome, order, [&] { return end.has_come(); }))
                offer(std::move(*made));
            else if (best)
                best->is_cut = true;
        }
    constexpr std::size_t most_places = std::size_t{1} << 28;
    if (config.runs == 0)
        return best;
    if (best && (best->cycles <= bound * (1 + 1e-9) || has_no_runs || config.end.has_come()))
        return best;
    if (problem.network.node_count() * problem.collective.chunks.size() > most_places)
        throw std::invalid_argument("search by time: more than 2^28 nodes x chunks");
    BestRun found = best_run(problem, config, bound, best ? best->cycles : HUGE_VAL);
    if (found.outcome.is_complete)
        offer(*make(std::move(found.outcome), LinkOrder::as_sent, {}));
    if (best)
        best->runs = found.runs;
    return best;
}

std::optional<TimedSchedule> search_copies(const TimedProblem& problem, const TimedConfig& config)
{
    return search_of(problem, problem.network, config,
                     [&](const TimedOutcome& outcome, LinkOrder order,
                         const std::function<bool()>& is_over) -> std::optional<Schedule> {
                         Schedule schedule = schedule_of(problem, outcome.sends);
                         if (order == LinkOrder::as_sent)
                             return schedule;
                         return in_order_of_starts(schedule, problem.network, config.cost, is_over);
                     });
}

std::optional<TimedSchedule> search_copies(const LinkNetwork& network, const Collective& collective,
                                           const TimedConfig& config)
{
    return search_copies(make_timed_problem(network, collective, config.cost, config.paths_per_pair), config);
}

std::optional<TimedSchedule> search_backwards(const LinkNetwork& network, const Collective& collective,
                                              const TimedConfig& config)
{
    const LinkNetwork forward = turned(network);
    const Collective copied = reversed(collective);
    const TimedProblem problem = make_timed_problem(forward, copied, config.cost, config.paths_per_pair);
    return search_of(problem, network, config,
                     [&](TimedOutcome outcome, LinkOrder order,
                         const std::function<bool()>& is_over) -> std::optional<Schedule> {
                         if (order == LinkOrder::as_free) {
                             const auto released = in_order_of_releases(
                                 schedule_of(problem, outcome.sends), problem.network, config.cost, is_over);
                             return released ? std::optional(turned_in_time(*released, collective))
                                             : std::nullopt;
                         }
                         // Backwards what gives back its links last begins: of several that share a link not
                         // what began last.
                         std::ranges::stable_sort(outcome.sends, {}, &TimedSend::released);
                         return turned_in_time(schedule_of(problem, outcome.sends), collective);
                     });
}

/// Parts of a contribution and those who are owed it.
bool has_few_pairs(const LinkNetwork& network, const Collective& collective)
{
    constexpr double most_pairs = 1 << 14;
    const double processors = network.processor_count();
    return static_cast<double>(collective.chunks.size()) * processors * processors <= most_pairs;
}

std::optional<TimedSchedule> search_apart(const LinkNetwork& network, const Collective& collective,
                                          const TimedConfig& config)
{
    auto apart = search_copies(network, separate_contributions(collective), config);
    if (apart) {
        apart->schedule = with_local_sums(apart->schedule, collective);
        apart->cycles = time_of(apart->schedule, network, config.cost);
        apart->bound = 0;
    }
    return apart;
}

/// The half that adds as the other one run backwards: the same in both directions, and half the work.
std::optional<TimedSchedule> mirrored(const TimedSchedule& spread, const LinkNetwork& network,
                                      const Collective& reduce, const TimedConfig& config)
{
    const auto turned_schedule = over_partners(spread.schedule, network);
    if (!turned_schedule || reversed(reduce).demands != spread.schedule.collective.demands)
        return std::nullopt;
    Schedule schedule =
        turned_in_time(in_order_of_releases(*turned_schedule, turned(network), config.cost), reduce);
    const double cycles = time_of(schedule, network, config.cost);
    return TimedSchedule{std::move(schedule), cycles, spread.bound, 0};
}

std::optional<TimedSchedule> search_halves(const LinkNetwork& network, const Collective& collective,
                                           const TimedConfig& config)
{
    const AllReduceHalves halves = all_reduce_halves(collective, spread_roots(network, collective));
    const TimedProblem spreading =
        make_timed_problem(network, halves.spread, config.cost, config.paths_per_pair);
    const auto spread = search_copies(spreading, config);
    if (!spread)
        return std::nullopt;
    const bool has_no_time = is_large(halves.spread);
    auto reduce = has_no_time ? mirrored(*spread, network, halves.reduce, config) : std::nullopt;
    if (!reduce)
        reduce = search_backwards(network, halves.reduce, config);
    if (!reduce)
        return std::nullopt;
    TimedSchedule result{in_sequence(reduce->schedule, spread->schedule, collective), 0,
                         std::max(reduce->bound, spread->bound), reduce->runs + spread->runs,
                         reduce->is_cut || spread->is_cut};
    result.cycles = time_of(result.schedule, network, config.cost);
    if (has_no_time || config.end.has_come())
        return result;
    const auto offer = [&](Schedule schedule, double least_gain = 0) {
        const double cycles = time_of(schedule, network, config.cost);
        if (cycles < result.cycles * (1 - least_gain)) {
            result.schedule = std::move(schedule);
            result.cycles = cycles;
        }
    };
    offer(in_order_of_starts(result.schedule, network, config.cost));
    if (const auto trees =
            all_reduce_by_trees(network, collective, {.seed = config.seed, .passes = 2, .end = config.end}))
        offer(trees_without_barriers(*trees));
    constexpr double worth_scratch = 0.01; // and several times the transfers
    for (const Schedule& staged : staged_all_reduces(spreading, collective))
        if (auto started =
                in_order_of_starts(staged, network, config.cost, [&] { return config.end.has_come(); }))
            offer(std::move(*started), worth_scratch);
    // Small messages: every contribution to every receiver at once, one start-up instead of several.
    if (has_few_pairs(network, collective))
        if (auto apart = search_apart(network, collective, config))
            offer(std::move(apart->schedule), worth_scratch);
    return result;
}

} // namespace

std::optional<TimedSchedule> search_by_time(const LinkNetwork& network, const Collective& collective,
                                            const TimedConfig& config)
{
    require_possible(network, collective, config);
    if (is_large(collective))
        if (auto found = search_translated(network, collective, config))
            return found;
    if (!reduces(collective))
        return search_copies(network, collective, config);
    if (can_be_turned(collective))
        return search_backwards(network, collective, config);
    if (owes_whole(collective)) // what all-reduce has: the root of a chunk is one of its receivers
        return search_halves(network, collective, config);
    std::optional<TimedSchedule> found;
    if (auto chain = scan_over_chain(network, collective, config.cost)) {
        const double cycles = time_of(*chain, network, config.cost);
        found = TimedSchedule{std::move(*chain), cycles, 0, 1};
        if (!has_few_pairs(network, collective)) // a chain does better, and is there at once
            return found;
    }
    auto apart = search_apart(network, collective, config);
    return apart && (!found || apart->cycles < found->cycles) ? apart : found;
}

} // namespace nocturne
