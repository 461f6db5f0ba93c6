#include "models/fabric/fabric_sockets.hpp"

#include "models/fabric/fabric.hpp"

namespace nocturne {

FabricInitiatorPort::FabricInitiatorPort(Fabric& fabric, std::uint32_t index, const FabricPort& port)
    : fabric_(fabric), index_(index), socket_(make_socket<FabricTargetSocket>(
                                          port.bus_width_bits, sc_core::sc_gen_unique_name("target_socket")))
{
    std::visit([this](auto& socket) { socket->bind(*this); }, socket_);
}

int FabricInitiatorPort::bindings() const
{
    return std::visit([](const auto& socket) { return socket->size(); }, socket_);
}

tlm::tlm_bw_transport_if<>* FabricInitiatorPort::initiator()
{
    return bindings() == 0 ? nullptr : std::visit([](auto& socket) { return socket->operator->(); }, socket_);
}

tlm::tlm_sync_enum FabricInitiatorPort::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                        tlm::tlm_phase& phase, sc_core::sc_time& delay)
{
    return fabric_.nb_transport_fw(index_, payload, phase, delay);
}

void FabricInitiatorPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    fabric_.b_transport(index_, payload, delay);
}

bool FabricInitiatorPort::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region)
{
    return fabric_.get_direct_mem_ptr(index_, payload, region);
}

unsigned FabricInitiatorPort::transport_dbg(tlm::tlm_generic_payload& payload)
{
    return fabric_.transport_dbg(index_, payload);
}

FabricTargetPort::FabricTargetPort(Fabric& fabric, std::uint32_t index, const FabricPort& port)
    : fabric_(fabric), index_(index),
      socket_(make_socket<FabricInitiatorSocket>(port.bus_width_bits,
                                                 sc_core::sc_gen_unique_name("initiator_socket")))
{
    std::visit([this](auto& socket) { socket->bind(*this); }, socket_);
}

int FabricTargetPort::bindings()
{
    return std::visit([](auto& socket) { return socket->get_base_port().size(); }, socket_);
}

tlm::tlm_fw_transport_if<>* FabricTargetPort::target()
{
    return bindings() == 0 ? nullptr : std::visit([](auto& socket) { return socket->operator->(); }, socket_);
}

tlm::tlm_sync_enum FabricTargetPort::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay)
{
    return fabric_.nb_transport_bw(index_, payload, phase, delay);
}

void FabricTargetPort::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last)
{
    fabric_.invalidate_direct_mem_ptr(index_, first, last);
}

} // namespace nocturne
