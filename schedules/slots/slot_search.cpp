#include "schedules/slots/slot_search.hpp"

#include "models/routing/paths.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_problem.hpp"
#include "schedules/slots/slot_quotient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint32_t longest_period_tried = 256;
constexpr std::size_t most_paths_listed = 512;
constexpr std::size_t most_flows = 10'000;

/// So many of them, as different as their order tells.
std::vector<Path> some_paths(const Topology& topology, const GuaranteedFlow& flow, const SlotSearch& search)
{
    std::vector<Path> all;
    PathEnumerator paths(topology, flow.source, flow.destination, search.slack);
    while (all.size() < std::max<std::size_t>(most_paths_listed, search.paths))
        if (std::optional<Path> path = paths.next())
            all.push_back(std::move(*path));
        else
            break;
    std::vector<Path> some;
    const std::size_t count = std::min<std::size_t>(search.paths, all.size());
    for (std::size_t i = 0; i < count; ++i)
        some.push_back(all[i * all.size() / count]);
    return some;
}

SlotProblem problem_with_paths(const Topology& topology, const SlotTiming& timing,
                               const std::vector<GuaranteedFlow>& flows, const SlotSearch& search)
{
    SlotProblem problem{topology, timing, flows, {}};
    problem.unit_cycles = std::gcd(timing.slot_cycles, timing.injection_cycles);
    for (const std::uint32_t cycles : timing.channel_cycles)
        problem.unit_cycles = std::gcd(problem.unit_cycles, cycles);
    const SlotLinks links(topology);
    for (const GuaranteedFlow& flow : flows) {
        const auto fail = [&](const std::string& what) {
            throw std::invalid_argument(fmt::format("{}: flow {} to {}: {}", topology.name(),
                                                    topology.processor(flow.source).name,
                                                    topology.processor(flow.destination).name, what));
        };
        if (flow.source == flow.destination)
            fail("from a processor to itself");
        const std::uint64_t fastest = std::uint64_t{packets_of(flow, timing)} * timing.slot_cycles;
        if (flow.message_cycles < fastest)
            fail(fmt::format("a message of {} flits each {} cycles; all slots of a link carry one each {}",
                             flow.message_flits, flow.message_cycles, fastest));
        std::vector<SlotPath>& own = problem.paths.emplace_back();
        for (Path& path : some_paths(topology, flow, search)) {
            std::vector<TimedLink> over = links_of(links, timing, flow, path);
            own.push_back({std::move(path), std::move(over)});
        }
        if (own.empty())
            fail("no path leads there");
        if (!flow.latency_cycles)
            continue;
        std::uint64_t least = ~std::uint64_t{0};
        for (const SlotPath& each : own)
            least = std::min(least, cycles_without_waiting(topology, timing, flow, each.path));
        least += (packets_of(flow, timing) - 1) * std::uint64_t{timing.slot_cycles};
        if (*flow.latency_cycles < least)
            fail(fmt::format("a latency of {} cycles; without any waiting it is {}", *flow.latency_cycles,
                             least));
    }
    return problem;
}

/// The links that all paths of a flow lead over, whatever is chosen.
std::vector<std::uint32_t> unavoidable_links(const std::vector<SlotPath>& paths)
{
    std::vector<std::uint32_t> links;
    for (const TimedLink& each : paths.front().links)
        links.push_back(each.link);
    for (const SlotPath& other : paths)
        std::erase_if(links, [&](std::uint32_t link) {
            return std::ranges::find(other.links, link, &TimedLink::link) == other.links.end();
        });
    return links;
}

/// How many slots a period has at least, more than it has in this one, and why.
struct Shortage {
    std::uint64_t least = 0;
    std::string reason;
};

/// Of a link that is asked for more slots than it has, whatever is chosen; nothing if there is none.
std::optional<Shortage> oversubscribed_link(const SlotProblem& problem)
{
    const SlotLinks links(problem.topology);
    std::vector<std::uint64_t> demand(links.count());
    std::vector<std::uint32_t> flows(links.count());
    for (std::size_t flow = 0; flow < problem.flows.size(); ++flow)
        for (const std::uint32_t link : unavoidable_links(problem.paths[flow])) {
            demand[link] += problem.slots_needed(flow);
            ++flows[link];
        }
    std::uint32_t worst = 0;
    for (std::uint32_t link = 0; link < demand.size(); ++link)
        worst = demand[link] > demand[worst] ? link : worst;
    if (demand[worst] <= problem.slots)
        return std::nullopt;
    return Shortage{demand[worst],
                    fmt::format("{} is asked for {} slots of {} by {} flow{} whose paths all lead over it",
                                links.name(worst), demand[worst], problem.slots, flows[worst],
                                flows[worst] == 1 ? "" : "s")};
}

std::optional<Shortage> find_shortage(const SlotProblem& problem, const SlotSearch& search)
{
    if (std::optional<Shortage> link = oversubscribed_link(problem))
        return link;
    const std::uint32_t least = least_slots(problem);
    if (least <= problem.slots)
        return std::nullopt;
    return Shortage{least,
                    fmt::format("some channels are asked for {} slots of {}, on up to {} paths a flow of at "
                                "most {} hops beyond minimal ones",
                                least, problem.slots, search.paths, search.slack)};
}

FoundSlots checked_slots(const SlotProblem& problem, SlotTable table, std::string engine)
{
    const std::vector<std::string> violations =
        check_slots(problem.topology, problem.timing, problem.flows, table);
    if (!violations.empty())
        throw std::logic_error(fmt::format("slots by the engine {}: {}", engine, violations.front()));
    return {std::move(table), std::move(engine)};
}

/// By what counts its effort: lists, then packings.
FoundSlots heuristic_slots(const SlotProblem& problem, const std::vector<SlotQuotient>& quotients,
                           const SearchEnd& end)
{
    if (std::optional<SlotTable> table = list_slots(problem, end))
        return checked_slots(problem, std::move(*table), "list");
    for (const SlotQuotient& quotient : quotients)
        if (std::optional<SlotTable> table = pack_slots(problem, quotient, end))
            return checked_slots(problem, std::move(*table), "packing");
    return {};
}

/// None where latencies are asked for, which packings do not know.
std::vector<SlotQuotient> quotients_of(const SlotProblem& problem, const SearchEnd& end)
{
    const bool has_latencies = std::ranges::any_of(
        problem.flows, [](const GuaranteedFlow& flow) { return flow.latency_cycles.has_value(); });
    return has_latencies ? std::vector<SlotQuotient>{} : find_slot_quotients(problem, end);
}

FoundSlots exactly(const SlotProblem& problem, const SlotSearch& search)
{
    FoundSlots found = exact_slots(problem, search);
    return found.table ? checked_slots(problem, std::move(*found.table), "exact") : found;
}

FoundSlots slots_in_period(SlotProblem& problem, const SlotSearch& search)
{
    problem.slots = *search.slots;
    if (std::optional<Shortage> shortage = find_shortage(problem, search))
        return {{}, {}, std::move(shortage->reason), true};
    FoundSlots found = heuristic_slots(problem, quotients_of(problem, search.end), search.end);
    return found.table ? found : exactly(problem, search);
}

/// Those between the last one that has failed and the one that was found are shorter, and were passed over.
FoundSlots shorten(SlotProblem& problem, FoundSlots found, const std::vector<SlotQuotient>& quotients,
                   const SlotSearch& search, std::uint32_t last_failed)
{
    while (found.table->slots > last_failed + 1) {
        problem.slots = found.table->slots - 1;
        if (find_shortage(problem, search))
            break;
        FoundSlots shorter = heuristic_slots(problem, quotients, search.end);
        if (!shorter.table)
            break;
        found = std::move(shorter);
    }
    return found;
}

/// An exact search in the periods that have failed, the shortest first, as long as it is small; what was
/// found if that finds nothing.
FoundSlots shorten_exactly(SlotProblem& problem, FoundSlots found, const std::vector<std::uint32_t>& failed,
                           SlotSearch search)
{
    constexpr std::size_t most_starts = 20'000; ///< flows times slots
    constexpr std::uint64_t share = 10;         ///< of the conflicts, for each period
    search.conflicts = (search.conflicts + share - 1) / share;
    for (const std::uint32_t slots : failed) {
        problem.slots = slots;
        if (problem.flows.size() * slots > most_starts)
            break;
        if (FoundSlots shorter = exactly(problem, search); shorter.table)
            return shorter;
    }
    return found;
}

FoundSlots slots_in_shortest_period(SlotProblem& problem, const SlotSearch& search)
{
    constexpr std::size_t gapless = 8; ///< failures; longer periods are tried ever less often after them
    std::optional<std::vector<SlotQuotient>> quotients;
    std::vector<std::uint32_t> failed; ///< periods, ascending
    FoundSlots found;
    for (std::uint64_t slots = 1; !found.table;
         slots = std::min<std::uint64_t>(slots, longest_period_tried)) {
        problem.slots = static_cast<std::uint32_t>(slots);
        if (std::optional<Shortage> shortage = find_shortage(problem, search)) {
            found = {{}, {}, std::move(shortage->reason), true};
            slots = std::max(slots + 1, shortage->least);
        } else {
            if (!quotients)
                quotients = quotients_of(problem, search.end);
            found = heuristic_slots(problem, *quotients, search.end);
            if (!found.table)
                failed.push_back(problem.slots);
            slots += failed.size() < gapless ? 1 : 1 + slots / 8;
        }
        if (problem.slots == longest_period_tried)
            break;
    }
    if (found.table) {
        found = shorten(problem, std::move(found), *quotients, search, failed.empty() ? 0 : failed.back());
        return shorten_exactly(problem, std::move(found), failed, search);
    }
    for (const std::uint32_t slots : failed) {
        problem.slots = slots;
        found = exactly(problem, search);
        if (found.table)
            break;
    }
    return found;
}

} // namespace

bool SlotProblem::suffices(std::size_t flow, const FlowSlots& given) const
{
    return given.starts.size() >= slots_needed(flow) &&
           (!flows[flow].latency_cycles ||
            contract_of(topology, timing, flows[flow], given, slots).latency_cycles <=
                *flows[flow].latency_cycles);
}

FoundSlots find_slots(const Topology& topology, const SlotTiming& timing,
                      const std::vector<GuaranteedFlow>& flows, const SlotSearch& search)
{
    if (flows.empty())
        throw std::invalid_argument("there is no flow to guarantee");
    if (flows.size() > most_flows)
        throw std::invalid_argument(fmt::format("{} flows; at most {}", flows.size(), most_flows));
    if (search.slots && (*search.slots == 0 || *search.slots > most_slots))
        throw std::invalid_argument(
            fmt::format("a period of {} slots: from 1 to {}", *search.slots, most_slots));
    SlotProblem problem = problem_with_paths(topology, timing, flows, search);
    if (search.slots)
        return slots_in_period(problem, search);
    return slots_in_shortest_period(problem, search);
}

} // namespace nocturne
