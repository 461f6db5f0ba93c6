// One attempt after the other to make the schedule of a broadcast step by step.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/broadcast/broadcast_step.hpp"
#include "schedules/search/search_meter.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace nocturne {

/// Does an attempt use the arcs of the step before again where it can? Where the senders of a step are a
/// permutation, one cycle of all processors serves every step.
enum class ArcPolicy {
    none,
    same_arcs,
    as_before, ///< each step begins with what is possible of the schedule to begin with
};

/// A schedule made step by step.
class BroadcastConstruction {
public:
    /// The network and the meter must outlive it.
    BroadcastConstruction(const RelayNetwork& network, unsigned steps, SplitMix64 random, SearchMeter& meter);

    /// What `as_before` begins with: transfers that the problem allows, over arcs of the network; others are
    /// left out.
    void begin_with(const std::vector<Step>& start);
    /// Does a new one carry out the broadcast in time?
    bool attempt(ArcPolicy policy);
    Schedule schedule() const;
    /// Deliveries that the attempt did not get to.
    std::uint64_t missing() const;

private:
    using Arc = RelayNetwork::Arc;
    using Score = std::int64_t;

    void measure_distances();
    void choose_relays(MessageId message, std::uint32_t relay_cost);
    void start();
    bool plan_step();
    void repeat_step();
    bool serve(ProcessorId receiver);
    bool take_free(ProcessorId receiver);
    bool take_from_another(ProcessorId receiver);
    std::optional<std::pair<Relay, BroadcastStep::Slot>> displacement(Arc arc);
    std::pair<MessageId, Score> most_wanted(ProcessorId sender, ProcessorId receiver);
    Score score(ProcessorId receiver, MessageId message);
    void finish_step();

    Score spare(ProcessorId p) const
    {
        return Score{network_.receive_limit(p)} * (steps_ - plan_.size()) - missing_[p];
    }
    bool lacks(ProcessorId p, MessageId m) const
    {
        return wanted_.has(p, m) && !holds_.has(p, m) && !step_.incoming().has(p, m);
    }
    std::size_t at(MessageId m, ProcessorId p) const
    {
        return std::size_t{m} * network_.processor_count() + p;
    }

    const RelayNetwork& network_;
    const Messages messages_;
    const unsigned steps_;
    SplitMix64 random_;
    SearchMeter& meter_;
    bool has_outsiders_ = false; ///< are there processors that some message is not for?
    std::vector<std::uint16_t>
        remaining_; ///< by (message, processor): arcs from there to the farthest receiver behind
    std::vector<std::uint32_t> weight_;     ///< by processor: how often it got stuck
    std::vector<std::vector<Relay>> start_; ///< by step: what to begin with
    ArcPolicy policy_ = ArcPolicy::none;

    // The attempt.
    ChunkSets wanted_; ///< who is owed what, and the relays chosen
    ChunkSets holds_;
    std::vector<std::uint32_t> lacking_; ///< by message: processors that want it and lack it
    std::vector<std::uint32_t> missing_; ///< by processor: messages
    std::vector<Score> urgency_;         ///< by processor
    std::vector<std::vector<Relay>> plan_;

    // The step at hand.
    BroadcastStep step_;
    std::vector<char> was_used_;       ///< by arc: in the step before
    std::vector<std::uint64_t> chain_; ///< by arc: the last chain of moves that gave it away
    std::uint64_t this_chain_ = 0;
    unsigned moves_left_ = 0;
};

} // namespace nocturne
