// Every parameter of a fabric, in one typed value.
#pragma once

#include "models/fabric/address_map.hpp"
#include "models/network/configuration.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// How a fabric tells time.
enum class FabricTiming : std::uint8_t {
    fixed, ///< every request takes FabricConfig::fixed_latency_ns, every response none
    lt,    ///< zero load by formula, and what a message waits by a calendar of each link (LinkCalendar)
    at,    ///< the message-level model (WormNetwork)
    flit   ///< the routers (Network)
};

/// `fixed`, `lt`, `at`, `flit`. Throws std::invalid_argument for anything else.
FabricTiming parse_fabric_timing(std::string_view text);
std::string_view to_string(FabricTiming timing);

/// What ends the phases of a transaction of nb_transport.
enum class FabricPhases : std::uint8_t {
    /// The fabric does, at each of its sockets: END_REQ when it takes a request, END_RESP when it takes a
    /// response.
    by_fabric,
    /// The other end does, as on a bus that has no buffers: an initiator's END_REQ is that of the target, a
    /// target's END_RESP that of the initiator, and the whole fabric has one request phase and one response
    /// phase at a time. The address stays the target's. Only with FabricTiming::fixed.
    end_to_end
};

/// Whether responses have virtual channels of their own.
enum class ResponseChannels : std::uint8_t { separate, shared };

struct FabricConfig {
    FabricTiming timing = FabricTiming::lt;
    /// `vcs` for requests and responses together; automatic_vcs: as many as these need with the routing.
    HardwareConfig hardware = automatic_hardware();
    std::string routing = "auto"; ///< see make_routing(); one that draws no routes
    ResponseChannels response_channels = ResponseChannels::separate;
    double fixed_latency_ns = 0; ///< 0 or more, for FabricTiming::fixed
    FabricPhases phases = FabricPhases::by_fabric;
    /// A target's BEGIN_RESP is answered with TLM_COMPLETED. Otherwise with TLM_ACCEPTED, and END_RESP
    /// follows when the response phase has begun: a target that knows only one of the ways to end it knows
    /// that one. Only with FabricPhases::by_fabric.
    bool completes_responses_early = false;
    unsigned requests_in_flight = 8; ///< of an initiator, 1 or more: the next one gets no END_REQ before
    /// Requests that a target's interface holds until the target takes them, 1 or more; further ones stay in
    /// the network (FabricTiming::flit; the other timings have room for all).
    unsigned target_queue_packets = 4;
    unsigned header_bytes = 8;         ///< of each request and response, before its data; 0 or more
    bool grants_dmi = false;           ///< passes on direct memory access, which takes no time in the network
    bool records_transactions = false; ///< keeps each one that has ended: Fabric::transactions()

    /// Throws std::invalid_argument naming what is out of range.
    void validate() const;

    static constexpr unsigned automatic_vcs = 0;
    /// The defaults with automatic_vcs.
    static HardwareConfig automatic_hardware()
    {
        HardwareConfig hardware;
        hardware.vcs = automatic_vcs;
        return hardware;
    }
    /// With virtual channels for so many classes, where they are automatic.
    FabricConfig with_classes(unsigned vc_classes) const
    {
        FabricConfig config = *this;
        if (hardware.vcs == automatic_vcs)
            config.hardware.vcs = vc_classes;
        return config;
    }
};

/// A socket of the fabric, at the router of a processor; any number may be at one.
struct FabricPort {
    std::string name;
    ProcessorId processor = 0;
    unsigned bus_width_bits = 32; ///< 32, 64, 128, 256 or 512
};

struct FabricPorts {
    std::vector<FabricPort> initiators; ///< for which the fabric has target sockets
    std::vector<FabricPort> targets;    ///< for which it has initiator sockets
};

/// Throws std::invalid_argument, naming the port, for a name that is empty or there twice, a processor that
/// does not exist, a bus width that is not usual, a target of the map without a port or a port that no range
/// leads to, and an initiator that only the map knows.
void check_ports(const Topology& topology, const AddressMap& map, const FabricPorts& ports);

} // namespace nocturne
