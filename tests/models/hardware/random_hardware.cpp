#include "tests/models/hardware/random_hardware.hpp"

namespace nocturne::test {

HardwareConfig random_config(SplitMix64& random)
{
    const auto stages = [&] {
        return Pipeline{random.below(4), 1 + random.below(3), random.below(4), random.below(4)};
    };
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

} // namespace nocturne::test
