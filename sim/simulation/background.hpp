// Traffic beside a collective, on the same network interfaces and links.
#pragma once

#include "models/endpoints/delivery_check.hpp"
#include "models/endpoints/traffic_sources.hpp"
#include "models/routing/routing.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace nocturne {

/// What is sent by name; see make_pattern(), make_message_sizes(), make_arrivals(), make_routing().
struct BackgroundTraffic {
    double load = 0; ///< flits per processor and cycle
    std::string pattern = "uniform";
    std::string packet_flits = "8";
    std::string arrivals = "bernoulli";
    std::string routing = "auto"; ///< one that is decided at the source
    std::uint64_t seed = 1;
};

/// Throws as check_load() and what the functions for its parts throw.
Traffic traffic_of(const BackgroundTraffic& background, const Topology& topology, PortModel ports);

/// The routing with all its classes raised by `classes`: beside traffic that has the lower ones. Throws
/// std::invalid_argument for a routing that is decided by the routers.
Routing with_vc_class_offset(Routing routing, const VcClasses& classes);

/// That of background traffic beside a workload in these classes; nothing if there is none. Throws as
/// make_routing() and with_vc_class_offset().
std::optional<Routing> routing_beside(const std::optional<BackgroundTraffic>& background,
                                      const Topology& topology, const HardwareConfig& hardware,
                                      const VcClasses& classes);

/// A source at each processor, from the beginning on. Between routers it has virtual channels, and so
/// buffers, of its own: neither traffic can bring the other one into a deadlock. They share the source queue
/// of each processor, its injection links with the buffers at their ends, its ejection links, and the
/// bandwidth of all links.
class BackgroundSources {
public:
    /// The routing must be one of with_vc_class_offset(); it and the network must outlive this. Throws as
    /// traffic_of().
    BackgroundSources(MessageNetwork& network, const Routing& routing, PortModel ports,
                      const BackgroundTraffic& background);

    void stop() { sources_.stop(); }
    /// What went wrong with a packet, when the network is empty; empty if nothing has.
    std::string error() const { return check_.final_error(); }

private:
    const Traffic traffic_;
    DeliveryCheck check_;
    TrafficSources sources_;
};

/// How far a collective has come.
struct CollectiveProgress {
    std::function<bool()> is_over;
    std::function<std::uint64_t()> messages; ///< that have arrived
};

/// Runs a network in which a collective has begun until that is over, or goes on no more, then stops the
/// sources and runs the network empty. Throws std::logic_error for what went wrong with a packet of theirs.
void run_beside(BackgroundSources& background, MessageNetwork& network, const HardwareConfig& hardware,
                const CollectiveProgress& progress);

} // namespace nocturne
