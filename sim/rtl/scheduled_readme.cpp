#include "models/topology/files.hpp"
#include "sim/rtl/scheduled_text.hpp"
#include "sim/rtl/verilog_text.hpp"

#include <fmt/format.h>

namespace nocturne {

std::string scheduled_readme(const Schedule& schedule, const Topology& topology,
                             const ScheduledOptions& options, const ScheduledPlan& plan)
{
    const std::uint64_t interface = options.hardware.interface_cycles;
    return fmt::format(
        R"(# {name} on {topology}

A network without buffers and arbiters, written by `nocturne export`: {routers} routers that follow a table
of {steps} steps, {processors} network interfaces that follow their DMA programs, and a counter of steps in
the place of a barrier.

| file | holds |
| --- | --- |
| scheduled_network.sv | the top level; memories are outside, and answer a read in the next cycle |
| nocturne_*.sv | its parts |
| scheduled_bench.sv, nocturne_memory.sv | the bench |
| durations.hex | cycles of each step |
| router_R.hex | by step: which input each output of router R takes |
| send_P.hex, receive_P.hex | the DMA program of processor P, by step: first word in its memory, and flits |
| memory_P.hex, expected_P.hex | the memory of processor P at the begin, and what it has to hold in the end |

Tools run in this folder, where the images are; elsewhere the parameter `IMAGES` of network and bench names it
(`-Pscheduled_bench.IMAGES='"folder/"'`, `-GIMAGES='"folder/"'`):

    iverilog -g2012 -s scheduled_bench -o bench *.sv && ./bench
    verilator --binary --timing -Wall --top-module scheduled_bench *.sv && obj_dir/Vscheduled_bench
    yosys -p "read_verilog -sv -defer scheduled_network.sv nocturne_delay.sv nocturne_step_counter.sv \
              nocturne_scheduled_interface.sv nocturne_scheduled_router.sv;
              synth -top scheduled_network; stat"

`verilator --binary` compiles with make, which needs a path without spaces; `-j 0` uses all cores. Icarus
starts at once and runs slower.

The bench runs the schedule once, compares all memories, and ends with a line that begins with PASS or FAIL.

## Cycles

A step begins in its cycle 0. Its first flits are on the injection links in cycle {launch}: a start-up time
of {start_up} and {interface} of the interface. A flit takes {router} in a router and the latency of each
link; a message has {flits} flits, which follow each other. The next step begins in the cycle in which the
last flit of all arrives. All steps together take {cycles} cycles, as `nocturne replay` says.

With `+trace=FILE` the bench writes a line for each flit that enters a link: `CYCLE LINK DATA`, DATA in
hexadecimal digits as in memory_P.hex. Links:
{links}.
)",
        fmt::arg("name", one_line(schedule.name)), fmt::arg("topology", one_line(topology.name())),
        fmt::arg("routers", topology.router_count()), fmt::arg("steps", plan.durations.size()),
        fmt::arg("processors", topology.processor_count()), fmt::arg("launch", plan.launch_cycles),
        fmt::arg("start_up", plan.launch_cycles - interface), fmt::arg("interface", interface),
        fmt::arg("router", options.hardware.pipeline_of(topology).cycles()),
        fmt::arg("flits", plan.message_flits), fmt::arg("cycles", plan.cycles()),
        fmt::arg("links", describe_links(plan.network)));
}

} // namespace nocturne
