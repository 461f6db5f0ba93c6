#include "models/hardware/delivery_check.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

namespace nocturne {

namespace {

std::uint64_t hash_of(const Packet& packet)
{
    SplitMix64 of_pair(std::uint64_t{packet.source} << 32 | packet.destination);
    SplitMix64 of_packet(of_pair() ^ (std::uint64_t{packet.step} << 32 | packet.flits));
    return of_packet();
}

} // namespace

DeliveryCheck::DeliveryCheck(std::uint32_t processors, bool in_order)
    : processors_(processors), next_(in_order ? std::size_t{processors} * processors : 0)
{
}

void DeliveryCheck::packet_created(const Packet& packet)
{
    ++created_;
    created_sum_ += hash_of(packet);
}

void DeliveryCheck::packet_delivered(const Packet& packet, ProcessorId at)
{
    ++delivered_;
    delivered_sum_ += hash_of(packet);
    if (packet.destination != at)
        fail(packet, fmt::format("came to processor {}", at));
    if (packet.arrived != packet.flits)
        fail(packet, fmt::format("{} flits in their order", packet.arrived));
    if (next_.empty())
        return;
    std::uint32_t& next = next_[std::size_t{packet.source} * processors_ + packet.destination];
    if (packet.step < next)
        fail(packet, "came after a later one");
    next = packet.step + 1;
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
