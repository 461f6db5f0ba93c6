// Traffic beside a collective, on the same network interfaces and links.
#pragma once

#include "models/hardware/delivery_check.hpp"
#include "models/hardware/traffic.hpp"
#include "models/routing/routing.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

/// The routing with all its classes raised by `classes`: beside traffic that has the lower ones. Throws
/// std::invalid_argument for a routing that is decided by the routers.
Routing with_vc_class_offset(Routing routing, const VcClasses& classes);

/// A source at each processor, from the beginning on. Between routers it has virtual channels, and so
/// buffers, of its own: neither traffic can bring the other one into a deadlock. They share the source queue
/// of each processor, its injection links with the buffers at their ends, its ejection links, and the
/// bandwidth of all links.
class BackgroundSources {
public:
    /// The routing must be one of with_vc_class_offset(); it and the network must outlive this. Throws as
    /// check_load() and what the functions for its parts throw.
    BackgroundSources(Network& network, const Routing& routing, PortModel ports,
                      const BackgroundTraffic& background);

    void stop();
    /// What went wrong with a packet, when the network is empty; empty if nothing has.
    std::string error() const { return check_.final_error(); }

private:
    Traffic traffic_;
    DeliveryCheck check_;
    std::vector<std::unique_ptr<TrafficSource>> sources_;
};

} // namespace nocturne
