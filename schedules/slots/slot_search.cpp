#include "schedules/slots/slot_search.hpp"

#include "models/routing/paths.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_problem.hpp"

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

/// A link that is asked for more slots than it has, whatever is chosen; empty if there is none.
std::string oversubscribed_link(const SlotProblem& problem)
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
        return {};
    return fmt::format("{} is asked for {} slots of {} by {} flow{} whose paths all lead over it",
                       links.name(worst), demand[worst], problem.slots, flows[worst],
                       flows[worst] == 1 ? "" : "s");
}

FoundSlots checked_slots(const SlotProblem& problem, SlotTable table, std::string engine)
{
    const std::vector<std::string> violations =
        check_slots(problem.topology, problem.timing, problem.flows, table);
    if (!violations.empty())
        throw std::logic_error(fmt::format("slots by the engine {}: {}", engine, violations.front()));
    return {std::move(table), std::move(engine)};
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
        throw std::invalid_argument("no flow to guarantee anything to");
    if (flows.size() > most_flows)
        throw std::invalid_argument(fmt::format("{} flows; at most {}", flows.size(), most_flows));
    if (search.slots && (*search.slots == 0 || *search.slots > most_slots))
        throw std::invalid_argument(
            fmt::format("a period of {} slots: from 1 to {}", *search.slots, most_slots));
    SlotProblem problem = problem_with_paths(topology, timing, flows, search);
    std::vector<std::uint32_t> periods;
    for (std::uint32_t slots = search.slots.value_or(1); slots <= search.slots.value_or(longest_period_tried);
         slots *= 2)
        periods.push_back(slots);
    FoundSlots found;
    std::vector<std::uint32_t> open; ///< periods that lists find nothing for
    for (const std::uint32_t slots : periods) {
        problem.slots = slots;
        found.reason = oversubscribed_link(problem);
        found.is_proof = !found.reason.empty();
        if (found.is_proof)
            continue;
        if (std::optional<SlotTable> table = list_slots(problem, search.end))
            return checked_slots(problem, std::move(*table), "list");
        open.push_back(slots);
    }
    for (const std::uint32_t slots : open) {
        problem.slots = slots;
        found = exact_slots(problem, search);
        if (found.table)
            return checked_slots(problem, std::move(*found.table), "exact");
    }
    return found;
}

} // namespace nocturne
