#include "schedules/slots/slot_table.hpp"

#include "schedules/slots/contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint32_t no_flow = ~0u;

std::string flow_text(const Topology& topology, const GuaranteedFlow& flow)
{
    return fmt::format("flow {} to {}", topology.processor(flow.source).name,
                       topology.processor(flow.destination).name);
}

/// Which flow has each cycle of each link, filled one packet after the other.
class LinkCycles {
public:
    LinkCycles(const SlotLinks& links, std::uint64_t period) : period_(period), owner_(links.count()) {}

    /// The flow that has one of these cycles already; the last packet's own where it takes one twice.
    std::uint32_t take(std::uint32_t flow, std::uint32_t link, std::uint64_t from, std::uint32_t cycles)
    {
        std::vector<std::uint32_t>& owners = owner_[link];
        if (owners.empty())
            owners.assign(period_, no_flow);
        std::uint32_t other = no_flow;
        for (std::uint64_t cycle = from; cycle < from + cycles; ++cycle) {
            std::uint32_t& owner = owners[cycle % period_];
            if (owner != no_flow)
                other = owner;
            owner = flow;
        }
        return other;
    }

private:
    std::uint64_t period_;
    std::vector<std::vector<std::uint32_t>> owner_; ///< by link: by cycle; empty while nothing has one
};

bool is_ascending_below(const std::vector<std::uint32_t>& starts, std::uint64_t period)
{
    return std::ranges::adjacent_find(starts, std::greater_equal()) == starts.end() &&
           (starts.empty() || starts.back() < period);
}

} // namespace

std::uint32_t packets_of(const GuaranteedFlow& flow, const SlotTiming& timing)
{
    return 1 + (flow.message_flits - 1) / timing.slot_flits;
}

std::uint64_t slots_for_rate(const GuaranteedFlow& flow, const SlotTiming& timing, std::uint32_t slots)
{
    const std::uint64_t cycles = std::uint64_t{packets_of(flow, timing)} * slots * timing.slot_cycles;
    return 1 + (cycles - 1) / flow.message_cycles;
}

std::string SlotLinks::name(std::uint32_t link) const
{
    if (link < topology.channel_count())
        return fmt::format("{}->{}", topology.router_name(topology.channel(link).source),
                           topology.router_name(topology.channel(link).target));
    const auto id = static_cast<ProcessorId>((link - topology.channel_count()) % topology.processor_count());
    const Processor& processor = topology.processor(id);
    return link < ejection(0)
               ? fmt::format("P{}->{}", processor.name, topology.router_name(processor.injection))
               : fmt::format("{}->P{}", topology.router_name(processor.ejection), processor.name);
}

std::vector<TimedLink> links_of(const SlotLinks& links, const SlotTiming& timing, const GuaranteedFlow& flow,
                                const Path& path)
{
    std::vector<TimedLink> result{{links.injection(flow.source), 0}};
    std::uint32_t after = timing.injection_cycles;
    for (const ChannelId channel : path) {
        result.push_back({channel, after});
        after += timing.channel_cycles[channel];
    }
    result.push_back({links.ejection(flow.destination), after});
    return result;
}

std::vector<std::string> check_slots(const Topology& topology, const SlotTiming& timing,
                                     const std::vector<GuaranteedFlow>& flows, const SlotTable& table)
{
    if (table.flows.size() != flows.size())
        throw std::invalid_argument(
            fmt::format("a slot table of {} flows for {}", table.flows.size(), flows.size()));
    std::vector<std::string> violations;
    const std::uint64_t period = table.period_cycles(timing);
    const SlotLinks links(topology);
    LinkCycles cycles(links, period);
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
        const GuaranteedFlow& flow = flows[i];
        const FlowSlots& given = table.flows[i];
        const std::string name = flow_text(topology, flow);
        if (!connects(topology, flow.source, flow.destination, given.path)) {
            violations.push_back(fmt::format("{}: its path does not lead there", name));
            continue;
        }
        if (!is_ascending_below(given.starts, period)) {
            violations.push_back(
                fmt::format("{}: its starts are not ascending cycles below {}", name, period));
            continue;
        }
        for (const std::uint32_t start : given.starts)
            for (const TimedLink& each : links_of(links, timing, flow, given.path))
                if (const std::uint32_t other = cycles.take(
                        i, each.link, std::uint64_t{start} + each.after_cycles, timing.slot_cycles);
                    other != no_flow)
                    violations.push_back(fmt::format(
                        "{}: its slot from cycle {} on of {} is in part that of {}", name,
                        (start + std::uint64_t{each.after_cycles}) % period, links.name(each.link),
                        other == i ? "its own" : flow_text(topology, flows[other])));
        if (const std::uint64_t needed = slots_for_rate(flow, timing, table.slots);
            given.starts.size() < needed)
            violations.push_back(
                fmt::format("{}: {} slots; its rate takes {}", name, given.starts.size(), needed));
        else if (const Contract contract = contract_of(topology, timing, flow, given, table.slots);
                 flow.latency_cycles && contract.latency_cycles > *flow.latency_cycles)
            violations.push_back(fmt::format("{}: a latency of up to {} cycles; {} are asked for", name,
                                             contract.latency_cycles, *flow.latency_cycles));
    }
    return violations;
}

} // namespace nocturne
