#include "schedules/constructions/processor_ring.hpp"

#include <algorithm>
#include <set>

namespace nocturne {

std::vector<ProcessorId> ring_members(const Collective& collective)
{
    std::set<ProcessorId> members;
    if (collective.parts == 1 && (collective.kind == CollectiveKind::allgather ||
                                  collective.kind == CollectiveKind::many_to_many_broadcast))
        for (const Message& message : collective.messages()) {
            members.insert(message.origin);
            members.insert(message.receivers.begin(), message.receivers.end());
        }
    return {members.begin(), members.end()};
}

Schedule circulate(const Problem& problem, const ProcessorRing& ring, std::string_view engine)
{
    const std::size_t members = ring.order.size();
    const std::size_t back_hops = ring.back.empty() ? 0 : (members - 1) / 2;
    const std::size_t onward_hops = members - 1 - back_hops;
    std::vector<bool> receives(problem.topology.processor_count());
    for (const Demand& demand : problem.collective.demands)
        receives[demand.receiver] = true;
    const auto member = [&](std::size_t place) { return ring.order[place % members]; };

    Schedule schedule = empty_schedule(problem, engine);
    const std::uint32_t parts = problem.collective.parts;
    schedule.steps.resize(parts * onward_hops);
    for (MessageId id = 0; id < problem.collective.messages().size(); ++id) {
        const auto found = std::ranges::find(ring.order, problem.collective.messages()[id].origin);
        const auto origin = static_cast<std::size_t>(found - ring.order.begin());
        const auto steps = schedule.steps.begin() + static_cast<std::ptrdiff_t>(id % parts * onward_hops);
        std::size_t last = onward_hops; // receiver this way
        while (last > 0 && !receives[member(origin + last)])
            --last;
        for (std::size_t hop = 0; hop < last; ++hop)
            steps[static_cast<std::ptrdiff_t>(hop)].emplace_back(
                id, member(origin + hop), member(origin + hop + 1), ring.onward[(origin + hop) % members]);
        last = back_hops;
        while (last > 0 && !receives[member(origin + members - last)])
            --last;
        for (std::size_t hop = 0; hop < last; ++hop) {
            const std::size_t at = origin + members - hop;
            steps[static_cast<std::ptrdiff_t>(hop)].emplace_back(id, member(at), member(at - 1),
                                                                 ring.back[(at - 1) % members]);
        }
    }
    std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
    return schedule;
}

} // namespace nocturne
