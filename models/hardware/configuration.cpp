#include "models/hardware/configuration.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace nocturne {

unsigned HardwareConfig::full_rate_buffer_flits(const Pipeline& pipeline, unsigned latency_cycles) const
{
    // Forth: switch traversal, link. There: a flit queues behind a head that is still being routed. Back:
    // link, credit.
    return (1 + pipeline.switch_traversal + latency_cycles) + pipeline.head_cycles() +
           (1 + latency_cycles + credit_cycles);
}

void HardwareConfig::validate() const
{
    const auto require = [](bool holds, auto value, const char* name, const char* range) {
        if (!holds)
            throw std::invalid_argument(fmt::format("hardware: {} = {}: it must be {}", name, value, range));
    };
    const auto finite_from = [](double value, double least) {
        return std::isfinite(value) && value >= least;
    };
    require(finite_from(cycle_ns, 0.001) && cycle_ns <= 1e6, cycle_ns, "cycle_ns", "from 0.001 to 1000000");
    require(std::abs(cycle_ns * 1000 - std::round(cycle_ns * 1000)) < 1e-6, cycle_ns, "cycle_ns",
            "a multiple of 0.001");
    require(flit_bytes >= 1 && flit_bytes <= 4096, flit_bytes, "flit_bytes", "from 1 to 4096");
    require(finite_from(t0_ns, 0) && t0_ns <= 1e12, t0_ns, "t0_ns", "from 0 to 1e12");
    require(link_cycles >= 1 && link_cycles <= 1000, link_cycles, "link_cycles", "from 1 to 1000");
    require(credit_cycles <= 1000, credit_cycles, "credit_cycles", "from 0 to 1000");
    require(interface_cycles >= 1 && interface_cycles <= 1000, interface_cycles, "interface_cycles",
            "from 1 to 1000");
    require(buffer_flits <= 65536, buffer_flits, "buffer_flits", "from 0 to 65536");
    require(vcs >= 1 && vcs <= 32, vcs, "vcs", "from 1 to 32");
    for (const Pipeline& stages : {router, crossbar}) {
        require(stages.route_computation <= 100, stages.route_computation, "route_computation",
                "from 0 to 100");
        require(stages.vc_allocation >= 1 && stages.vc_allocation <= 100, stages.vc_allocation,
                "vc_allocation", "from 1 to 100");
        require(stages.switch_allocation <= 100, stages.switch_allocation, "switch_allocation",
                "from 0 to 100");
        require(stages.switch_traversal <= 100, stages.switch_traversal, "switch_traversal", "from 0 to 100");
    }
}

} // namespace nocturne
