#include "sim/simulation/stalls.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

/// With the circular wait as its reason; without a reason if there is none.
Stall stall_with(const MessageNetwork& network, const MessageNetwork::Deadlock& deadlock)
{
    Stall stall{deadlock.time_ns, "", {}};
    const auto name = [&](ProcessorId id) { return network.topology().processor(id).name; };
    for (const MessageWait& wait : deadlock.cycle)
        stall.cycle.push_back(
            {network.plan().link_name(wait.link), wait.vc,
             fmt::format("{}>{}", name(wait.message.source), name(wait.message.destination)),
             network.plan().link_name(wait.wanted_link)});
    if (!stall.cycle.empty())
        stall.reason = fmt::format("deadlock: {} virtual channels in a circular wait", stall.cycle.size());
    return stall;
}

} // namespace

std::optional<Stall> stall_of(const MessageNetwork& network)
{
    if (network.in_flight() == 0)
        return std::nullopt;
    Stall stall = stall_with(network, {network.now_ns(), network.find_waiting_cycle()});
    if (stall.cycle.empty())
        stall.reason = fmt::format("{} messages are stuck in the network", network.in_flight());
    return stall;
}

Stall stall_of_engines(const MessageNetwork& network)
{
    return stall_of(network).value_or(
        Stall{network.now_ns(),
              "the network is empty, but DMA engines wait for messages that no engine sends",
              {}});
}

std::optional<Stall> checked_stall(const MessageNetwork& network, const DeliveryCheck& check)
{
    const std::optional<MessageNetwork::Deadlock> deadlock = network.deadlock();
    std::optional<Stall> stall = deadlock ? stall_with(network, *deadlock) : stall_of(network);
    if (const std::string error = stall ? check.error() : check.final_error(); !error.empty())
        throw std::logic_error("delivery: " + error);
    return stall;
}

} // namespace nocturne
