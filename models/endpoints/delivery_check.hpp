// Does every packet arrive exactly once, whole, at its place and in its turn?
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/network/probing_table.hpp"

#include <cstdint>
#include <string>

namespace nocturne {

/// Looks at every packet as it is created and as it is delivered; a few operations each. A loss or a double
/// delivery that leaves the counts right is seen by a sum of 64-bit hashes.
class DeliveryCheck final : public MessageObserver {
public:
    /// `in_order`: packets from one processor to another must arrive in the order in which they were created.
    explicit DeliveryCheck(bool in_order) : in_order_(in_order) {}

    void message_created(const NetworkMessage& message) override;
    void message_delivered(const NetworkMessage& message, ProcessorId at) override;
    void message_lost(const NetworkMessage& message) override;

    std::uint64_t created() const { return created_; }
    std::uint64_t delivered() const { return delivered_; }
    std::uint64_t lost() const { return lost_; } ///< to faults
    /// The first thing that went wrong, one line; empty if nothing has.
    const std::string& error() const { return error_; }
    /// The same when the network is empty: what was created and neither delivered nor lost to a fault, or
    /// delivered twice, is an error too.
    std::string final_error() const;

private:
    /// The packets from one processor to another that are under way: only they can be overtaken.
    struct Flow {
        std::uint32_t under_way = 0;
        std::uint32_t next = 0; ///< the least number that may come now
    };

    void check_order(const NetworkMessage& message);
    void fail(const NetworkMessage& message, const std::string& what);

    const bool in_order_;
    std::uint64_t created_ = 0;
    std::uint64_t delivered_ = 0;
    std::uint64_t created_sum_ = 0;   ///< of the hashes of packets
    std::uint64_t delivered_sum_ = 0; ///< and of those that are lost
    std::uint64_t lost_ = 0;
    ProbingTable<std::uint64_t, ~std::uint64_t{0}, Flow> flows_; ///< by pair, if they have to be in order
    std::string error_;
};

} // namespace nocturne
