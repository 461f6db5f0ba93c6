// A fabric with an initiator and targets whose calls a test makes and sees itself.
#pragma once

#include "models/fabric/fabric.hpp"
#include "models/hardware/memory.hpp"

#include <systemc>
#include <tlm>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nocturne::test {

inline FabricConfig with_timing(FabricTiming timing)
{
    FabricConfig config;
    config.timing = timing;
    return config;
}

/// An initiator that runs a function in a thread.
class ScriptedInitiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};
    std::function<void(ScriptedInitiator&)> script = [](ScriptedInitiator&) {};
    struct Call {
        const tlm::tlm_generic_payload* payload;
        tlm::tlm_phase phase;
        sc_core::sc_time at;
    };
    std::vector<Call> calls; ///< of nb_transport_bw
    struct Invalidation {
        std::uint64_t first;
        std::uint64_t last;
        friend bool operator==(const Invalidation&, const Invalidation&) = default;
    };
    std::vector<Invalidation> invalidations;

    explicit ScriptedInitiator(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        SC_HAS_PROCESS(ScriptedInitiator);
        SC_THREAD(run);
    }
    using sc_core::sc_module::wait;

private:
    void run() { script(*this); }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        calls.push_back({&payload, phase, sc_core::sc_time_stamp() + delay});
        return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
    {
        invalidations.push_back({first, last});
    }
};

/// The message of the error that a fabric reports; nothing if nothing is wrong.
std::string report_of(const std::function<void()>& act);

/// A payload with data of its own and a memory manager that keeps it.
struct OwnedPayload : tlm::tlm_generic_payload, tlm::tlm_mm_interface {
    OwnedPayload(tlm::tlm_command command, std::uint64_t address, unsigned bytes) : data(bytes)
    {
        set_mm(this);
        acquire();
        set_command(command);
        set_address(address);
        set_data_ptr(data.data());
        set_data_length(bytes);
        set_streaming_width(bytes);
    }
    void free(tlm::tlm_generic_payload*) override {}
    std::vector<std::uint8_t> data;
};

/// Begins a request of nb_transport now.
inline tlm::tlm_sync_enum begin_request(ScriptedInitiator& initiator, tlm::tlm_generic_payload& payload)
{
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    return initiator.socket->nb_transport_fw(payload, phase, delay);
}

/// Initiators `cpu` and `dma`, and memories `ram` (4 KiB from 0x1000) and `rom` (256 bytes from 0x8000,
/// absolute addresses) at the corners of a mesh of 2x2.
class SmallPlatform {
public:
    explicit SmallPlatform(const FabricConfig& config);

    static constexpr ProcessorId cpu_at = 0;
    static constexpr ProcessorId ram_at = 3;

    Topology topology;
    std::unique_ptr<Fabric> fabric;
    ScriptedInitiator cpu{"cpu"};
    ScriptedInitiator dma{"dma"};
    Memory ram{"ram", 4096};
    Memory rom{"rom", 0x8100};
};

} // namespace nocturne::test
