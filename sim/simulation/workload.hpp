// What each DMA engine has to do, before it is put into descriptors: the common form of schedules and of
// traffic without one.
#pragma once

#include "models/routing/routing.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nocturne {

/// When an engine goes on to its next step: when everybody has finished the step, or when it has itself.
enum class Synchronization { barrier, self_timed };

/// When an engine pays t0: before each step in which it sends, or once (its descriptors are chained).
enum class StartUp { every_step, once };

/// A message that an engine sends in a step.
struct Sending {
    MessageId message;
    ProcessorId destination;
    Route route;               ///< none where the routers choose it
    std::uint32_t remote_step; ///< the step of the receiver that waits for it
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
};

/// What the network is made for to carry the workload.
Routing routing_of(const Workload& workload);

/// The steps of a schedule, each transfer on its own path. Throws std::invalid_argument for a transfer
/// without a path.
Workload workload_of(const Schedule& schedule, const Topology& topology, Synchronization synchronization);

/// `barrier` or `self-timed`; parsing throws std::invalid_argument for anything else.
std::string to_string(Synchronization synchronization);
Synchronization parse_synchronization(std::string_view text);

} // namespace nocturne
