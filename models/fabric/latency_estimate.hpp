// How long a message takes, without simulating it: zero load, and an estimate of what others cost it.
#pragma once

#include "models/fabric/fabric_plan.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace nocturne {

/// The cycles of a message: those of zero_load_cycles(), and the mean wait at the links of its route. That
/// wait comes from the messages that have been asked for: at refresh() each link gets its load, and a message
/// waits at a link as in an M/G/1 queue (Pollaczek and Khinchine) of the messages that come to that link from
/// elsewhere than it does itself, since those that come from the same link are in line already:
///
///     sum of flits squared, of messages from elsewhere, in a cycle / (2 (1 - load) (1 - load))
///
/// with load = flits of all messages in a cycle. The second factor is not the queue's: a message that waits
/// holds the links behind it, which are busy for longer than its flits take. That it is 1 / (1 - load) is
/// fitted to the flit level. Messages of one initiator hinder each other only as far as it has several under
/// way.
class LatencyEstimate {
public:
    /// Both must outlive it.
    LatencyEstimate(const FabricPlan& plan, const HardwareConfig& config);

    /// From the source queue to the arrival of the last of `flits` flits, 1 or more. The message counts for
    /// the next refresh(). A mean wait of 0.5 is one cycle for every second message.
    std::uint64_t cycles(Leg leg, FlowId flow, std::uint32_t flits)
    {
        Estimate& estimate = of(leg, flow);
        estimate.flits += flits;
        estimate.squares += std::uint64_t{flits} * flits;
        estimate.owed += estimate.wait;
        const auto wait = static_cast<std::uint32_t>(estimate.owed);
        estimate.owed -= static_cast<float>(wait);
        return zero_load(estimate, leg, flow, flits) + wait;
    }

    /// A transaction begins while this many others of its initiator are under way.
    void begin_transaction(std::uint32_t initiator, std::uint32_t others)
    {
        ++concurrency_[initiator].transactions;
        concurrency_[initiator].overlapping += others > 0 ? 1 : 0;
    }

    /// The messages since the last refresh() were sent within this many cycles: new waits from them and, to
    /// the same part, from what was known before, if anything was.
    void refresh(double cycles);

    /// The mean wait of a flow's messages, cycles.
    double wait_cycles(Leg leg, FlowId flow) const
    {
        return flows_[flow].legs[static_cast<std::size_t>(leg)].wait;
    }

private:
    struct Estimate {
        std::uint32_t head = 0; ///< zero load of one flit
        float wait = 0;         ///< cycles
        float owed = 0;         ///< of the wait, less than a cycle
        bool is_narrow = false; ///< some link takes several cycles for a flit
        std::uint64_t flits = 0;
        std::uint64_t squares = 0; ///< of messages' flits
    };
    /// One line of the cache: what a transaction needs.
    struct alignas(64) FlowEstimate {
        std::array<Estimate, 2> legs;
    };
    /// Of a link, or of what comes to it from one other link: in a cycle.
    struct Load {
        double flits = 0;
        double squares = 0;
    };
    struct Concurrency {
        std::uint64_t transactions = 0;
        std::uint64_t overlapping = 0;
        double part = 0; ///< of its messages that find others under way
    };
    /// A link on the way of a message.
    struct Passage {
        std::uint32_t link;
        std::uint32_t turn; ///< from the link before
    };

    Estimate& of(Leg leg, FlowId flow) { return flows_[flow].legs[static_cast<std::size_t>(leg)]; }
    Estimate& of(std::size_t flow_and_leg) { return flows_[flow_and_leg / 2].legs[flow_and_leg % 2]; }
    std::uint64_t zero_load(const Estimate& estimate, Leg leg, FlowId flow, std::uint32_t flits) const
    {
        return estimate.is_narrow ? narrow_zero_load(leg, flow, flits)
                                  : std::uint64_t{estimate.head} + flits - 1;
    }
    std::uint64_t narrow_zero_load(Leg leg, FlowId flow, std::uint32_t flits) const;
    void add_passages(Leg leg, FlowId flow);
    void measure(double cycles);
    void estimate_waits_of(std::uint32_t initiator);

    const FabricPlan& plan_;
    const HardwareConfig& config_;
    std::vector<FlowEstimate> flows_;
    bool is_measured_ = false;
    std::vector<Concurrency> concurrency_;
    std::vector<Passage> passages_;            ///< of all flows, one after the other
    std::vector<std::uint32_t> first_passage_; ///< by flow, then leg; one more for the end
    std::vector<Load> loads_;                  ///< by flow, then leg
    std::vector<double> occupied_;             ///< by link: cycles that it takes for a flit
    std::vector<Load> links_;
    std::vector<Load> turns_;
    std::vector<Load> own_links_; ///< of one initiator; 0 between uses
    std::vector<Load> own_turns_;
};

} // namespace nocturne
