// A transaction on its way through a fabric.
#pragma once

#include "models/fabric/packet_carrier.hpp"

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

    struct State {
        bool is_blocking = false;     ///< b_transport: a thread waits for `arrived`
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
            return static_cast<FabricTransferId>(transfers_.size() - 1);
        }
        const FabricTransferId id = free_.back();
        free_.pop_back();
        return id;
    }
    void release(FabricTransferId id) { free_.push_back(id); }
    FabricTransfer& operator[](FabricTransferId id) { return transfers_[id]; }
    std::size_t in_flight() const { return transfers_.size() - free_.size(); }

private:
    std::deque<FabricTransfer> transfers_;
    std::vector<FabricTransferId> free_;
};

/// The transfers that a socket knows, found by their payloads: a table with open addressing and linear
/// probing (Knuth, The Art of Computer Programming 3, section 6.4, algorithms L and R), which allocates
/// nothing once it has its size.
class SocketTransfers {
public:
    static constexpr FabricTransferId none = ~0u;

    void insert(const tlm::tlm_generic_payload& payload, FabricTransferId id)
    {
        if (2 * (size_ + 1) > entries_.size())
            grow();
        put({&payload, id});
        ++size_;
    }
    FabricTransferId find(const tlm::tlm_generic_payload& payload) const
    {
        if (entries_.empty())
            return none;
        const Entry& entry = entries_[place_of(&payload)];
        return entry.payload == nullptr ? none : entry.id;
    }
    void erase(const tlm::tlm_generic_payload& payload)
    {
        if (find(payload) == none)
            return;
        --size_;
        std::size_t hole = place_of(&payload);
        entries_[hole] = {};
        // What comes behind moves into the hole unless its own place is behind that.
        for (std::size_t i = next(hole); entries_[i].payload != nullptr; i = next(i))
            if (((i - home_of(entries_[i].payload)) & mask()) >= ((i - hole) & mask())) {
                entries_[hole] = std::exchange(entries_[i], {});
                hole = i;
            }
    }

private:
    struct Entry {
        const tlm::tlm_generic_payload* payload = nullptr;
        FabricTransferId id = none;
    };

    std::size_t mask() const { return entries_.size() - 1; }
    std::size_t next(std::size_t place) const { return (place + 1) & mask(); }
    std::size_t home_of(const tlm::tlm_generic_payload* payload) const
    {
        // Fibonacci hashing: addresses differ in their middle bits.
        return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(payload) * 0x9e3779b97f4a7c15ull) >>
                                        32) &
               mask();
    }
    /// Where the payload is, or the free place where it would be.
    std::size_t place_of(const tlm::tlm_generic_payload* payload) const
    {
        std::size_t place = home_of(payload);
        while (entries_[place].payload != nullptr && entries_[place].payload != payload)
            place = next(place);
        return place;
    }
    void put(const Entry& entry) { entries_[place_of(entry.payload)] = entry; }
    void grow()
    {
        const std::vector<Entry> before =
            std::exchange(entries_, std::vector<Entry>(std::max<std::size_t>(16, 2 * entries_.size())));
        for (const Entry& entry : before)
            if (entry.payload != nullptr)
                put(entry);
    }

    std::vector<Entry> entries_; ///< none, or a power of two of them
    std::size_t size_ = 0;
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
