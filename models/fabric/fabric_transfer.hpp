// A transaction on its way through a fabric.
#pragma once

#include "models/fabric/packet_carrier.hpp"
#include "models/network/probing_table.hpp"

#include <systemc>
#include <tlm>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace nocturne {

using FabricTransferId = std::uint32_t;

/// From its request to the end of its response.
struct FabricTransfer {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint32_t initiator = 0;
    std::uint32_t target = 0;
    FlowId flow = 0;
    std::uint64_t address = 0;        ///< as the initiator gave it
    std::uint64_t target_address = 0; ///< as the target sees it
    std::uint32_t request_flits = 0;
    std::uint32_t response_flits = 0;
    std::uint64_t request_order = 0;  ///< among the requests of its flow
    std::uint64_t response_order = 0; ///< among the responses of its flow
    sc_core::sc_time began;
    FabricTransferId behind = 0; ///< next in the queue that it is in
    std::uint32_t pending = 0;   ///< entries of the fabric's queue that name it
    bool is_in_use = false;

    struct State {
        bool is_blocking = false;     ///< b_transport: a thread waits for `arrived`
        bool is_dropped = false;      ///< it has no payload any more; what is left of it goes
        bool has_slot = false;        ///< it is one of its initiator's requests in flight
        bool is_under_way = false;    ///< its request, or response, has a place in the order of its flow
        bool has_entered = false;     ///< and is in the network, or was
        bool has_place = false;       ///< in its target's queue
        bool has_arrived = false;     ///< what the thread waits for
        bool is_request_open = false; ///< at the target
        bool has_responded = false;   ///< the target has begun the response phase
        bool target_awaits_end_response = false;
        bool is_response_open = false; ///< at the initiator
        bool has_ended = false;
    };
    State state;
    sc_core::sc_event arrived;
};

/// All transfers of a fabric. References stay valid; what is released is used again.
class FabricTransferPool {
public:
    FabricTransferId acquire()
    {
        if (free_.empty()) {
            transfers_.emplace_back();
            free_.push_back(size() - 1);
        }
        const FabricTransferId id = free_.back();
        free_.pop_back();
        transfers_[id].is_in_use = true;
        return id;
    }
    void release(FabricTransferId id)
    {
        transfers_[id].is_in_use = false;
        free_.push_back(id);
    }
    FabricTransferId size() const { return static_cast<FabricTransferId>(transfers_.size()); }
    FabricTransfer& operator[](FabricTransferId id) { return transfers_[id]; }
    const FabricTransfer& operator[](FabricTransferId id) const { return transfers_[id]; }
    std::size_t in_flight() const { return transfers_.size() - free_.size(); }

private:
    std::deque<FabricTransfer> transfers_;
    std::vector<FabricTransferId> free_;
};

/// The transfers that a socket knows, found by their payloads.
class SocketTransfers {
public:
    static constexpr FabricTransferId none = ~0u;

    void insert(const tlm::tlm_generic_payload& payload, FabricTransferId id) { transfers_[&payload] = id; }
    FabricTransferId find(const tlm::tlm_generic_payload& payload)
    {
        const FabricTransferId* const id = transfers_.find(&payload);
        return id == nullptr ? none : *id;
    }
    void erase(const tlm::tlm_generic_payload& payload) { transfers_.erase(&payload); }

private:
    ProbingTable<const tlm::tlm_generic_payload*, nullptr, FabricTransferId> transfers_;
};

/// What arrives of one flow and leg, put in the order in which it was sent.
class Reordering {
public:
    std::uint64_t next_to_send() { return sent_++; }
    bool is_next(std::uint64_t order) const { return order == delivered_; }

    /// `deliver(id)` for each that is next in line, among those that have arrived before too early.
    template <class Deliver>
    void arrive(FabricTransferId id, std::uint64_t order, Deliver deliver)
    {
        if (order != delivered_) {
            early_.push_back({order, id});
            return;
        }
        ++delivered_;
        deliver(id);
        while (!early_.empty()) {
            const auto next = std::ranges::find(early_, delivered_, &Early::order);
            if (next == early_.end())
                return;
            const FabricTransferId found = next->id;
            early_.erase(next);
            ++delivered_;
            deliver(found);
        }
    }

private:
    struct Early {
        std::uint64_t order;
        FabricTransferId id;
    };
    std::uint64_t sent_ = 0;
    std::uint64_t delivered_ = 0;
    std::vector<Early> early_;
};

} // namespace nocturne
