#include "models/fabric/fabric_activity.hpp"

#include "models/hardware/kernel.hpp"

#include <stdexcept>

namespace nocturne {

namespace {

class LinkCounts {
public:
    explicit LinkCounts(const FabricPlan& plan)
        : plan_(plan), links_(plan.network.channel_count() + 2 * plan.network.processor_count())
    {
    }

    void add(Leg leg, FlowId flow, LinkActivity moved)
    {
        const std::size_t injection = plan_.network.channel_count();
        const std::size_t ejection = injection + plan_.network.processor_count();
        add(injection + plan_.source(leg, flow), moved);
        for (const Hop& hop : plan_.route(leg, flow))
            add(hop.channel, moved);
        add(ejection + plan_.destination(leg, flow), moved);
    }

    std::vector<LinkActivity> links() && { return std::move(links_); }

private:
    void add(std::size_t link, LinkActivity moved)
    {
        links_[link].flits += moved.flits;
        links_[link].packets += moved.packets;
    }

    const FabricPlan& plan_;
    std::vector<LinkActivity> links_;
};

} // namespace

Activity fabric_activity(const Fabric& fabric)
{
    if (fabric.config().timing == FabricTiming::fixed)
        throw std::invalid_argument("fabric: timing fixed has no network in which anything moves");
    const FabricPlan& plan = fabric.plan();
    LinkCounts counts(plan);
    for (std::uint32_t initiator = 0; initiator < plan.initiators; ++initiator)
        for (std::uint32_t target = 0; target < plan.targets; ++target) {
            const FabricFlowStats& stats = fabric.stats(initiator, target);
            const FlowId flow = plan.flow(initiator, target);
            counts.add(Leg::request, flow, {stats.request_flits, stats.transactions});
            counts.add(Leg::response, flow, {stats.response_flits, stats.transactions});
        }
    const sc_core::sc_time cycle = exact_time(fabric.config().hardware.cycle_ns, "hardware: cycle_ns");
    return {std::move(counts).links(), sc_core::sc_time_stamp().value() / cycle.value()};
}

} // namespace nocturne
