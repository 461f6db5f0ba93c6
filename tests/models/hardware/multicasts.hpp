// What tests of multicasts send.
#pragma once

#include "models/hardware/network.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/reference_network.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace nocturne::test {

/// Sends messages, those that are together as one multicast, and keeps when each arrives.
class Crier final : public MessageClient {
public:
    Crier(MessageNetwork& network, const Routing& routing, const std::vector<SentMessage>& messages)
        : network_(network), routing_(routing), messages_(messages), arrivals_(messages.size())
    {
        network.attach(*this);
        for (std::uint32_t id = 0; id < messages.size(); id += messages[id].together)
            network.set_timer(messages[id].message.at, id);
    }

    void timer(std::uint32_t first) override
    {
        std::vector<MessageNetwork::Sending> to_each;
        for (std::uint32_t id = first; id < first + messages_[first].together; ++id) {
            const Message& message = messages_[id].message;
            to_each.push_back(
                {message.source, message.destination, message.flits, id + 1000, id, 0, message.priority});
        }
        to_each.front().keeps_reservation = keeps_reservations;
        network_.send_multicast(to_each, routing_);
    }
    void message_sent(const NetworkMessage& message) override { sent.push_back(message.number); }
    void message_arrived(const NetworkMessage& message, ProcessorId at) override
    {
        const Message& expected = messages_[message.number].message;
        REQUIRE_FALSE(arrivals_[message.number]);
        CHECK(at == expected.destination);
        CHECK(message.source == expected.source);
        CHECK(message.destination == expected.destination);
        CHECK(message.flits == expected.flits);
        CHECK(message.came == expected.flits);
        CHECK(message.created == expected.at);
        CHECK(message.injected > expected.at);
        CHECK(message.tag == message.number + 1000);
        CHECK(message.hops == messages_[message.number].route.size());
        arrivals_[message.number] = network_.now();
    }

    bool all_arrived() const
    {
        return std::ranges::all_of(arrivals_, [](const auto& arrival) { return arrival.has_value(); });
    }
    std::vector<Cycle> arrivals() const
    {
        std::vector<Cycle> result;
        for (const auto& arrival : arrivals_)
            result.push_back(arrival.value());
        return result;
    }
    std::vector<std::uint32_t> sent;
    bool keeps_reservations = false;

private:
    MessageNetwork& network_;
    const Routing& routing_;
    const std::vector<SentMessage>& messages_;
    std::vector<std::optional<Cycle>> arrivals_;
};

/// To different processors, at one time.
inline void add_multicast(std::vector<SentMessage>& messages, const Routing& routing, const Message& like,
                          const std::vector<ProcessorId>& destinations)
{
    const std::size_t first = messages.size();
    for (const ProcessorId destination : destinations) {
        Message message = like;
        message.destination = destination;
        messages.push_back({message, routing.route(like.source, destination)});
    }
    messages[first].together = static_cast<std::uint32_t>(destinations.size());
}

/// Of few destinations or of many, in the order of their times.
inline std::vector<SentMessage> random_multicasts(const Topology& topology, const Routing& routing,
                                                  std::uint32_t longest, SplitMix64& random)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<Cycle> times;
    const std::uint32_t cycles = 1 + random.below(400);
    for (int i = 0; i < 40; ++i)
        times.push_back(1 + random.below(cycles));
    std::ranges::sort(times);
    std::vector<SentMessage> messages;
    for (const Cycle at : times) {
        std::vector<ProcessorId> all(processors);
        std::iota(all.begin(), all.end(), 0u);
        for (std::uint32_t i = 0; i < processors; ++i)
            std::swap(all[i], all[i + random.below(processors - i)]);
        all.resize(1 + random.below(std::min(processors, random.below(2) == 0 ? 3u : 12u)));
        add_multicast(messages, routing,
                      {random.below(processors), 0, 1 + random.below(longest), at,
                       static_cast<std::uint8_t>(random.below(3))},
                      all);
    }
    return messages;
}

/// A small one of any kind.
inline Topology multicast_topology(SplitMix64& random)
{
    const char* const specs[] = {"mesh:3x3",  "torus:4x3", "ring:6",        "hypercube:3",
                                 "kautz:3,2", "omega:8",   "fat_octagon:8", "star:9"};
    return with_random_channels(make_topology(specs[random.below(8)]), random);
}

} // namespace nocturne::test
