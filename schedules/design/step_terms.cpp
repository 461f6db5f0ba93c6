#include "schedules/design/step_terms.hpp"

#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/design/design.hpp"

namespace nocturne::design {
namespace {

Problem problem_on(const Candidate& candidate, CollectiveKind kind)
{
    Design design;
    design.links.assign(candidate.links.begin(), candidate.links.end());
    Topology topology = to_topology(candidate.request, design, "candidate");
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return {std::move(topology), make_collective(kind, CollectiveShape{processors}), all_port};
}

} // namespace

ExtraTerm scatter_steps(double weight, const Request& request)
{
    std::uint64_t channels = 0; // at most
    for (NodeId node = 0; node < request.nodes; ++node)
        channels += request.degree(node);
    return {"scatter steps", weight,
            [](const Candidate& candidate) {
                const FlowSolution flow = solve_flow(problem_on(candidate, CollectiveKind::alltoall));
                return static_cast<double>(flow.distance) / static_cast<double>(flow.capacity);
            },
            // Each hop of a message takes a channel for a step.
            1 / static_cast<double>(channels)};
}

ExtraTerm broadcast_steps(double weight)
{
    return {"broadcast steps", weight, [](const Candidate& candidate) {
                return static_cast<double>(
                    lower_bound(problem_on(candidate, CollectiveKind::allgather)).steps);
            }};
}

} // namespace nocturne::design
