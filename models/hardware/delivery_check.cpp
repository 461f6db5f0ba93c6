#include "models/hardware/delivery_check.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

namespace nocturne {

namespace {

std::uint64_t pair_of(const Packet& packet)
{
    return std::uint64_t{packet.source} << 32 | packet.destination;
}

std::uint64_t hash_of(const Packet& packet)
{
    SplitMix64 of_pair(pair_of(packet));
    SplitMix64 of_packet(of_pair() ^ (std::uint64_t{packet.step} << 32 | packet.flits));
    return of_packet();
}

} // namespace

void DeliveryCheck::packet_created(const Packet& packet)
{
    ++created_;
    created_sum_ += hash_of(packet);
    if (in_order_)
        ++flows_[pair_of(packet)].under_way;
}

void DeliveryCheck::packet_delivered(const Packet& packet, ProcessorId at)
{
    ++delivered_;
    delivered_sum_ += hash_of(packet);
    if (packet.destination != at)
        fail(packet, fmt::format("came to processor {}", at));
    if (packet.arrived != packet.flits)
        fail(packet, fmt::format("{} flits in their order", packet.arrived));
    if (in_order_)
        check_order(packet);
}

void DeliveryCheck::check_order(const Packet& packet)
{
    Flow* const flow = flows_.find(pair_of(packet));
    if (flow == nullptr) {
        fail(packet, "came once more than it was sent");
        return;
    }
    if (packet.step < flow->next)
        fail(packet, "came after a later one");
    flow->next = packet.step + 1;
    if (--flow->under_way == 0)
        flows_.erase(pair_of(packet));
}

void DeliveryCheck::fail(const Packet& packet, const std::string& what)
{
    if (error_.empty())
        error_ = fmt::format("packet {} of processor {}, of {} flits to processor {}: {}", packet.step,
                             packet.source, packet.flits, packet.destination, what);
}

std::string DeliveryCheck::final_error() const
{
    if (!error_.empty())
        return error_;
    if (created_ != delivered_)
        return fmt::format("{} packets were created and {} delivered", created_, delivered_);
    return created_sum_ == delivered_sum_ ? std::string()
                                          : "a packet was delivered twice, and another one never";
}

} // namespace nocturne
