// A module between an initiator and a target that watches their protocol.
#pragma once

#include "models/fabric/protocol_rules.hpp"

#include <systemc>
#include <tlm>

namespace nocturne {

/// Passes on every call, and holds it to ProtocolRules. Put between two sockets:
///
///     cpu.socket.bind(checker.target_socket);
///     checker.initiator_socket.bind(fabric.target_socket<32>("cpu"));
template <unsigned Width = 32>
class ProtocolChecker final : public sc_core::sc_module,
                              private tlm::tlm_fw_transport_if<>,
                              private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<Width> target_socket{"target_socket"};          ///< the initiator is bound to it
    tlm::tlm_initiator_socket<Width> initiator_socket{"initiator_socket"}; ///< it is bound to the target

    explicit ProtocolChecker(const sc_core::sc_module_name& name) : sc_module(name)
    {
        target_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        initiator_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    }

    const ProtocolRules& rules() const { return rules_; }
    /// To be called with Fabric::reset(), or whatever else drops transactions (ProtocolRules::reset()).
    void reset() { rules_.reset(); }

private:
    using Payload = tlm::tlm_generic_payload;

    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        const TransportCall call{phase, delay};
        rules_.forward_call(payload, call);
        const tlm::tlm_sync_enum answer = initiator_socket->nb_transport_fw(payload, phase, delay);
        rules_.forward_return(payload, call, answer, {phase, delay});
        return answer;
    }

    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        const TransportCall call{phase, delay};
        rules_.backward_call(payload, call);
        const tlm::tlm_sync_enum answer = target_socket->nb_transport_bw(payload, phase, delay);
        rules_.backward_return(payload, call, answer, {phase, delay});
        return answer;
    }

    void b_transport(Payload& payload, sc_core::sc_time& delay) override
    {
        rules_.blocking_call(payload, delay);
        try {
            initiator_socket->b_transport(payload, delay);
        } catch (...) { // a reset, a kill, one that the target throws
            rules_.blocking_abandoned(payload);
            throw;
        }
        rules_.blocking_return(payload, delay);
    }

    bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& memory) override
    {
        return initiator_socket->get_direct_mem_ptr(payload, memory);
    }

    unsigned transport_dbg(Payload& payload) override { return initiator_socket->transport_dbg(payload); }

    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
    {
        target_socket->invalidate_direct_mem_ptr(first, last);
    }

    ProtocolRules rules_;
};

} // namespace nocturne
