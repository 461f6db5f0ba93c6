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

void put_in_order(std::vector<RoundSending>& sends, ProcessorId source, std::uint32_t processors,
                  const UnscheduledTraffic& traffic)
{
    const auto distance = [&](const RoundSending& send) {
        return (send.destination + processors - source) % processors;
    };
    std::sort(sends.begin(), sends.end(),
              [](const RoundSending& a, const RoundSending& b) { return a.destination < b.destination; });
    if (traffic.order == SendOrder::shifted)
        std::sort(sends.begin(), sends.end(),
                  [&](const RoundSending& a, const RoundSending& b) { return distance(a) < distance(b); });
    if (traffic.order == SendOrder::random) {
        SplitMix64 random(traffic.seed ^ (std::uint64_t{source} << 32));
        for (std::size_t i = sends.size(); i > 1; --i)
            std::swap(sends[i - 1], sends[random.below(static_cast<std::uint32_t>(i))]);
    }
}

/// Sends from contributors only, to those who are owed their contributions: every engine works through its
/// list, and its last step waits for all that it is owed.
std::vector<std::vector<SendingRound>> direct_sends(Workload& workload, const Collective& collective,
                                                    const UnscheduledTraffic& traffic)
{
    std::vector<std::vector<SendingRound>> rounds(collective.processors, std::vector<SendingRound>(1));
    StagingBuffers buffers(workload, collective);
    for (const auto& [message, receiver, contributors] : collective.demands) {
        // What is there first is its own contribution, if that is a part of the sum.
        bool is_begun = std::binary_search(contributors.begin(), contributors.end(), receiver);
        for (const ProcessorId contributor : contributors) {
            if (contributor == receiver)
                continue;
            const Operation operation = is_begun ? Operation::add : Operation::copy;
            rounds[contributor].front().sends.push_back(
                {message, receiver, buffers.buffer_of(receiver, {0, message, operation})});
            ++rounds[receiver].front().receives;
            is_begun = true;
        }
    }
    for (ProcessorId id = 0; id < collective.processors; ++id)
        put_in_order(rounds[id].front().sends, id, collective.processors, traffic);
    return rounds;
}

/// In round k the members of ranks below 2^k pass a message on to the rank 2^k higher.
std::vector<std::vector<SendingRound>> binomial_rounds(const Collective& collective)
{
    std::vector<std::vector<SendingRound>> rounds(collective.processors);
    const auto round_of = [&](ProcessorId id, std::size_t k) -> SendingRound& {
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

} // namespace

Workload unscheduled(const Topology& topology, const Collective& collective, PortModel ports,
                     const Routing& routing, const UnscheduledTraffic& traffic)
{
    Workload workload{to_string(traffic), routing.name,
                      routing.vc_classes, Synchronization::self_timed,
                      traffic.start_up,   std::vector<std::vector<EngineStep>>(collective.processors),
                      routing.adaptive()};
    if (traffic.order == SendOrder::binomial && !is_broadcast(collective))
        throw std::invalid_argument(
            fmt::format("{}: binomial trees need a broadcast", in_words(collective.kind)));
    add_rounds(workload,
               traffic.order == SendOrder::binomial ? binomial_rounds(collective)
                                                    : direct_sends(workload, collective, traffic),
               topology, ports, [&](ProcessorId source, ProcessorId destination) {
                   return routing.adaptive() ? Route() : routing.route(source, destination); // or routers do
               });
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
