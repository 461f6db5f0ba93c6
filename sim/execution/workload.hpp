// What each DMA engine has to do, before it is put into descriptors: the common form of schedules and of
// traffic without one.
#pragma once

#include "models/routing/routing.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace nocturne {

/// When an engine goes on to its next step: when all engines have finished the step, or when it has itself.
enum class Synchronization { barrier, self_timed };

/// When an engine pays t0: before each step in which it sends, or once (its descriptors are chained).
enum class StartUp { every_step, once };

/// Stands in a sending for the place of its message.
inline constexpr std::uint32_t no_buffer = ~0u;

/// A message that an engine sends in a step.
struct Sending {
    MessageId message;
    ProcessorId destination;
    Route route;               ///< none where the routers choose it
    std::uint32_t remote_step; ///< the step of the receiver that waits for it
    /// Where it comes to: the place of its message in the receiver's memory, or a staging buffer, the index
    /// of a Combination of the receiver.
    std::uint32_t buffer = no_buffer;
};

/// What an engine does with what is in a staging buffer when a step ends: it copies or adds it to the place
/// of its message.
struct Combination {
    std::uint32_t step;
    MessageId message;
    Operation operation;
};

/// A step of one engine: it is over when all is sent and as many messages have come as expected.
struct EngineStep {
    std::vector<Sending> sends;
    std::uint32_t expected = 0;
};

struct Workload {
    std::string traffic; ///< how results call it: `schedule`, `shifted`
    std::string routing;
    VcClasses vc_classes = {};
    Synchronization synchronization = Synchronization::barrier;
    StartUp start_up = StartUp::every_step;
    std::vector<std::vector<EngineStep>>
        engines; ///< by processor and step; under a barrier all have as many steps
    /// What the routers choose the routes by; nothing: each message has its own.
    std::shared_ptr<const AdaptiveRouting> adaptive = {};
    /// By processor, in order of steps; empty if nothing is added.
    std::vector<std::vector<Combination>> combinations = {};

    /// Those of an engine.
    std::span<const Combination> combinations_of(ProcessorId id) const
    {
        return combinations.empty() ? std::span<const Combination>() : combinations[id];
    }
};

/// Gives what is sent for a collective that adds its staging buffers. What a processor sends in a step was
/// there when the step began, and without a barrier a message may come while its receiver is in an earlier
/// step. So whatever comes for a place in which something is waits in a buffer of its own until the step that
/// it is for ends.
class StagingBuffers {
public:
    /// Both must outlive it.
    StagingBuffers(Workload& workload, const Collective& collective);

    /// The buffer, if it takes one, of a message for that step of the receiver. To be asked in the order of
    /// each receiver's steps.
    std::uint32_t buffer_of(ProcessorId receiver, const Combination& combination);

private:
    Workload& workload_;
    const Collective& collective_;
    const bool reduces_;
    std::unordered_set<std::uint64_t> received_; ///< what processors have of messages of others
};

/// A message and one of those who are owed it.
struct RoundSending {
    MessageId message;
    ProcessorId destination;
    std::uint32_t buffer = no_buffer; ///< see Sending
};

/// What a processor sends and receives before it goes on.
struct SendingRound {
    std::vector<RoundSending> sends;
    std::uint32_t receives = 0;
};

/// Steps for rounds, by processor and round, of which all have as many: a processor sends as many messages at
/// once as it has ports, and its last step of a round waits for what it receives in that. Combinations of the
/// workload name a round, and then its last step. `route_of` is asked in the order of processors and sends.
void add_rounds(Workload& workload, const std::vector<std::vector<SendingRound>>& rounds,
                const Topology& topology, PortModel ports,
                const std::function<Route(ProcessorId, ProcessorId)>& route_of);

/// What the network is made for to carry the workload.
Routing routing_of(const Workload& workload);

/// The steps of a schedule, each transfer on its own path. Throws std::invalid_argument for a transfer
/// without a path.
Workload workload_of(const Schedule& schedule, const Topology& topology, Synchronization synchronization);

/// `barrier` or `self-timed`; parsing throws std::invalid_argument for anything else.
std::string to_string(Synchronization synchronization);
Synchronization parse_synchronization(std::string_view text);

} // namespace nocturne
