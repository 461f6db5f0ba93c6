#include "models/topology/files.hpp"
#include "sim/rtl/verilog_text.hpp"
#include "sim/rtl/wormhole_text.hpp"

#include <fmt/format.h>

namespace nocturne {

std::string wormhole_readme(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                            const WormholePlan& plan, std::size_t packets)
{
    const Pipeline& pipeline = hardware.pipeline_of(topology);
    return fmt::format(
        R"(# {topology} as a wormhole network

Written by `nocturne export`: {routers} routers with input buffers, {vcs} a link, credits,
and allocators of one iteration of iSLIP; {processors} network interfaces with the routes of routing
{routing}.

| file | holds |
| --- | --- |
| wormhole_network.sv | the top level: for each processor an input and an output of flits |
| nocturne_*.sv but those of the bench | its parts |
| wormhole_bench.sv, nocturne_source.sv, nocturne_checker.sv | the bench |
| routes_P.hex | the routes from processor P, by destination |
| packets_P.hex, expected.hex | what the bench sends from processor P, and what has to come |

Tools run in this folder, where the images are; elsewhere the parameter `IMAGES` of network and bench names it
(`-Pwormhole_bench.IMAGES='"folder/"'`, `-GIMAGES='"folder/"'`):

    iverilog -g2012 -s wormhole_bench -o bench *.sv && ./bench
    verilator --binary --timing -Wall --top-module wormhole_bench *.sv && obj_dir/Vwormhole_bench
    yosys -p "read_verilog -sv -defer wormhole_network.sv nocturne_arbiter.sv nocturne_delay.sv \
              nocturne_input_channel.sv nocturne_interface.sv nocturne_order.sv nocturne_router.sv;
              synth -top wormhole_network; stat"

`verilator --binary` compiles with make, which needs a path without spaces; `-j 0` uses all cores. The first
build takes minutes for networks of tens of routers; Icarus starts at once and runs slower.

A processor takes a flit in every cycle, or has a buffer of EJECTION_FLITS flits for each virtual channel (a
parameter of the network) and says with `freed` when one has left it. `refused` tells of flits to destinations
that do not exist, which are dropped.

The bench sends {packets} packets, checks that each comes once, whole, in order and where it was sent to,
and ends with a line that begins with PASS or FAIL.

## Cycles

A packet of cycle c in a list has its first flit on the injection link in cycle c + {delay}, if there is a
credit. A head that finds everything free takes {rc} + {va} + {sa} + {st} cycles in a router (route
computation, virtual-channel allocation, switch allocation, switch traversal), a flit behind it the last two.
A credit can be used 1 + latency of the link + {credit} cycles after its flit has won the switch.

## Beside the simulation

With `+trace=FILE` the bench writes a line for each flit that enters a link: `CYCLE LINK VC DATA`. DATA is
hexadecimal: the last three digits are the flit's number in its packet, those before the packet's. Links:
{links}.

`nocturne traffic` sends the same packets over the same network, with `--routing {routing} --vcs {vcs_count}`,
the same options of the hardware, and `--trace packets.csv --packet-log log.csv`. In packets.csv, below the
header `cycle,source,destination,bytes,after`, a packet of packets_P.hex is a line, by packet number: its
cycle, `#P`, `#` and its destination, {flit_bytes} bytes for each of its flits, and nothing. In log.csv
`injected_cycle` is then the CYCLE in which its first flit is on its injection link, `created_cycle` 1 more
than the cycle in the list, and `ejected_cycle` 1 more than the CYCLE of its last flit on its ejection link.
)",
        fmt::arg("topology", one_line(topology.name())), fmt::arg("routers", topology.router_count()),
        fmt::arg("vcs", fmt::format("{} virtual channel{}", hardware.vcs, hardware.vcs == 1 ? "" : "s")),
        fmt::arg("vcs_count", hardware.vcs), fmt::arg("processors", topology.processor_count()),
        fmt::arg("routing", one_line(routing.name)), fmt::arg("packets", packets),
        fmt::arg("links", describe_links(plan.network)), fmt::arg("flit_bytes", hardware.flit_bytes),
        fmt::arg("delay", 1 + hardware.interface_cycles), fmt::arg("rc", pipeline.route_computation),
        fmt::arg("va", pipeline.vc_allocation), fmt::arg("sa", pipeline.switch_allocation),
        fmt::arg("st", pipeline.switch_traversal), fmt::arg("credit", hardware.credit_cycles));
}

} // namespace nocturne
