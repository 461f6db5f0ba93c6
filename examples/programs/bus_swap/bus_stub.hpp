// The usual stub of a bus: sockets, and no time. Address bits 31 to 28 choose the target.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

class BusStub final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket_tagged<BusStub, 32> target_socket[2];
    tlm_utils::simple_initiator_socket<BusStub, 32> initiator_socket[2];

    explicit BusStub(const sc_core::sc_module_name& name) : sc_module(name)
    {
        for (int i = 0; i < 2; ++i)
            target_socket[i].register_b_transport(this, &BusStub::b_transport, i);
    }

private:
    void b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        const sc_dt::uint64 address = payload.get_address();
        const sc_dt::uint64 target = (address >> 28) - 1;
        if (target > 1) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        payload.set_address(address & 0x0fffffff);
        initiator_socket[target]->b_transport(payload, delay);
        payload.set_address(address);
    }
};
