#include "schedules/slots/slot_quotient.hpp"

#include "schedules/collective/collective.hpp"
#include "schedules/scatter/subgroups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace nocturne {

namespace {

constexpr std::uint32_t none = ~0u;
constexpr std::size_t most_quotients = 3; ///< beside that of the identity

std::uint32_t image(const SlotLinks& links, const Symmetry& symmetry, std::uint32_t link)
{
    const auto channels = static_cast<std::uint32_t>(links.topology.channel_count());
    if (link < channels)
        return symmetry.channels[link];
    const auto processors = static_cast<std::uint32_t>(links.topology.processor_count());
    return link < links.ejection(0) ? links.injection(symmetry.processors[link - channels])
                                    : links.ejection(symmetry.processors[link - channels - processors]);
}

/// Orbits of links. Those that some symmetry beside the identity keeps have none: a path over one would meet
/// its own image there. False if links of one orbit have different delays.
bool add_resources(const SlotProblem& problem, SlotQuotient& quotient)
{
    const SlotLinks links(problem.topology);
    const std::size_t channels = problem.topology.channel_count();
    quotient.resources.assign(links.count(), none);
    std::vector<bool> is_known(links.count());
    for (std::uint32_t link = 0; link < links.count(); ++link) {
        if (is_known[link])
            continue;
        std::set<std::uint32_t> orbit;
        for (const Symmetry& element : quotient.elements)
            orbit.insert(image(links, element, link));
        for (const std::uint32_t other : orbit) {
            is_known[other] = true;
            if (link < channels &&
                problem.timing.channel_cycles[other] != problem.timing.channel_cycles[link])
                return false;
            if (orbit.size() == quotient.elements.size())
                quotient.resources[other] = quotient.resource_count;
        }
        if (orbit.size() == quotient.elements.size())
            ++quotient.resource_count;
    }
    return true;
}

bool add_flows(const SlotProblem& problem, SlotQuotient& quotient)
{
    std::map<std::pair<ProcessorId, ProcessorId>, std::uint32_t> numbers;
    for (std::uint32_t flow = 0; flow < problem.flows.size(); ++flow)
        if (!numbers.emplace(std::pair(problem.flows[flow].source, problem.flows[flow].destination), flow)
                 .second &&
            quotient.elements.size() > 1)
            return false; // two between the same processors
    quotient.images.assign(problem.flows.size(), {none, 0});
    for (std::uint32_t flow = 0; flow < problem.flows.size(); ++flow) {
        if (quotient.images[flow].orbit != none)
            continue;
        const auto orbit = static_cast<std::uint32_t>(quotient.first_flow.size());
        quotient.first_flow.push_back(flow);
        for (std::uint32_t element = 0; element < quotient.elements.size(); ++element) {
            std::uint32_t other = flow;
            if (element > 0) {
                GuaranteedFlow there = problem.flows[flow];
                there.source = quotient.elements[element].processors[there.source];
                there.destination = quotient.elements[element].processors[there.destination];
                const auto found = numbers.find({there.source, there.destination});
                if (found == numbers.end() || problem.flows[found->second] != there)
                    return false;
                other = found->second;
            }
            if (quotient.images[other].orbit != none)
                return false;
            quotient.images[other] = {orbit, element};
        }
    }
    return true;
}

/// The collective of the flows, if they are all pairs of two sets and ask for the same.
std::optional<Collective> collective_of(const SlotProblem& problem)
{
    std::set<std::uint32_t> sources, destinations;
    std::set<std::pair<ProcessorId, ProcessorId>> pairs;
    for (const GuaranteedFlow& flow : problem.flows) {
        GuaranteedFlow same = problem.flows.front();
        same.source = flow.source;
        same.destination = flow.destination;
        if (flow != same || !pairs.emplace(flow.source, flow.destination).second)
            return std::nullopt;
        sources.insert(flow.source);
        destinations.insert(flow.destination);
    }
    std::size_t both = 0;
    for (const std::uint32_t source : sources)
        both += destinations.count(source);
    if (pairs.size() != sources.size() * destinations.size() - both)
        return std::nullopt;
    return many_to_many_scatter({static_cast<std::uint32_t>(problem.topology.processor_count())},
                                {sources.begin(), sources.end()}, {destinations.begin(), destinations.end()});
}

/// The cells of a path; nothing if it meets an image of itself.
std::optional<PackingOption> option_of(const SlotProblem& problem, const SlotQuotient& quotient,
                                       const SlotPath& path)
{
    PackingOption option;
    std::set<std::pair<std::uint32_t, std::uint32_t>> cells;
    for (const TimedLink& link : path.links)
        for (std::uint32_t i = 0; i < problem.units_of_slot(); ++i) {
            const PackingCell cell{quotient.resources[link.link],
                                   (problem.units_after(link) + i) % problem.units()};
            if (cell.resource == none || !cells.emplace(cell.resource, cell.after_units).second)
                return std::nullopt;
            option.push_back(cell);
        }
    return option;
}

} // namespace

std::optional<SlotQuotient> make_slot_quotient(const SlotProblem& problem, std::vector<Symmetry> elements)
{
    SlotQuotient quotient{std::move(elements), {}, 0, {}, {}};
    if (!add_resources(problem, quotient) || !add_flows(problem, quotient))
        return std::nullopt;
    return quotient;
}

std::vector<SlotQuotient> find_slot_quotients(const SlotProblem& problem, const SearchEnd& end)
{
    std::vector<SlotQuotient> result;
    if (const std::optional<Collective> collective = collective_of(problem))
        for (Subgroup& group : find_free_subgroups(make_problem(problem.topology, *collective), {.end = end},
                                                   Reversal::excluded)) {
            if (result.size() == most_quotients)
                break;
            if (std::optional<SlotQuotient> quotient = make_slot_quotient(problem, std::move(group.elements)))
                result.push_back(std::move(*quotient));
        }
    result.push_back(*make_slot_quotient(problem, {identity(problem.topology)}));
    return result;
}

std::optional<SlotTable> pack_slots(const SlotProblem& problem, const SlotQuotient& quotient,
                                    const SearchEnd& end)
{
    // Enough for an all-to-all on a torus of 10x10 near its bound, and a second or so.
    constexpr std::uint64_t least_placings = 20'000, placings_of_job = 5'000, most_cells = 2'000'000'000;
    std::vector<PackingJob> jobs;
    std::vector<std::vector<std::uint32_t>> paths; ///< by job, then option
    for (const std::uint32_t flow : quotient.first_flow) {
        PackingJob& job =
            jobs.emplace_back(PackingJob{static_cast<std::uint32_t>(problem.slots_needed(flow)), {}});
        std::vector<std::uint32_t>& own = paths.emplace_back();
        for (std::uint32_t path = 0; path < problem.paths[flow].size(); ++path)
            if (auto option = option_of(problem, quotient, problem.paths[flow][path])) {
                job.options.push_back(std::move(*option));
                own.push_back(path);
            }
        if (job.options.empty())
            return std::nullopt;
    }
    const auto places = pack({quotient.resource_count, problem.units()}, jobs,
                             {least_placings + placings_of_job * jobs.size(), most_cells, end});
    if (!places)
        return std::nullopt;
    SlotTable table{problem.slots, {}};
    for (const SlotQuotient::Image& each : quotient.images) {
        const PackingPlace& place = (*places)[each.orbit];
        const SlotPath& path =
            problem.paths[quotient.first_flow[each.orbit]][paths[each.orbit][place.option]];
        FlowSlots& slots = table.flows.emplace_back();
        slots.path = image(quotient.elements[each.element], path.path);
        for (const std::uint32_t start : place.starts)
            slots.starts.push_back(start * problem.unit_cycles);
    }
    return table;
}

} // namespace nocturne
