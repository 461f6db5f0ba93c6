#include "tests/models/hardware/random_hardware.hpp"

namespace nocturne::test {

namespace {

Pipeline random_stages(SplitMix64& random)
{
    return Pipeline{random.below(4), 1 + random.below(3), random.below(4), random.below(4)};
}

} // namespace

HardwareConfig random_config(SplitMix64& random)
{
    const auto stages = [&] { return random_stages(random); };
    HardwareConfig config;
    config.cycle_ns = 0.001 * (1 + random.below(3000));
    config.flit_bytes = 1 + random.below(8);
    config.router = stages();
    config.crossbar = stages();
    config.link_cycles = 1 + random.below(3);
    config.credit_cycles = random.below(4);
    config.interface_cycles = 1 + random.below(3);
    config.buffer_flits = 0;
    config.vcs = 1 + random.below(4);
    return config;
}

Topology with_random_channels(const Topology& topology, SplitMix64& random)
{
    Topology result(topology.name());
    for (RouterId id = 0; id < topology.router_count(); ++id)
        result.add_router(topology.router_name(id));
    for (const Processor& processor : topology.processors())
        result.add_processor(processor.injection, processor.ejection, processor.name);
    for (Channel channel : topology.channels()) {
        channel.latency_cycles = 1 + random.below(3);
        channel.width_bytes = random.below(3) == 0 ? 1 + random.below(3) : 0;
        result.add_channel(channel);
    }
    result.set_tag_digits({topology.tag_digits().begin(), topology.tag_digits().end()});
    result.set_switches(topology.switches());
    if (topology.grid())
        result.set_grid(*topology.grid());
    result.set_default_ports(topology.default_ports());
    return result;
}

Topology with_random_parts(Topology topology, SplitMix64& random, const RandomParts& parts)
{
    const ClockRatio clocks[] = {{1, 1}, {1, 1}, {2, 3}, {3, 2}, {1, 2},
                                 {3, 4}, {4, 3}, {1, 4}, {2, 1}, {4, 1}};
    const auto is_chosen = [&] { return random.below(2) == 0; };
    const auto vcs = [&] { return parts.least_vcs + random.below(parts.most_vcs - parts.least_vcs + 1); };
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        RouterPart part;
        if (parts.pipelines && is_chosen())
            part.pipeline = random_stages(random);
        if (parts.clocks)
            part.clock = clocks[random.below(10)];
        if (parts.buffers && is_chosen())
            part.buffer_flits = 1 + random.below(9);
        if (parts.arbiters && is_chosen())
            part.arbiter = static_cast<ArbiterKind>(random.below(4));
        if (parts.least_vcs != 0 && is_chosen())
            part.vcs = vcs();
        if (parts.pools && is_chosen())
            part.pool_flits = 1 + random.below(9);
        if (parts.packets && is_chosen())
            part.packets = 1 + random.below(4);
        for (unsigned RouterPart::* const rate : {&RouterPart::injection_rate, &RouterPart::ejection_rate})
            if (parts.rates && is_chosen())
                part.*rate = 300 + random.below(6000);
        topology.set_part(id, part);
    }
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        Channel channel = topology.channel(id);
        if (parts.buffers && random.below(4) == 0)
            channel.buffer_flits = 1 + random.below(9);
        if (parts.least_vcs != 0 && random.below(4) == 0)
            channel.vcs = vcs();
        topology.set_channel(id, channel);
    }
    return topology;
}

} // namespace nocturne::test
