#include "schedules/bounds/port_bound.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace nocturne {
namespace {

/// What a processor must do as often as `messages`, at most `ports` times a step.
struct Duty {
    ProcessorId processor;
    std::string_view verb; ///< send, receive
    std::uint64_t messages;
    unsigned ports;

    std::uint64_t steps() const { return (messages + ports - 1) / ports; }
};

} // namespace

Bound port_bound(const Problem& problem)
{
    const Topology& topology = problem.topology;
    std::vector<std::uint64_t> sent(topology.processor_count(), 0);
    std::vector<std::uint64_t> received(topology.processor_count(), 0);
    for (const Message& message : problem.collective.messages()) {
        ++sent[message.origin];
        for (const ProcessorId receiver : message.receivers)
            ++received[receiver];
    }
    Duty hardest{0, "send", 0, 1};
    const auto consider = [&](const Duty& duty) {
        if (duty.steps() > hardest.steps())
            hardest = duty;
    };
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        consider({id, "send", sent[id], send_ports(topology, id, problem.ports)});
        consider({id, "receive", received[id], receive_ports(topology, id, problem.ports)});
    }
    return {static_cast<unsigned>(hardest.steps()),
            fmt::format("processor {} must {} {} message{}, at most {} a step",
                        topology.processor(hardest.processor).name, hardest.verb, hardest.messages,
                        hardest.messages == 1 ? "" : "s", hardest.ports),
            PortCount{}};
}

} // namespace nocturne
