#include "schedules/constructions/hamiltonian_ring.hpp"

#include "schedules/constructions/hamiltonian_cycle.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/constructions/processor_ring.hpp"
#include "schedules/schedule/validator.hpp"

namespace nocturne {

std::optional<Schedule> hamiltonian_ring(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const std::vector<ProcessorId> members = ring_members(problem.collective);
    std::vector<std::vector<ProcessorId>> processors(topology.router_count());
    std::vector<RouterId> routers;
    for (const ProcessorId p : members) {
        const Processor& processor = topology.processor(p);
        if (processor.injection != processor.ejection)
            return std::nullopt;
        if (processors[processor.injection].empty())
            routers.push_back(processor.injection);
        processors[processor.injection].push_back(p);
    }
    const auto cycle = find_hamiltonian_cycle(topology, routers);
    if (!cycle)
        return std::nullopt;

    ProcessorRing ring;
    bool both_ways = common_ports(problem) >= 2;
    for (std::size_t i = 0; i < cycle->size(); ++i) {
        const RouterId at = (*cycle)[i], next = (*cycle)[(i + 1) % cycle->size()];
        const auto& here = processors[at];
        ring.order.insert(ring.order.end(), here.begin(), here.end());
        ring.onward.resize(ring.order.size() - 1); // empty paths between processors at one router
        ring.onward.push_back({*find_channel(topology, at, next)});
        ring.back.resize(ring.order.size() - 1);
        const auto back = find_channel(topology, next, at);
        both_ways = both_ways && back;
        ring.back.push_back(back ? Path{*back} : Path{});
    }
    if (!both_ways)
        ring.back.clear();
    Schedule schedule = circulate(problem, ring, "construct, Hamiltonian ring");
    if (!keeps_transfer_rules(problem, schedule)) // it relays what must go straight
        return std::nullopt;
    return schedule;
}

} // namespace nocturne
