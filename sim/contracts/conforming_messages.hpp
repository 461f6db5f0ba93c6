// The messages of a flow that does its worst, but keeps to what it has asked for.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_table.hpp"

#include <cstdint>

namespace nocturne {

/// The cycles in which messages are created, ascending. By turns those of the contract's worst case
/// (Contract) and a random number of them in which each comes as soon as it may or up to two intervals
/// later. The rule is that of the leaky bucket: one more each message_cycles, burst_messages at once at
/// most (the generic cell rate algorithm, ITU-T I.371, as virtual scheduling).
class ConformingMessages {
public:
    ConformingMessages(const GuaranteedFlow& flow, const Contract& contract, const FlowSlots& slots,
                       const SlotTiming& timing, std::uint64_t period_cycles, std::uint64_t seed);

    /// The first message comes one period after the beginning, or later.
    std::uint64_t next();

private:
    void begin_episode();
    std::uint64_t earliest() const;

    const std::uint64_t interval_;
    const std::uint64_t burst_;
    const std::uint64_t worst_messages_; ///< until the one that takes longest
    const std::uint64_t worst_phase_;    ///< of the period: in which they begin to come
    const std::uint64_t period_;
    const std::uint32_t starts_;
    SplitMix64 random_;
    std::uint64_t last_ = 0;
    std::uint64_t theoretical_ = 0; ///< when one comes that is not early
    std::uint64_t left_ = 0;        ///< of the episode
    bool is_worst_ = false;
};

} // namespace nocturne
