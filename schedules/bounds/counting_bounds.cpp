#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/problem/transfer_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
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

std::optional<Bound> distance_bound(const Problem& problem)
{
    if (problem.switching != Switching::store_and_forward)
        return std::nullopt;
    const Topology& topology = problem.topology;
    std::uint32_t farthest = 0;
    ProcessorId from = 0;
    ProcessorId to = 0;
    std::vector<std::uint32_t> transfers;
    std::optional<ProcessorId> origin;
    for (const Message& message : problem.collective.messages()) {
        // Messages come in the order of their origins: one search for each.
        if (origin != message.origin) {
            transfers = transfers_from(topology, message.origin);
            origin = message.origin;
        }
        for (const ProcessorId receiver : message.receivers)
            if (transfers[receiver] > farthest) {
                farthest = transfers[receiver];
                from = message.origin;
                to = receiver;
            }
    }
    return Bound{farthest,
                 fmt::format("{} is {} hop{} from {}, one a step", topology.processor(to).name, farthest,
                             farthest == 1 ? "" : "s", topology.processor(from).name),
                 FarthestReceiver{}};
}

namespace {

/// Processors counted by their send ports, most ports first.
using ByPorts = std::map<unsigned, std::uint64_t, std::greater<>>;

/// Send ports of the `count` best connected ones.
std::uint64_t ports_of_best(const ByPorts& processors, std::uint64_t count)
{
    std::uint64_t ports = 0;
    for (const auto& [each, number] : processors) {
        const std::uint64_t taken = std::min(count, number);
        ports += taken * each;
        count -= taken;
    }
    return ports;
}

/// The processors by the step after which they can have a message of `origin`, itself left out: [0] is empty.
std::vector<ByPorts> arrivals(const Problem& problem, ProcessorId origin)
{
    const Topology& topology = problem.topology;
    std::vector<std::uint32_t> earliest(topology.processor_count(), 1);
    if (problem.switching == Switching::store_and_forward)
        earliest = transfers_from(topology, origin);
    std::vector<ByPorts> result(1);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        if (id == origin || earliest[id] == unreachable)
            continue;
        if (earliest[id] >= result.size())
            result.resize(earliest[id] + 1);
        ++result[earliest[id]][send_ports(topology, id, problem.ports)];
    }
    return result;
}

/// How many processors have the message at most after 0, 1, 2 … steps, until it could be all its receivers.
std::vector<std::uint64_t> growth(const Problem& problem, const Message& message)
{
    const std::vector<ByPorts> arriving = arrivals(problem, message.origin);
    const unsigned origin_ports = send_ports(problem.topology, message.origin, problem.ports);
    std::vector<std::uint64_t> informed{1};
    ByPorts candidates; // others that can have it by now
    std::uint64_t reached = 1;
    while (informed.back() < message.receivers.size() + 1) {
        const std::uint64_t sent = origin_ports + ports_of_best(candidates, informed.back() - 1);
        if (informed.size() < arriving.size())
            for (const auto& [ports, number] : arriving[informed.size()]) {
                candidates[ports] += number;
                reached += number;
            }
        informed.push_back(std::min(informed.back() + sent, reached));
    }
    return informed;
}

} // namespace

std::optional<Bound> growth_bound(const Problem& problem)
{
    std::optional<Message> slowest;
    std::vector<std::uint64_t> informed;
    for (const Message& message : problem.collective.messages()) {
        if (message.receivers.size() < 2)
            continue;
        if (std::vector<std::uint64_t> counts = growth(problem, message); counts.size() > informed.size()) {
            slowest = message;
            informed = std::move(counts);
        }
    }
    if (!slowest)
        return std::nullopt;
    const auto steps = static_cast<unsigned>(informed.size() - 1);
    return Bound{
        steps,
        fmt::format("after {} step{} at most {} processors have the message of {}, which {} wait for",
                    steps - 1, steps == 2 ? "" : "s", informed[steps - 1],
                    problem.topology.processor(slowest->origin).name, slowest->receivers.size()),
        MessageGrowth{}};
}

} // namespace nocturne
