// The sockets of a fabric: of the usual bus widths, bound to calls with the number of the port.
#pragma once

#include "models/fabric/fabric_config.hpp"

#include <systemc>
#include <tlm>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace nocturne {

/// As tlm::tlm_target_socket. By themselves they accept any number of bindings: a port that is not bound, or
/// more than once, is reported by the fabric, by its name.
template <unsigned Width>
using FabricTargetSocket =
    tlm::tlm_target_socket<Width, tlm::tlm_base_protocol_types, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;
template <unsigned Width>
using FabricInitiatorSocket =
    tlm::tlm_initiator_socket<Width, tlm::tlm_base_protocol_types, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;

template <template <unsigned> class Socket>
using SocketOfAnyWidth =
    std::variant<std::unique_ptr<Socket<32>>, std::unique_ptr<Socket<64>>, std::unique_ptr<Socket<128>>,
                 std::unique_ptr<Socket<256>>, std::unique_ptr<Socket<512>>>;

/// `width` must be one that check_ports() accepts.
template <template <unsigned> class Socket>
SocketOfAnyWidth<Socket> make_socket(unsigned width, const std::string& name)
{
    switch (width) {
    case 64:
        return std::make_unique<Socket<64>>(name.c_str());
    case 128:
        return std::make_unique<Socket<128>>(name.c_str());
    case 256:
        return std::make_unique<Socket<256>>(name.c_str());
    case 512:
        return std::make_unique<Socket<512>>(name.c_str());
    default:
        return std::make_unique<Socket<32>>(name.c_str());
    }
}

class Fabric;

/// Where an initiator is bound: its calls, for the fabric.
class FabricInitiatorPort final : public tlm::tlm_fw_transport_if<> {
public:
    FabricInitiatorPort(Fabric& fabric, std::uint32_t index, const FabricPort& port);

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

    SocketOfAnyWidth<FabricTargetSocket>& socket() { return socket_; }
    /// How many initiators are bound.
    int bindings() const;
    /// Calls of the first one in the other direction; null if nothing is bound.
    tlm::tlm_bw_transport_if<>* initiator();

private:
    Fabric& fabric_;
    const std::uint32_t index_;
    SocketOfAnyWidth<FabricTargetSocket> socket_;
};

/// Where a target is bound.
class FabricTargetPort final : public tlm::tlm_bw_transport_if<> {
public:
    FabricTargetPort(Fabric& fabric, std::uint32_t index, const FabricPort& port);

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    SocketOfAnyWidth<FabricInitiatorSocket>& socket() { return socket_; }
    /// How many targets are bound.
    int bindings();
    /// Calls of the first one; null if nothing is bound.
    tlm::tlm_fw_transport_if<>* target();

private:
    Fabric& fabric_;
    const std::uint32_t index_;
    SocketOfAnyWidth<FabricInitiatorSocket> socket_;
};

} // namespace nocturne
