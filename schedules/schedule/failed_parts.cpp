#include "schedules/schedule/failed_parts.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace nocturne {
namespace {

class FailedParts {
public:
    FailedParts(const Topology& topology, const Faults& faults)
        : topology_(topology), channels_(topology.channel_count(), false),
          routers_(topology.router_count(), false)
    {
        for (const ChannelId channel : faults.channels)
            channels_[channel] = true;
        for (const RouterId router : faults.routers)
            routers_[router] = true;
        for (ChannelId id = 0; id < topology.channel_count(); ++id)
            channels_[id] = channels_[id] || routers_[topology.channel(id).source] ||
                            routers_[topology.channel(id).target];
    }

    /// What of it has failed, in words; nothing if nothing has.
    std::optional<std::string> hit(const Transfer& transfer) const
    {
        for (const std::uint32_t node : {transfer.source, transfer.destination})
            if (node < topology_.processor_count() && has_failed(topology_.processor(node)))
                return fmt::format("processor {}", topology_.processor(node).name);
        for (const ChannelId id : transfer.links())
            if (id < channels_.size() && channels_[id])
                return fmt::format("channel {}>{}", topology_.router_name(topology_.channel(id).source),
                                   topology_.router_name(topology_.channel(id).target));
        return std::nullopt;
    }

private:
    bool has_failed(const Processor& processor) const
    {
        return routers_[processor.injection] || routers_[processor.ejection];
    }

    const Topology& topology_;
    std::vector<bool> channels_;
    std::vector<bool> routers_;
};

} // namespace

std::vector<Violation> transfers_hit_by(const Schedule& schedule, const Topology& topology,
                                        const Faults& faults)
{
    const FailedParts failed(topology, faults);
    std::vector<Violation> found;
    for (std::size_t step = 0; step < schedule.steps.size(); ++step)
        for (std::size_t index = 0; index < schedule.steps[step].size(); ++index)
            if (const auto part = failed.hit(schedule.steps[step][index]))
                found.push_back(
                    {.rule = Rule::failed_part,
                     .step = is_in_steps(schedule) ? std::optional(step) : std::nullopt,
                     .transfer = index,
                     .text = fmt::format("{}: {} has failed",
                                         describe_transfer(schedule, topology, step, index), *part)});
    return found;
}

} // namespace nocturne
