#include "sim/rtl/wormhole_text.hpp"

#include "models/topology/files.hpp"
#include "sim/rtl/rtl_design.hpp"
#include "sim/rtl/verilog_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace nocturne {

namespace {

constexpr unsigned most_ejection_flits = 255;

/// A signal between a processor and its interface.
struct ProcessorPort {
    std::string_view name;
    bool is_output; ///< of the network
    unsigned bits;
};

std::vector<ProcessorPort> processor_ports(const WormholePlan& plan)
{
    return {{"valid", false, 1},
            {"tail", false, 1},
            {"destination", false, plan.destination_bits},
            {"data", false, plan.data_bits},
            {"taken", true, 1},
            {"refused", true, 1},
            {"arriving", true, 2 + plan.vc_bits + plan.data_bits},
            {"freed", false, 1 + plan.vc_bits}};
}

/// A sized literal of the numbers, the first one in the lowest bits.
std::string packed_vector(const std::vector<unsigned>& numbers, unsigned bits)
{
    std::vector<std::string> literals;
    for (const unsigned number : numbers)
        literals.push_back(fmt::format("{}'d{}", bits, number));
    return concatenation(literals);
}

std::string masks_literal(const WormholePlan& plan)
{
    std::string bits;
    for (const std::vector<bool>& mask : plan.class_vcs)
        for (const bool bit : mask)
            bits.insert(bits.begin(), bit ? '1' : '0');
    return fmt::format("{}'b{}", bits.size(), bits);
}

std::string link_text(const NetworkPlan::PlannedLink& link, const WormholePlan& plan)
{
    const unsigned index = link.config.index;
    // The buffer behind a link is its last register; a network interface has none.
    const unsigned latency = link.config.latency_cycles + link.config.cycles_per_flit - 1;
    const unsigned registers = latency - (plan.network.numbers.is_ejection(index) ? 0 : 1);
    std::string text =
        fmt::format("    logic [{0}:0] link_{1}, link_{1}_end;\n"
                    "    nocturne_delay #(.BITS({2}), .CYCLES({3})) wire_{1} (\n"
                    "        .clock(clock), .reset(reset), .in(link_{1}), .out(link_{1}_end));\n",
                    plan.flit_bits() - 1, index, plan.flit_bits(), registers);
    if (plan.network.numbers.is_ejection(index))
        return text;
    return text +
           fmt::format("    logic [{0}:0] credit_{1}, credit_{1}_end;\n"
                       "    nocturne_delay #(.BITS({2}), .CYCLES({3})) credit_wire_{1} (\n"
                       "        .clock(clock), .reset(reset), .in(credit_{1}), .out(credit_{1}_end));\n",
                       plan.vc_bits, index, plan.vc_bits + 1,
                       link.config.latency_cycles + link.config.credit_cycles);
}

/// Of the outputs of a router the credits that come back: at processors those of their own buffers.
std::vector<std::string> returned_credits(const WormholePlan& plan, const Topology& topology, RouterId id)
{
    std::vector<std::string> names;
    for (const std::uint32_t link : plan.network.out_of[id])
        names.push_back(fmt::format("credit_{}_end", link));
    for (ProcessorId processor = 0; processor < topology.processor_count(); ++processor)
        std::ranges::replace(
            names, fmt::format("credit_{}_end", plan.network.numbers.first_ejection_link(processor)),
            fmt::format("freed_{}", processor));
    return names;
}

/// By output, the first one in the lowest bits; of ejection links the parameter of the network.
std::string credits_vector(const WormholePlan& plan, RouterId id, unsigned bits)
{
    std::vector<std::string> literals;
    for (std::size_t output = 0; output < plan.network.out_of[id].size(); ++output)
        literals.push_back(
            plan.network.numbers.is_ejection(plan.network.out_of[id][output])
                ? fmt::format("{}'(EJECTION_FLITS)", bits)
                : fmt::format("{}'d{}", bits, plan.network.routers[id].outputs[output].credits));
    return concatenation(literals);
}

std::string router_text(const WormholePlan& plan, const Topology& topology, RouterId id)
{
    const RouterConfig& router = plan.network.routers[id];
    std::vector<unsigned> credits;
    for (std::size_t output = 0; output < router.outputs.size(); ++output)
        credits.push_back(plan.network.numbers.is_ejection(plan.network.out_of[id][output])
                              ? 0
                              : router.outputs[output].credits);
    std::vector<unsigned> flit_cycles;
    for (const RouterConfig::Output& output : router.outputs)
        flit_cycles.push_back(output.cycles_per_flit);
    unsigned most = most_ejection_flits;
    for (const auto& numbers : {credits, router.buffer_flits, flit_cycles})
        for (const unsigned number : numbers)
            most = std::max(most, number);
    const unsigned bits = bits_for(most);
    const Pipeline& pipeline = router.pipeline;
    return fmt::format(
        "    nocturne_router #( // {}\n"
        "        .INPUTS({}), .OUTPUTS({}), .VCS({}), .VC_BITS({}), .PORT_BITS({}), .CLASS_BITS({}), "
        ".CLASSES({}),\n"
        "        .CLASS_VCS({}), .ROUTE_BITS({}), .DATA_BITS({}), .COUNT_BITS({}),\n"
        "        .DEPTHS({}), .CREDITS({}), .FLIT_CYCLES({}),\n"
        "        .HEAD_WAIT({}), .SWITCH_WAIT({}), .SWITCH_CYCLES({})\n"
        "    ) router_{} (\n"
        "        .clock(clock), .reset(reset),\n"
        "        .in_flits({}),\n        .in_credits({}),\n"
        "        .out_flits({}),\n        .out_credits({}));\n",
        one_line(topology.router_name(id)), router.buffer_flits.size(), router.outputs.size(), plan.vcs,
        plan.vc_bits, plan.port_bits, plan.class_bits, plan.class_vcs.size(), masks_literal(plan),
        plan.route_bits, plan.data_bits, bits, packed_vector(router.buffer_flits, bits),
        credits_vector(plan, id, bits), packed_vector(flit_cycles, bits),
        pipeline.route_computation + pipeline.vc_allocation - 1, pipeline.switch_allocation,
        1 + pipeline.switch_traversal, id,
        concatenation(signal_names("link_", plan.network.into[id], "_end")),
        concatenation(signal_names("credit_", plan.network.into[id])),
        concatenation(signal_names("link_", plan.network.out_of[id])),
        concatenation(returned_credits(plan, topology, id)));
}

std::string interface_text(const WormholePlan& plan, ProcessorId id)
{
    const std::uint32_t injection = plan.network.numbers.first_injection_link(id);
    const std::uint32_t ejection = plan.network.numbers.first_ejection_link(id);
    return fmt::format(
        "    nocturne_interface #(\n"
        "        .DESTINATIONS({0}), .DESTINATION_BITS({1}), .VCS({2}), .VC_BITS({3}), .ROUTE_BITS({4}),\n"
        "        .DATA_BITS({5}), .DEPTH({6}), .ROUTES({{IMAGES, \"routes_{7}.hex\"}})\n"
        "    ) interface_{7} (\n"
        "        .clock(clock), .reset(reset), .valid(valid_{7}), .tail(tail_{7}), "
        ".destination(destination_{7}),\n"
        "        .data(data_{7}), .taken(taken_{7}), .refused(refused_{7}), .out_flit(link_{8}), "
        ".out_credit(credit_{8}_end));\n"
        "    assign arriving_{7} = {{link_{9}_end[{10} -: {11}], link_{9}_end[{12}:0]}};\n",
        plan.routes.size(), plan.destination_bits, plan.vcs, plan.vc_bits, plan.route_bits, plan.data_bits,
        plan.network.interfaces[id].buffer_flits, id, injection, ejection, plan.flit_bits() - 1,
        plan.vc_bits + 2, plan.data_bits - 1);
}

/// The signals of all processors, each as `line` makes it of the port and its declaration.
std::string
processor_signals(const WormholePlan& plan,
                  const std::function<std::string(const ProcessorPort&, const std::string&)>& line)
{
    std::string text;
    for (std::size_t id = 0; id < plan.routes.size(); ++id)
        for (const ProcessorPort& port : processor_ports(plan))
            text +=
                line(port, port.bits == 1 ? fmt::format("logic {}_{}", port.name, id)
                                          : fmt::format("logic [{}:0] {}_{}", port.bits - 1, port.name, id));
    return text;
}

std::string source_text(const HardwareConfig& hardware, const WormholePlan& plan, std::size_t id,
                        std::size_t packets)
{
    return fmt::format(
        "    nocturne_source #(\n"
        "        .COUNT({1}), .DESTINATION_BITS({2}), .DATA_BITS({3}), .DELAY({4}), "
        ".PACKETS({{IMAGES, \"packets_{0}.hex\"}})\n"
        "    ) source_{0} (\n"
        "        .clock(clock), .reset(reset), .cycle(cycle), .valid(valid_{0}), .tail(tail_{0}),\n"
        "        .destination(destination_{0}), .data(data_{0}), .taken(taken_{0}));\n",
        id, packets, plan.destination_bits, plan.data_bits, 1 + hardware.interface_cycles);
}

/// Writes what is on the links in this cycle.
std::string trace_text(const WormholePlan& plan)
{
    std::string text;
    for (const NetworkPlan::PlannedLink& link : plan.network.links)
        text += fmt::format(
            "                if (dut.link_{0}[{1}])\n"
            "                    $fwrite(trace, \"%0d {0} %0d %h\\n\", cycle, dut.link_{0}[{2} "
            "-: {3}], dut.link_{0}[{4}:0]);\n",
            link.config.index, plan.flit_bits() - 1, plan.flit_bits() - 2, plan.vc_bits, plan.data_bits - 1);
    return text;
}

} // namespace

std::string wormhole_network_text(const Topology& topology, const HardwareConfig& hardware,
                                  const Routing& routing, const WormholePlan& plan)
{
    std::string text = fmt::format(
        "// {}: wormhole routers, {} virtual channel{} a link, routing {}.\n"
        "// Waived: a route ends before its link does, and what is left is not read.\n"
        "// verilator lint_off UNUSEDSIGNAL\n"
        "module wormhole_network #(\n"
        "    parameter IMAGES = \"./\", // the folder of the images, with a slash behind it\n"
        "    // Flits of the buffer that each processor has for each virtual channel, at most {}. 0: it "
        "takes a\n"
        "    // flit in every cycle.\n"
        "    parameter EJECTION_FLITS = 0\n"
        ") (\n"
        "    input logic clock,\n"
        "    input logic reset,\n"
        "    // By processor: flits that it sends, and {{valid, virtual channel, tail, "
        "data}} of those that arrive. With\n"
        "    // EJECTION_FLITS a processor says when a flit has left its buffer: freed, {{valid, "
        "virtual channel}}.\n",
        one_line(topology.name()), hardware.vcs, hardware.vcs == 1 ? "" : "s", one_line(routing.name),
        most_ejection_flits);
    text += processor_signals(plan, [](const ProcessorPort& port, const std::string& declaration) {
        return fmt::format("    {} {},\n", port.is_output ? "output" : "input", declaration);
    });
    text.replace(text.size() - 2, 1, ""); // no comma behind the last one
    text += ");\n";
    for (const NetworkPlan::PlannedLink& link : plan.network.links)
        text += link_text(link, plan);
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (!plan.network.into[id].empty() && !plan.network.out_of[id].empty())
            text += '\n' + router_text(plan, topology, id);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        text += '\n' + interface_text(plan, id);
    return text + "endmodule\n// verilator lint_on UNUSEDSIGNAL\n";
}

std::string wormhole_bench_text(const HardwareConfig& hardware, const WormholePlan& plan,
                                std::span<const std::size_t> packets)
{
    const std::string declarations =
        processor_signals(plan, [](const ProcessorPort&, const std::string& declaration) {
            return fmt::format("    {};\n", declaration);
        });
    std::string connections;
    std::string sources;
    std::vector<std::string> arriving;
    std::vector<std::string> refused;
    std::size_t count = 0;
    for (std::size_t id = 0; id < packets.size(); ++id) {
        for (const ProcessorPort& port : processor_ports(plan))
            connections += fmt::format(",\n        .{0}_{1}({0}_{1})", port.name, id);
        sources += source_text(hardware, plan, id, packets[id]);
        sources += fmt::format("    assign freed_{} = '0; // it takes a flit in every cycle\n", id);
        arriving.push_back(fmt::format("arriving_{}", id));
        refused.push_back(fmt::format("refused_{}", id));
        count += packets[id];
    }
    return fmt::format(
        R"(// Sends the packets and checks that each comes once, whole, in order and where it was sent to.
// With +trace=FILE it writes a line for each flit that enters a link: the cycle, the number of the
// link, the virtual channel, the data.
module wormhole_bench {images};
    // Waived: a bench makes its clock with blocking assignments.
    // verilator lint_off BLKSEQ
{clock}
    reg [63:0] cycle = 0;
{declarations}
    wormhole_network #(.IMAGES(IMAGES)) dut (
        .clock(clock), .reset(reset){connections});

{sources}
    logic [31:0] complete, wrong;
    logic moves, any_refused;
    assign any_refused = {refused} != '0;
    nocturne_checker #(
        .PROCESSORS({processors}), .PACKETS({packets}), .VCS({vcs}), .VC_BITS({vc_bits}),
        .DATA_BITS({data_bits}), .EXPECTED({{IMAGES, "expected.hex"}})
    ) checking (
        .clock(clock), .reset(reset), .complete(complete), .wrong(wrong), .moves(moves),
        .flits({arriving}));

{trace_file}
    integer idle = 0;
    always @(posedge clock)
        if (!reset) begin
            cycle <= cycle + 1;
            if (^checking.expected[0] === 1'bx) begin
                $display("FAIL: the images are not in the folder that IMAGES names");
                $finish;
            end
            if (moves === 1'b1)
                idle <= 0;
            else
                idle <= idle + 1;
            if (trace != 0) begin
{trace}            end
            if (wrong != 0 || any_refused || complete == {packets} || idle == 1000000) begin
                if (trace != 0)
                    $fclose(trace);
                if (wrong == 0 && !any_refused && complete == {packets})
                    $display("PASS: %0d packets in %0d cycles", complete, cycle);
                else
                    $display("FAIL: %0d of {packets} packets in %0d cycles, %0d wrong flits", complete, cycle,
                             wrong);
                $finish;
            end
        end
    // verilator lint_on BLKSEQ
endmodule
)",
        fmt::arg("images", images_parameter()), fmt::arg("clock", clock_and_reset()),
        fmt::arg("declarations", declarations), fmt::arg("connections", connections),
        fmt::arg("sources", sources), fmt::arg("processors", packets.size()), fmt::arg("packets", count),
        fmt::arg("vcs", plan.vcs), fmt::arg("vc_bits", plan.vc_bits), fmt::arg("data_bits", plan.data_bits),
        fmt::arg("arriving", concatenation(arriving)), fmt::arg("refused", concatenation(refused)),
        fmt::arg("trace_file", trace_file()), fmt::arg("trace", trace_text(plan)));
}

} // namespace nocturne
