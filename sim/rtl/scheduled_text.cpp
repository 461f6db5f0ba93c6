#include "sim/rtl/scheduled_text.hpp"

#include "models/topology/files.hpp"
#include "sim/rtl/rtl_design.hpp"
#include "sim/rtl/verilog_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace nocturne {

namespace {

/// A signal between an interface and its memory.
struct MemoryPort {
    std::string_view name;
    bool is_of_readers; ///< as many as there are injection links; or else ejection links
    bool is_output;     ///< of the network
    unsigned bits;
};

std::vector<MemoryPort> memory_ports(const ScheduledWidths& widths)
{
    return {{"read_enable", true, true, 1},
            {"read_address", true, true, widths.address},
            {"read_data", true, false, widths.word},
            {"write_enable", false, true, 1},
            {"write_address", false, true, widths.address},
            {"write_data", false, true, widths.word}};
}

unsigned port_bits(const MemoryPort& port, const NetworkInterfaceConfig& interface)
{
    return port.bits * (port.is_of_readers ? interface.inject_ports : interface.eject_ports);
}

std::string interface_text(const ScheduledPlan& plan, const ScheduledWidths& widths, ProcessorId id)
{
    const NetworkInterfaceConfig& interface = plan.network.interfaces[id];
    std::string text = fmt::format(
        "    nocturne_scheduled_interface #(\n"
        "        .SENDERS({}), .RECEIVERS({}), .WORD_BITS({}), .ADDRESS_BITS({}), .LENGTH_BITS({}), "
        ".STEPS({}),\n"
        "        .STEP_BITS({}), .CYCLE_BITS({}), .LAUNCH({}), "
        ".SEND({{IMAGES, \"send_{}.hex\"}}),\n"
        "        .RECEIVE({{IMAGES, \"receive_{}.hex\"}})\n"
        "    ) interface_{} (\n"
        "        .clock(clock), .reset(reset), .step(step), .cycle(cycle), .arriving_step(arriving_step),\n"
        "        .step_ends(step_ends), .done(done), .error(errors[{}]),\n",
        interface.inject_ports, interface.eject_ports, widths.word, widths.address, widths.length,
        plan.durations.size(), widths.step, widths.cycle, plan.launch_cycles, id, id, id, id);
    for (const MemoryPort& port : memory_ports(widths))
        text += fmt::format("        .{0}({0}_{1}),\n", port.name, id);
    const LinkPlan& links = plan.network.numbers;
    const auto injection = numbers_from(links.first_injection_link(id), links.injection_links(id));
    const auto ejection = numbers_from(links.first_ejection_link(id), links.ejection_links(id));
    return text + fmt::format("        .out_flits({}),\n        .in_flits({}));\n",
                              concatenation(signal_names("link_", injection)),
                              concatenation(signal_names("link_", ejection, "_end")));
}

std::string router_text(const ScheduledPlan& plan, const ScheduledWidths& widths, const Topology& topology,
                        RouterId id)
{
    const auto inputs = plan.network.into[id].size();
    return fmt::format(
        "    nocturne_scheduled_router #( // {}\n"
        "        .INPUTS({}), .OUTPUTS({}), .FLIT_BITS({}), .CYCLES({}), .STEPS({}), .STEP_BITS({}), "
        ".SELECT_BITS({}),\n"
        "        .TABLE({{IMAGES, \"router_{}.hex\"}})\n"
        "    ) router_{} (\n"
        "        .clock(clock), .reset(reset), .step(step),\n"
        "        .in_flits({}),\n        .out_flits({}));\n",
        one_line(topology.router_name(id)), inputs, plan.network.out_of[id].size(), widths.word + 1,
        plan.network.routers[id].pipeline.cycles(), plan.durations.size(), widths.step, bits_for(inputs), id,
        id, concatenation(signal_names("link_", plan.network.into[id], "_end")),
        concatenation(signal_names("link_", plan.network.out_of[id])));
}

std::string links_text(const ScheduledPlan& plan, const ScheduledWidths& widths)
{
    std::string text;
    for (const NetworkPlan::PlannedLink& link : plan.network.links)
        text += fmt::format("    logic [{0}:0] link_{1}, link_{1}_end;\n"
                            "    nocturne_delay #(.BITS({2}), .CYCLES({3})) wire_{1} (\n"
                            "        .clock(clock), .reset(reset), .in(link_{1}), .out(link_{1}_end));\n",
                            widths.word, link.config.index, widths.word + 1, link.config.latency_cycles);
    return text;
}

/// A declaration for each signal of each memory, with what stands before and behind it.
std::string memory_signals(const ScheduledPlan& plan, const ScheduledWidths& widths,
                           const std::function<std::string(const MemoryPort&, const std::string&)>& line)
{
    std::string text;
    for (ProcessorId id = 0; id < plan.network.interfaces.size(); ++id)
        for (const MemoryPort& port : memory_ports(widths))
            text += line(port, fmt::format("logic [{}:0] {}_{}",
                                           port_bits(port, plan.network.interfaces[id]) - 1, port.name, id));
    return text;
}

std::string memory_text(const ScheduledPlan& plan, const ScheduledWidths& widths, ProcessorId id)
{
    const NetworkInterfaceConfig& interface = plan.network.interfaces[id];
    std::string ports;
    for (const MemoryPort& port : memory_ports(widths))
        ports += fmt::format(" .{0}({0}_{1}),", port.name, id);
    return fmt::format(
        "    integer wrong_{0};\n"
        "    nocturne_memory #(\n"
        "        .WORDS({1}), .WORD_BITS({2}), .ADDRESS_BITS({3}), .READERS({4}), .WRITERS({5}),\n"
        "        .IMAGE({{IMAGES, \"memory_{0}.hex\"}}), .EXPECTED({{IMAGES, \"expected_{0}.hex\"}})\n"
        "    ) memory_{0} (\n        .clock(clock),{6}\n        .wrong_words(wrong_{0}));\n",
        id, std::max<std::uint64_t>(1, plan.places[id].size() * plan.message_flits), widths.word,
        widths.address, interface.inject_ports, interface.eject_ports, ports);
}

std::string comparison_text(ProcessorId id)
{
    return fmt::format(
        "                memory_{0}.compare;\n"
        "                if (wrong_{0} != 0) begin\n"
        "                    $display(\"memory of processor {0}: %0d wrong words\", wrong_{0});\n"
        "                    failed = 1;\n"
        "                end\n",
        id);
}

/// Writes what is on the links in this cycle.
std::string trace_text(const ScheduledPlan& plan, const ScheduledWidths& widths)
{
    std::string text;
    for (const NetworkPlan::PlannedLink& link : plan.network.links)
        text += fmt::format(
            "                if (dut.link_{0}[{1}])\n"
            "                    $fwrite(trace, \"%0d {0} %h\\n\", cycle, dut.link_{0}[{2}:0]);\n",
            link.config.index, widths.word, widths.word - 1);
    return text;
}

} // namespace

ScheduledWidths widths_of(const ScheduledPlan& plan, const HardwareConfig& hardware)
{
    std::size_t most_places = 1;
    for (const auto& places : plan.places)
        most_places = std::max(most_places, places.size());
    return {hardware.flit_bytes * 8, bits_for(most_places * plan.message_flits - 1),
            bits_for(plan.message_flits), bits_for(plan.durations.size() - 1),
            bits_for(*std::max_element(plan.durations.begin(), plan.durations.end()))};
}

std::string scheduled_network_text(const Schedule& schedule, const Topology& topology,
                                   const ScheduledOptions& options, const ScheduledPlan& plan)
{
    const ScheduledWidths widths = widths_of(plan, options.hardware);
    std::string text = fmt::format(
        "// {} on {} in {} steps.\n"
        "module scheduled_network {}(\n"
        "    input logic clock,\n"
        "    input logic reset, // the first step begins in the first cycle without it\n"
        "    output logic done, // from the cycle on in which the last flits arrive\n"
        "    output logic error, // in some step something else has come than the programs say\n",
        one_line(schedule.name), one_line(topology.name()), plan.durations.size(), images_parameter());
    text += memory_signals(plan, widths, [](const MemoryPort& port, const std::string& declaration) {
        return fmt::format("    {} {},\n", port.is_output ? "output" : "input", declaration);
    });
    text.replace(text.size() - 2, 1, ""); // no comma behind the last one
    text += fmt::format(
        ");\n"
        "    logic [{}:0] step, arriving_step;\n"
        "    logic [{}:0] cycle;\n"
        "    logic step_ends;\n"
        "    logic [{}:0] errors;\n"
        "    assign error = errors != '0;\n\n"
        "    nocturne_step_counter #(\n"
        "        .STEPS({}), .STEP_BITS({}), .CYCLE_BITS({}), .DURATIONS({{IMAGES, \"durations.hex\"}})\n"
        "    ) counter (\n"
        "        .clock(clock), .reset(reset), .step(step), .cycle(cycle), .arriving_step(arriving_step),\n"
        "        .step_ends(step_ends), .done(done));\n\n",
        widths.step - 1, widths.cycle - 1, topology.processor_count() - 1, plan.durations.size(), widths.step,
        widths.cycle);
    text += links_text(plan, widths);
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (!plan.network.into[id].empty() && !plan.network.out_of[id].empty())
            text += '\n' + router_text(plan, widths, topology, id);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        text += '\n' + interface_text(plan, widths, id);
    return text + "endmodule\n";
}

std::string scheduled_bench_text(const ScheduledOptions& options, const ScheduledPlan& plan)
{
    const ScheduledWidths widths = widths_of(plan, options.hardware);
    std::string declarations =
        memory_signals(plan, widths, [](const MemoryPort&, const std::string& declaration) {
            return fmt::format("    {};\n", declaration);
        });
    std::string connections;
    std::string memories;
    std::string comparisons;
    for (ProcessorId id = 0; id < plan.network.interfaces.size(); ++id) {
        for (const MemoryPort& port : memory_ports(widths))
            connections += fmt::format(",\n        .{0}_{1}({0}_{1})", port.name, id);
        memories += memory_text(plan, widths, id);
        comparisons += comparison_text(id);
    }
    return fmt::format(
        R"(// Runs the schedule once and compares the memories. With +trace=FILE it writes a line for each
// flit that enters a link: the cycle, the number of the link, the payload.
module scheduled_bench {images};
    // Waived: a bench counts and makes its clock with blocking assignments.
    // verilator lint_off BLKSEQ
{clock}
    logic done, error;
{declarations}
    scheduled_network #(.IMAGES(IMAGES)) dut (
        .clock(clock), .reset(reset), .done(done), .error(error){connections});

{memories}
{trace_file}
    integer cycle = 0;
    integer done_at = -1;
    integer failed = 0;
    always @(posedge clock)
        if (!reset) begin
            cycle <= cycle + 1;
            if (trace != 0) begin
{trace}            end
            if (^memory_0.expected[0] === 1'bx) begin
                $display("FAIL: the images are not in the folder that IMAGES names");
                $finish;
            end
            if (done && done_at < 0)
                done_at <= cycle;
            if (done_at >= 0 || cycle > {cycles} + 1) begin
{comparisons}                if (error) begin
                    $display("something has come that was not expected");
                    failed = 1;
                end
                if (done_at != {cycles}) begin
                    $display("not done in cycle {cycles}");
                    failed = 1;
                end
                if (trace != 0)
                    $fclose(trace);
                if (failed != 0)
                    $display("FAIL");
                else
                    $display("PASS: {steps} steps, done in cycle %0d", done_at);
                $finish;
            end
        end
    // verilator lint_on BLKSEQ
endmodule
)",
        fmt::arg("images", images_parameter()), fmt::arg("clock", clock_and_reset()),
        fmt::arg("trace_file", trace_file()), fmt::arg("declarations", declarations),
        fmt::arg("connections", connections), fmt::arg("memories", memories),
        fmt::arg("trace", trace_text(plan, widths)), fmt::arg("comparisons", comparisons),
        fmt::arg("cycles", plan.cycles()), fmt::arg("steps", plan.durations.size()));
}

} // namespace nocturne
