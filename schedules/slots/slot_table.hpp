// Time slots of links, given to flows so that no two of them ever want the same one: time-division
// multiplexing without contention, as in aelite (Hansson, Subburaman and Goossens, DATE 2009) and the network
// of Stefan, Molnos, Ambrose and Goossens (DATE 2012).
#pragma once

#include "models/topology/path.hpp"
#include "models/topology/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// How packets with a slot move on, cycles. A packet whose head enters the injection link in cycle t enters
/// each link on its way a fixed time later, since nothing delays it.
struct SlotTiming {
    std::uint32_t slot_flits = 3;  ///< the most of a packet; 1 or more
    std::uint32_t slot_cycles = 5; ///< from one head to the next on a link, at least; slot_flits or more
    std::uint32_t interface_cycles =
        1; ///< from a message's creation to the first cycle in which it can leave
    std::uint32_t injection_cycles = 5; ///< from a head's entry into the injection link to that into the next
    std::vector<std::uint32_t> channel_cycles; ///< by channel: the same
    std::uint32_t ejection_cycles = 1;         ///< from a flit's entry into the ejection link to its arrival
};

/// What is asked for: messages of one size from one processor to another.
struct GuaranteedFlow {
    ProcessorId source = 0;
    ProcessorId destination = 0;
    std::uint32_t message_flits = 1;  ///< 1 or more
    std::uint64_t message_cycles = 1; ///< a message each so many cycles at most, but for bursts; 1 or more
    std::uint32_t burst_messages = 1; ///< at once at most; 1 or more
    std::optional<std::uint64_t> latency_cycles = {}; ///< at most, from creation to the last flit's arrival

    friend bool operator==(const GuaranteedFlow&, const GuaranteedFlow&) = default;
};

/// What a flow gets.
struct FlowSlots {
    Path path;
    /// Cycles of the period in which a head may enter the injection link, ascending.
    std::vector<std::uint32_t> starts;

    friend bool operator==(const FlowSlots&, const FlowSlots&) = default;
};

/// By flow. After `slots` times SlotTiming::slot_cycles everything begins anew.
struct SlotTable {
    std::uint32_t slots = 1;
    std::vector<FlowSlots> flows;

    std::uint64_t period_cycles(const SlotTiming& timing) const
    {
        return std::uint64_t{slots} * timing.slot_cycles;
    }
    friend bool operator==(const SlotTable&, const SlotTable&) = default;
};

inline constexpr std::uint32_t most_slots = 1024;    ///< of a period
inline constexpr std::uint32_t most_slot_flits = 64; ///< of a packet
inline constexpr std::uint32_t most_message_flits = 1U << 20;
inline constexpr std::uint32_t most_burst_messages = 1U << 20;

/// Packets of a message: each leaves in a slot of its own.
std::uint32_t packets_of(const GuaranteedFlow& flow, const SlotTiming& timing);

/// Slots in a period that its rate takes.
std::uint64_t slots_for_rate(const GuaranteedFlow& flow, const SlotTiming& timing, std::uint32_t slots);

/// Links that slots are of: the channels, then an injection link and then an ejection link for each
/// processor.
struct SlotLinks {
    explicit SlotLinks(const Topology& network) : topology(network) {}

    std::size_t count() const { return topology.channel_count() + 2 * topology.processor_count(); }
    std::uint32_t injection(ProcessorId id) const
    {
        return static_cast<std::uint32_t>(topology.channel_count() + id);
    }
    std::uint32_t ejection(ProcessorId id) const
    {
        return static_cast<std::uint32_t>(topology.channel_count() + topology.processor_count() + id);
    }
    /// `00->01`, `P00->00` (injection), `00->P00` (ejection).
    std::string name(std::uint32_t link) const;

    const Topology& topology;
};

/// A link that a packet takes so many cycles after it has entered the injection link.
struct TimedLink {
    std::uint32_t link;
    std::uint32_t after_cycles;

    friend bool operator==(const TimedLink&, const TimedLink&) = default;
};

/// From the injection link, over the path, to the ejection link.
std::vector<TimedLink> links_of(const SlotLinks& links, const SlotTiming& timing, const GuaranteedFlow& flow,
                                const Path& path);

/// What is wrong with a table, one line each; empty if it keeps all that is asked for: paths that lead from
/// source to destination, starts within the period and in their order, no link wanted by two packets within
/// SlotTiming::slot_cycles, slots for each flow's rate, and its latency as contract_of() has it. Goes through
/// every cycle of every link, and uses nothing of the search. Throws std::invalid_argument if the table is
/// not of so many flows.
std::vector<std::string> check_slots(const Topology& topology, const SlotTiming& timing,
                                     const std::vector<GuaranteedFlow>& flows, const SlotTable& table);

} // namespace nocturne
