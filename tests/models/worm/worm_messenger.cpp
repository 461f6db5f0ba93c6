#include "tests/models/worm/worm_messenger.hpp"

#include "tests/catch.hpp"

namespace nocturne::test {

void WormMessenger::send(const Message& message, const Route& route)
{
    const auto number = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back(message);
    routes_.push_back(route);
    arrivals_.push_back({number, 0, 0, false});
    network_.set_timer(message.at, number);
}

void WormMessenger::timer(std::uint32_t code)
{
    const Message& message = messages_[code];
    network_.send({message.source, message.destination, message.flits, code}, routes_[code]);
}

void WormMessenger::message_sent(const NetworkMessage& message)
{
    REQUIRE(arrivals_[message.tag].sent == 0);
    arrivals_[message.tag].sent = network_.now();
}

void WormMessenger::message_arrived(const NetworkMessage& message, ProcessorId at)
{
    REQUIRE(at == messages_[message.tag].destination);
    REQUIRE(arrivals_[message.tag].arrived == 0);
    REQUIRE(arrivals_[message.tag].sent > 0);
    REQUIRE_FALSE(arrivals_[message.tag].is_lost);
    arrivals_[message.tag].arrived = network_.now();
    ++arrived_;
}

void WormMessenger::message_lost(const NetworkMessage& message)
{
    REQUIRE(arrivals_[message.tag].arrived == 0);
    REQUIRE_FALSE(arrivals_[message.tag].is_lost);
    arrivals_[message.tag].is_lost = true;
}

} // namespace nocturne::test
