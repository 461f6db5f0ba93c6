// Who is told of the messages of traffic sources and replayed traces.
#pragma once

#include "models/network/message_network.hpp"

namespace nocturne {

class MessageObserver {
public:
    /// A message has entered the source queue, in the present cycle.
    virtual void message_created(const NetworkMessage& message) = 0;
    /// All of it has come to this processor.
    virtual void message_delivered(const NetworkMessage& message, ProcessorId at) = 0;

protected:
    ~MessageObserver() = default;
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

} // namespace nocturne
