#include "models/endpoints/delivery_check.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

namespace nocturne {

namespace {

constexpr std::uint64_t odd_factor = 0x9e3779b97f4a7c15; ///< spreads pairs over all bits

std::uint64_t pair_of(const NetworkMessage& message)
{
    return std::uint64_t{message.source} << 32 | message.destination;
}

std::uint64_t hash_of(const NetworkMessage& message)
{
    const std::uint64_t what = std::uint64_t{message.number} << 32 | message.flits;
    return SplitMix64(pair_of(message) * odd_factor + what)();
}

} // namespace

void DeliveryCheck::message_created(const NetworkMessage& message)
{
    ++created_;
    created_sum_ += hash_of(message);
    if (in_order_)
        ++flows_[pair_of(message)].under_way;
}

void DeliveryCheck::message_delivered(const NetworkMessage& message, ProcessorId at)
{
    ++delivered_;
    delivered_sum_ += hash_of(message);
    if (message.destination != at)
        fail(message, fmt::format("came to processor {}", at));
    if (message.came != message.flits)
        fail(message, fmt::format("{} flits in their order", message.came));
    if (in_order_)
        check_order(message);
}

void DeliveryCheck::message_lost(const NetworkMessage& message)
{
    ++lost_;
    delivered_sum_ += hash_of(message);
    if (Flow* const flow = in_order_ ? flows_.find(pair_of(message)) : nullptr;
        flow != nullptr && --flow->under_way == 0)
        flows_.erase(pair_of(message));
}

void DeliveryCheck::check_order(const NetworkMessage& message)
{
    Flow* const flow = flows_.find(pair_of(message));
    if (flow == nullptr) {
        fail(message, "came once more than it was sent");
        return;
    }
    if (message.number < flow->next)
        fail(message, "came after a later one");
    flow->next = message.number + 1;
    if (--flow->under_way == 0)
        flows_.erase(pair_of(message));
}

void DeliveryCheck::fail(const NetworkMessage& message, const std::string& what)
{
    if (error_.empty())
        error_ = fmt::format("packet {} of processor {}, of {} flits to processor {}: {}", message.number,
                             message.source, message.flits, message.destination, what);
}

std::string DeliveryCheck::final_error() const
{
    if (!error_.empty())
        return error_;
    if (created_ != delivered_ + lost_)
        return fmt::format("{} packets were created and {} delivered{}", created_, delivered_,
                           lost_ > 0 ? fmt::format(", {} lost to faults", lost_) : std::string());
    return created_sum_ == delivered_sum_ ? std::string()
                                          : "a packet was delivered twice, and another one never";
}

} // namespace nocturne
