#include "sim/execution/unscheduled.hpp"

#include "models/routing/random.hpp"
#include "models/text/unknown_name.hpp"
#include "schedules/collective/kind_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::string_view chained_suffix = "+chained";

const std::vector<std::string> order_names{"in-order", "shifted", "random", "binomial"}; // as in SendOrder

/// A message and one of those who are owed it.
struct Delivery {
    MessageId message;
    ProcessorId destination;
    std::uint32_t buffer = no_buffer;
};

void put_in_order(std::vector<Delivery>& sends, ProcessorId source, std::uint32_t processors,
                  const UnscheduledTraffic& traffic)
{
    const auto distance = [&](const Delivery& send) {
        return (send.destination + processors - source) % processors;
    };
    std::sort(sends.begin(), sends.end(),
              [](const Delivery& a, const Delivery& b) { return a.destination < b.destination; });
    if (traffic.order == SendOrder::shifted)
        std::sort(sends.begin(), sends.end(),
                  [&](const Delivery& a, const Delivery& b) { return distance(a) < distance(b); });
    if (traffic.order == SendOrder::random) {
        SplitMix64 random(traffic.seed ^ (std::uint64_t{source} << 32));
        for (std::size_t i = sends.size(); i > 1; --i)
            std::swap(sends[i - 1], sends[random.below(static_cast<std::uint32_t>(i))]);
    }
}

/// None if the routers choose it.
Route route_of(const Routing& routing, ProcessorId source, ProcessorId destination)
{
    return routing.adaptive() ? Route() : routing.route(source, destination);
}

/// What each contributor sends to those who are owed its contribution. Combinations are for step 0.
std::vector<std::vector<Delivery>> direct_sends(Workload& workload, const Collective& collective)
{
    std::vector<std::vector<Delivery>> sends(collective.processors);
    StagingBuffers buffers(workload, collective);
    for (const auto& [message, receiver, contributors] : collective.demands) {
        // What is there first is its own contribution, if that is a part of the sum.
        bool is_begun = std::binary_search(contributors.begin(), contributors.end(), receiver);
        for (const ProcessorId contributor : contributors) {
            if (contributor == receiver)
                continue;
            const Operation operation = is_begun ? Operation::add : Operation::copy;
            sends[contributor].push_back(
                {message, receiver, buffers.buffer_of(receiver, {0, message, operation})});
            is_begun = true;
        }
    }
    return sends;
}

/// Sends from contributors only: every engine works through its list, and its last step waits for all that it
/// is owed.
void add_direct_sends(Workload& workload, const Topology& topology, const Collective& collective,
                      PortModel ports, const Routing& routing, const UnscheduledTraffic& traffic)
{
    std::vector<std::vector<Delivery>> sends = direct_sends(workload, collective);
    std::vector<std::uint32_t> owed(collective.processors);
    for (const std::vector<Delivery>& of_one : sends)
        for (const Delivery& send : of_one)
            ++owed[send.destination];
    std::vector<std::uint32_t> last_step(collective.processors);
    for (ProcessorId id = 0; id < collective.processors; ++id) {
        const std::size_t at_once = send_ports(topology, id, ports);
        const std::size_t steps = std::max<std::size_t>(1, (sends[id].size() + at_once - 1) / at_once);
        last_step[id] = static_cast<std::uint32_t>(steps - 1);
        workload.engines[id].resize(steps);
        workload.engines[id].back().expected = owed[id];
        if (!workload.combinations.empty())
            for (Combination& combination : workload.combinations[id])
                combination.step = last_step[id];
    }
    for (ProcessorId id = 0; id < collective.processors; ++id) {
        const std::size_t at_once = send_ports(topology, id, ports);
        put_in_order(sends[id], id, collective.processors, traffic);
        for (std::size_t i = 0; i < sends[id].size(); ++i) {
            const Delivery& send = sends[id][i];
            workload.engines[id][i / at_once].sends.push_back({send.message, send.destination,
                                                               route_of(routing, id, send.destination),
                                                               last_step[send.destination], send.buffer});
        }
    }
}

/// What one processor does in one round of binomial trees.
struct Round {
    std::vector<Delivery> sends;
    std::uint32_t receives = 0;
};

/// By processor and round. In round k the members of ranks below 2^k pass a message on to the rank 2^k
/// higher.
std::vector<std::vector<Round>> binomial_rounds(const Collective& collective)
{
    std::vector<std::vector<Round>> rounds(collective.processors);
    const auto round_of = [&](ProcessorId id, std::size_t k) -> Round& {
        for (auto& each : rounds) // all processors have as many rounds
            each.resize(std::max(each.size(), k + 1));
        return rounds[id][k];
    };
    for (MessageId id = 0; id < collective.messages().size(); ++id) {
        const Message& message = collective.messages()[id];
        std::vector<ProcessorId> ranks{message.origin};
        const auto next =
            std::upper_bound(message.receivers.begin(), message.receivers.end(), message.origin);
        ranks.insert(ranks.end(), next, message.receivers.end());
        ranks.insert(ranks.end(), message.receivers.begin(), next);
        for (std::size_t k = 0; (std::size_t{1} << k) < ranks.size(); ++k)
            for (std::size_t rank = 0; rank < std::size_t{1} << k; ++rank) {
                const std::size_t to = rank + (std::size_t{1} << k);
                if (to >= ranks.size())
                    break;
                round_of(ranks[rank], k).sends.push_back({id, ranks[to]});
                ++round_of(ranks[to], k).receives;
            }
    }
    return rounds;
}

void add_binomial_trees(Workload& workload, const Topology& topology, const Collective& collective,
                        PortModel ports, const Routing& routing)
{
    const std::vector<std::vector<Round>> rounds = binomial_rounds(collective);
    // A round takes an engine as many steps as its ports need; the last one waits for what the round brings.
    std::vector<std::vector<std::uint32_t>> last_step(collective.processors);
    for (ProcessorId id = 0; id < collective.processors; ++id) {
        const std::size_t at_once = send_ports(topology, id, ports);
        for (const Round& round : rounds[id]) {
            const std::size_t steps = std::max<std::size_t>(1, (round.sends.size() + at_once - 1) / at_once);
            workload.engines[id].resize(workload.engines[id].size() + steps);
            workload.engines[id].back().expected = round.receives;
            last_step[id].push_back(static_cast<std::uint32_t>(workload.engines[id].size() - 1));
        }
    }
    for (ProcessorId id = 0; id < collective.processors; ++id) {
        const std::size_t at_once = send_ports(topology, id, ports);
        for (std::size_t k = 0; k < rounds[id].size(); ++k) {
            const std::size_t first = k == 0 ? 0 : last_step[id][k - 1] + 1;
            for (std::size_t i = 0; i < rounds[id][k].sends.size(); ++i) {
                const Delivery& send = rounds[id][k].sends[i];
                workload.engines[id][first + i / at_once].sends.push_back(
                    {send.message, send.destination, route_of(routing, id, send.destination),
                     last_step[send.destination][k]});
            }
        }
    }
}

} // namespace

Workload unscheduled(const Topology& topology, const Collective& collective, PortModel ports,
                     const Routing& routing, const UnscheduledTraffic& traffic)
{
    Workload workload{to_string(traffic), routing.name,
                      routing.vc_classes, Synchronization::self_timed,
                      traffic.start_up,   std::vector<std::vector<EngineStep>>(collective.processors),
                      routing.adaptive()};
    if (traffic.order != SendOrder::binomial)
        add_direct_sends(workload, topology, collective, ports, routing, traffic);
    else if (is_broadcast(collective))
        add_binomial_trees(workload, topology, collective, ports, routing);
    else
        throw std::invalid_argument(
            fmt::format("{}: binomial trees need a broadcast", in_words(collective.kind)));
    return workload;
}

std::string to_string(const UnscheduledTraffic& traffic)
{
    std::string text = order_names[static_cast<std::size_t>(traffic.order)];
    return traffic.start_up == StartUp::once ? text.append(chained_suffix) : text;
}

UnscheduledTraffic parse_unscheduled(std::string_view text, std::uint64_t seed)
{
    std::string_view name = text;
    const bool chained = name.ends_with(chained_suffix);
    if (chained)
        name.remove_suffix(chained_suffix.size());
    const auto found = std::ranges::find(order_names, name);
    if (found == order_names.end())
        throw std::invalid_argument(
            fmt::format("{}, with +chained behind it or not", unknown_name("traffic", name, order_names)));
    return {static_cast<SendOrder>(found - order_names.begin()),
            chained ? StartUp::once : StartUp::every_step, seed};
}

std::vector<UnscheduledTraffic> usual_baselines(const Collective& collective, std::uint64_t seed)
{
    std::vector<UnscheduledTraffic> result;
    for (const SendOrder order : {SendOrder::in_order, SendOrder::shifted, SendOrder::random})
        result.push_back({order, StartUp::every_step, seed});
    for (const SendOrder order : {SendOrder::shifted, SendOrder::random})
        result.push_back({order, StartUp::once, seed});
    if (is_broadcast(collective))
        result.push_back({SendOrder::binomial, StartUp::every_step, seed});
    return result;
}

} // namespace nocturne
