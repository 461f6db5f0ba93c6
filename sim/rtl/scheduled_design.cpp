#include "sim/rtl/scheduled_design.hpp"

#include "models/topology/files.hpp"
#include "sim/execution/compile_dma_programs.hpp"
#include "sim/rtl/scheduled_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

namespace nocturne {

namespace {

/// Fields of the entries in the images of interfaces.
struct EntryBits {
    unsigned address;
    unsigned length;
};

std::string durations_image(const ScheduledPlan& plan)
{
    std::string text = "// cycles of each step\n";
    for (const std::uint64_t cycles : plan.durations)
        text += fmt::format("{:x}\n", cycles);
    return text;
}

std::string router_image(const ScheduledPlan& plan, RouterId id, unsigned select_bits)
{
    std::string text = "// by step: for each output, the last one first, 0 for nothing or an input + 1\n";
    for (const ScheduledPlan::Inputs& inputs : plan.connections[id]) {
        HexWord word;
        for (const std::optional<unsigned>& input : inputs)
            word.append(input ? *input + 1 : 0, select_bits);
        text += word.text() + '\n';
    }
    return text;
}

/// `sends` or `receives` of a processor.
std::string program_image(const ScheduledPlan& plan, const std::vector<ScheduledPlan::Ports>& steps,
                          const EntryBits& bits, std::string_view direction, const Topology& topology)
{
    std::string text = "// by step: for each link, the last one first, the first word and the flits\n";
    for (const ScheduledPlan::Ports& ports : steps) {
        HexWord word;
        std::string comment;
        for (const std::optional<ScheduledPlan::Entry>& entry : ports) {
            word.append(entry ? plan.message_flits : 0, bits.length);
            word.append(entry ? entry->address : 0, bits.address);
            if (entry)
                comment += fmt::format("{} message {} {} {}", comment.empty() ? " //" : ",", entry->message,
                                       direction, one_line(topology.processor(entry->peer).name));
        }
        text += word.text() + comment + '\n';
    }
    return text;
}

/// What the memory of a processor holds before the run, or after it. The places of what is still to come hold
/// the complement, so that a word that was never written is not right by chance.
std::string memory_image(const Collective& collective, const std::vector<MessageId>& places,
                         const ScheduledOptions& options, const std::function<bool(MessageId)>& is_there)
{
    std::string text;
    const std::uint64_t word_bytes = options.hardware.flit_bytes;
    for (const MessageId message : places) {
        std::vector<std::uint8_t> content =
            bytes_of(contributed_content(collective, message, collective.messages()[message].origin,
                                         options.message_bytes, {.seed = options.seed}),
                     options.message_bytes);
        if (!is_there(message))
            std::transform(content.begin(), content.end(), content.begin(),
                           [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); });
        content.resize(options.hardware.flits(options.message_bytes) * word_bytes);
        for (std::size_t word = 0; word < content.size(); word += word_bytes) {
            for (std::size_t byte = word_bytes; byte-- > 0;)
                fmt::format_to(std::back_inserter(text), "{:02x}", content[word + byte]);
            text += word == 0 ? fmt::format(" // message {}\n", message) : "\n";
        }
    }
    return text.empty() ? std::string(word_bytes * 2, '0') + "\n" : text; // no memory is empty
}

} // namespace

RtlDesign scheduled_design(const Schedule& schedule, const Topology& topology,
                           const ScheduledOptions& options)
{
    const ScheduledPlan plan = plan_scheduled(schedule, topology, options);
    const ScheduledWidths widths = widths_of(plan, options.hardware);
    RtlDesign design{"scheduled_network", "scheduled_bench", {}, {}, {}};
    design.add_source({"scheduled_network.sv", scheduled_network_text(schedule, topology, options, plan)});
    for (const std::string_view module : {"nocturne_delay.sv", "nocturne_scheduled_interface.sv",
                                          "nocturne_scheduled_router.sv", "nocturne_step_counter.sv"})
        design.add_source(verilog_module(module));
    design.add_bench_source({"scheduled_bench.sv", scheduled_bench_text(options, plan)});
    design.add_bench_source(verilog_module("nocturne_memory.sv"));
    design.add({"README.md", scheduled_readme(schedule, topology, options, plan)});

    design.add({"durations.hex", durations_image(plan)});
    for (RouterId id = 0; id < topology.router_count(); ++id)
        design.add({fmt::format("router_{}.hex", id),
                    router_image(plan, id, bits_for(plan.network.into[id].size()))});
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const EntryBits bits{widths.address, widths.length};
        design.add(
            {fmt::format("send_{}.hex", id), program_image(plan, plan.sends[id], bits, "to", topology)});
        design.add({fmt::format("receive_{}.hex", id),
                    program_image(plan, plan.receives[id], bits, "from", topology)});
        design.add({fmt::format("memory_{}.hex", id),
                    memory_image(schedule.collective, plan.places[id], options, [&](MessageId message) {
                        return schedule.collective.messages()[message].origin == id;
                    })});
        design.add(
            {fmt::format("expected_{}.hex", id),
             memory_image(schedule.collective, plan.places[id], options, [](MessageId) { return true; })});
    }
    return design;
}

} // namespace nocturne
