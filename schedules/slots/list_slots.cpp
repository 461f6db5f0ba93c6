// Slots for one flow after the other.
#include "models/topology/indices_by.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_problem.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

namespace {

constexpr unsigned list_rounds = 32;
constexpr std::uint64_t most_places = 1'000'000; ///< that are looked at in all rounds together

/// Which units of which links are taken.
class SlotOccupancy {
public:
    explicit SlotOccupancy(const SlotProblem& problem)
        : problem_(problem), taken_(SlotLinks(problem.topology).count())
    {
    }

    bool is_free(const SlotPath& path, std::uint32_t start) const
    {
        return std::ranges::all_of(path.links, [&](const TimedLink& link) {
            const std::vector<bool>& taken = taken_[link.link];
            if (taken.empty())
                return true;
            for (std::uint32_t i = 0; i < problem_.units_of_slot(); ++i)
                if (taken[(start + problem_.units_after(link) + i) % problem_.units()])
                    return false;
            return true;
        });
    }
    void set(const SlotPath& path, std::uint32_t start, bool is_taken)
    {
        for (const TimedLink& link : path.links) {
            std::vector<bool>& taken = taken_[link.link];
            taken.resize(problem_.units());
            for (std::uint32_t i = 0; i < problem_.units_of_slot(); ++i)
                taken[(start + problem_.units_after(link) + i) % problem_.units()] = is_taken;
        }
    }

private:
    const SlotProblem& problem_;
    std::vector<std::vector<bool>> taken_; ///< by link; empty while nothing is
};

struct ListedFlow {
    std::size_t path = 0;
    FlowSlots slots;
    std::uint64_t latency = ~std::uint64_t{0};
};

/// So many starts from this one on, as evenly spaced as what is free allows; fewer if there are no more.
FlowSlots spaced_slots(const SlotProblem& problem, SlotOccupancy& occupancy, const SlotPath& path,
                       std::uint32_t first, std::uint32_t count)
{
    std::vector<std::uint32_t> units;
    std::uint32_t next = 0; ///< behind `first`
    for (std::uint32_t i = 0; i < count; ++i) {
        next = std::max<std::uint32_t>(
            next, static_cast<std::uint32_t>(std::uint64_t{i} * problem.units() / count));
        while (next < problem.units() && !occupancy.is_free(path, (first + next) % problem.units()))
            ++next;
        if (next >= problem.units())
            break;
        units.push_back((first + next) % problem.units());
        occupancy.set(path, units.back(), true);
    }
    for (const std::uint32_t unit : units)
        occupancy.set(path, unit, false);
    std::ranges::sort(units);
    FlowSlots slots{path.path, {}};
    for (const std::uint32_t unit : units)
        slots.starts.push_back(unit * problem.unit_cycles);
    return slots;
}

/// The best place for a flow; without starts if there is none.
ListedFlow best_place(const SlotProblem& problem, SlotOccupancy& occupancy, std::size_t flow,
                      std::uint64_t& places)
{
    const GuaranteedFlow& wanted = problem.flows[flow];
    for (std::uint64_t count = problem.slots_needed(flow); count <= problem.slots; ++count) {
        ListedFlow best;
        for (std::size_t path = 0; path < problem.paths[flow].size(); ++path)
            for (std::uint32_t first = 0; first < 1 + problem.units() / count; ++first) {
                ++places;
                FlowSlots slots = spaced_slots(problem, occupancy, problem.paths[flow][path], first,
                                               static_cast<std::uint32_t>(count));
                if (slots.starts.size() < count)
                    continue;
                const std::uint64_t latency =
                    contract_of(problem.topology, problem.timing, wanted, slots, problem.slots)
                        .latency_cycles;
                if (latency < best.latency)
                    best = {path, std::move(slots), latency};
            }
        if (best.slots.starts.empty() || !wanted.latency_cycles || best.latency <= *wanted.latency_cycles)
            return best;
    }
    return {};
}

} // namespace

std::optional<SlotTable> list_slots(const SlotProblem& problem, const SearchEnd& end)
{
    const auto is_tight_and_demand = [&](std::size_t flow) {
        return std::pair(problem.flows[flow].latency_cycles.has_value(),
                         problem.slots_needed(flow) * problem.paths[flow].front().links.size());
    };
    auto order = indices_by<std::size_t>(problem.flows.size(), is_tight_and_demand, std::greater());
    std::uint64_t places = 0;
    for (unsigned round = 0; round < list_rounds; ++round) {
        SlotOccupancy occupancy(problem);
        SlotTable table{problem.slots, std::vector<FlowSlots>(problem.flows.size())};
        auto at = order.begin();
        for (; at != order.end(); ++at) {
            if (places > most_places || end.has_come())
                return std::nullopt;
            ListedFlow place = best_place(problem, occupancy, *at, places);
            if (place.slots.starts.empty())
                break;
            for (const std::uint32_t start : place.slots.starts)
                occupancy.set(problem.paths[*at][place.path], start / problem.unit_cycles, true);
            table.flows[*at] = std::move(place.slots);
        }
        if (at == order.end())
            return table;
        if (at == order.begin())
            return std::nullopt; // not even alone
        std::rotate(order.begin(), at, at + 1);
    }
    return std::nullopt;
}

} // namespace nocturne
