// Who is told of the messages of traffic sources and replayed traces.
#pragma once

#include "models/network/message_network.hpp"

#include <span>
#include <vector>

namespace nocturne {

class MessageObserver {
public:
    /// A message has entered the source queue, in the present cycle.
    virtual void message_created(const NetworkMessage& message) = 0;
    /// The messages of the source that follow at once are one multicast, a unicast to each destination; it is
    /// not whole if there is none to some of these, which a fault has cut off.
    virtual void multicast_begins(ProcessorId /*source*/, bool /*is_whole*/) {}
    /// All of it has come to this processor.
    virtual void message_delivered(const NetworkMessage& message, ProcessorId at) = 0;
    /// A fault has cut it off, see MessageClient::message_lost().
    virtual void message_lost(const NetworkMessage&) {}

protected:
    ~MessageObserver() = default;
};

/// Tells several, in their order, which must outlive it.
class MessageObservers final : public MessageObserver {
public:
    void add(MessageObserver& one) { all_.push_back(&one); }

    void message_created(const NetworkMessage& message) override
    {
        for (MessageObserver* const one : all_)
            one->message_created(message);
    }
    void multicast_begins(ProcessorId source, bool is_whole) override
    {
        for (MessageObserver* const one : all_)
            one->multicast_begins(source, is_whole);
    }
    void message_delivered(const NetworkMessage& message, ProcessorId at) override
    {
        for (MessageObserver* const one : all_)
            one->message_delivered(message, at);
    }
    void message_lost(const NetworkMessage& message) override
    {
        for (MessageObserver* const one : all_)
            one->message_lost(message);
    }

private:
    std::vector<MessageObserver*> all_;
};

/// Sends it, and says so.
template <typename Path> // a Route or a Routing
void send_observed(MessageNetwork& network, const MessageNetwork::Sending& sending, const Path& path,
                   MessageObserver& observer)
{
    network.send(sending, path);
    const std::uint64_t now = network.now();
    observer.message_created(
        {sending.source, sending.destination, sending.flits, sending.tag, now, now, sending.number});
}

/// A multicast, see MessageNetwork::send_multicast().
inline void send_observed(MessageNetwork& network, std::span<const MessageNetwork::Sending> to_each,
                          const Routing& routing, MessageObserver& observer)
{
    network.send_multicast(to_each, routing);
    const std::uint64_t now = network.now();
    for (const MessageNetwork::Sending& sending : to_each)
        observer.message_created(
            {sending.source, sending.destination, sending.flits, sending.tag, now, now, sending.number});
}

} // namespace nocturne
