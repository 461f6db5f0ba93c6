#include "testbenches/soc_platform/timeline.hpp"

#include <fmt/format.h>

namespace nocturne::soc_platform {

double in_ns(const sc_core::sc_time& time)
{
    return time / sc_core::sc_time(1, sc_core::SC_NS);
}

ChannelWatch::ChannelWatch(const Platform& platform)
    : network_(platform.fabric().plan().network), cycle_ns_(platform.fabric().config().hardware.cycle_ns)
{
    for (sc_core::sc_object* child : platform.fabric().get_child_objects())
        watch(*child);
}

void ChannelWatch::watch(sc_core::sc_object& object)
{
    auto* const link = dynamic_cast<Link*>(&object);
    if (link != nullptr && link->config().index < network_.channel_count())
        link->observe(*this);
    for (sc_core::sc_object* child : object.get_child_objects())
        watch(*child);
}

void ChannelWatch::head_enters(std::uint32_t link, unsigned vc, PacketId, Cycle at)
{
    heads_[{link, vc}] = at;
}

void ChannelWatch::tail_enters(std::uint32_t link, unsigned vc, PacketId, Cycle at)
{
    spans_.push_back({"links", describe_channel(network_, link), fmt::format("virtual channel {}", vc),
                      static_cast<double>(heads_[{link, vc}]) * cycle_ns_,
                      static_cast<double>(at + 1) * cycle_ns_});
}

std::vector<TimelineSpan> timeline_of(const Platform& platform)
{
    std::vector<TimelineSpan> spans;
    for (unsigned tile = 0; tile < platform.tiles(); ++tile)
        for (const Phase& phase : platform.processor(tile).phases())
            spans.push_back({"processors", fmt::format("cpu {}", tile), phase.name, in_ns(phase.begin),
                             in_ns(phase.end)});
    const FabricPlan& plan = platform.fabric().plan();
    for (const FabricTransaction& each : platform.fabric().transactions())
        spans.push_back(
            {"transactions", plan.network.processor(plan.initiator_interface(each.flow / plan.targets)).name,
             fmt::format("{} {} bytes, {}", each.command == tlm::TLM_WRITE_COMMAND ? "write" : "read",
                         each.bytes,
                         plan.network.processor(plan.target_interface(each.flow % plan.targets)).name),
             in_ns(each.began), in_ns(each.ended)});
    return spans;
}

} // namespace nocturne::soc_platform
