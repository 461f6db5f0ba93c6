#include "sim/contracts/contract_hardware.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

void require_exact_routers(const Topology& topology, const HardwareConfig& hardware)
{
    const auto refuse = [&](const std::string& what) {
        throw std::invalid_argument(fmt::format("{}: contracts: {}", topology.name(), what));
    };
    if (hardware.allocation.arbiter != ArbiterKind::priority)
        refuse(fmt::format("arbiters of the kind {}; guaranteed packets need --arbiter priority",
                           to_string(hardware.allocation.arbiter)));
    if (hardware.allocation.switch_allocator == AllocatorKind::wavefront)
        refuse("a wavefront switch allocator knows no priority");
    if (hardware.pipeline_of(topology).speculation != Speculation::none)
        refuse("in a speculative pipeline heads come behind all flits that have their virtual channel");
    if (const std::string own = own_property(topology, {"pipeline", "buffers", "pool", "vcs", "packets",
                                                        "arbiter", "clock", "injection", "ejection"});
        !own.empty())
        refuse(own + ", and slots are those of routers and links that are all alike");
}

void require_full_rate(const Topology& topology, const HardwareConfig& hardware, const std::string& link,
                       unsigned latency_cycles)
{
    const Pipeline& pipeline = hardware.pipeline_of(topology);
    const unsigned needed = hardware.full_rate_buffer_flits(pipeline, latency_cycles);
    if (hardware.buffer_depth(pipeline, latency_cycles) < needed)
        throw std::invalid_argument(fmt::format(
            "{}: contracts: {}: in buffers of {} flits a guaranteed packet could wait for a credit; {} are "
            "needed, --buffer-flits 0 gives each link what it needs",
            topology.name(), link, hardware.buffer_flits, needed));
}

} // namespace

SlotTiming slot_timing(const Topology& topology, const HardwareConfig& hardware, std::uint32_t slot_flits)
{
    if (slot_flits == 0 || slot_flits > most_slot_flits)
        throw std::invalid_argument(
            fmt::format("slots of {} flits: from 1 to {}", slot_flits, most_slot_flits));
    hardware.validate();
    require_exact_routers(topology, hardware);
    const Pipeline& pipeline = hardware.pipeline_of(topology);
    SlotTiming timing;
    timing.slot_flits = slot_flits;
    timing.slot_cycles = slot_flits + pipeline.head_cycles();
    timing.interface_cycles = hardware.interface_cycles;
    timing.injection_cycles = hardware.link_cycles + pipeline.cycles();
    timing.ejection_cycles = hardware.link_cycles;
    require_full_rate(topology, hardware, "injection", hardware.link_cycles);
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        const std::uint64_t latency = std::uint64_t{channel.latency_cycles} * hardware.link_cycles;
        if (latency > longest_latency_cycles)
            throw std::invalid_argument(fmt::format("{}: {}: a latency of {} cycles; at most {} are possible",
                                                    topology.name(), describe_channel(topology, id), latency,
                                                    longest_latency_cycles));
        if (hardware.cycles_per_flit(channel) > 1)
            throw std::invalid_argument(fmt::format(
                "{}: contracts: {} is narrower than a flit: a best-effort flit would hold it for {} cycles",
                topology.name(), describe_channel(topology, id), hardware.cycles_per_flit(channel)));
        require_full_rate(topology, hardware, describe_channel(topology, id), static_cast<unsigned>(latency));
        timing.channel_cycles.push_back(static_cast<std::uint32_t>(latency) + pipeline.cycles());
    }
    return timing;
}

VcClasses with_guaranteed_class(const VcClasses& best_effort)
{
    return best_effort.followed_by(VcClasses(1));
}

} // namespace nocturne
