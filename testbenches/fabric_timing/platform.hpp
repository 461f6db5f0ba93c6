// Initiators that make transactions at random times, and memories that answer at once.
#pragma once

#include "models/fabric/fabric.hpp"
#include "models/routing/random.hpp"

#include <systemc>
#include <tlm>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace nocturne::fabric_timing {

/// How initiators ask.
enum class Asking : std::uint8_t {
    open,     ///< nb_transport: requests at random times, however many are under way
    blocking, ///< b_transport: one after the other, with random times between
    window    ///< nb_transport: the next request as soon as less than so many are under way
};

struct TrafficPlan {
    Asking asking = Asking::open;
    double gap_cycles = 100;     ///< mean time between two requests (from a response to the next request)
    unsigned least_bytes = 4;    ///< reads and writes of so many bytes, in words
    unsigned most_bytes = 64;    ///< to this
    unsigned read_percent = 50;  ///< of the transactions; the others write
    double quantum_cycles = 0;   ///< of b_transport
    unsigned threads = 1;        ///< in b_transport
    unsigned outstanding = 8;    ///< of a window
    std::uint64_t end_cycle = 0; ///< no request after it
    std::uint64_t seed = 1;
};

/// A memory that answers at once.
class IdealMemory final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};
    IdealMemory(const sc_core::sc_module_name& name, std::size_t bytes);

private:
    void access(tlm::tlm_generic_payload& payload);
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override { access(payload); }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    std::vector<std::uint8_t> bytes_;
};

/// An initiator whose transactions go to all targets evenly.
class TrafficInitiator final : public sc_core::sc_module,
                               private tlm::tlm_bw_transport_if<>,
                               private tlm::tlm_mm_interface {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};

    TrafficInitiator(const sc_core::sc_module_name& name, const TrafficPlan& plan, unsigned targets,
                     double cycle_ns);

    std::uint64_t completed() const { return completed_; }

private:
    struct Payload : tlm::tlm_generic_payload {
        explicit Payload(tlm::tlm_mm_interface* manager) : tlm_generic_payload(manager) {}
        std::vector<std::uint8_t> data;
    };

    void run();
    void run_open();
    void run_blocking();
    void run_window();
    Payload& draw();
    sc_core::sc_time draw_gap();
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void free(tlm::tlm_generic_payload* payload) override;

    const TrafficPlan plan_;
    const unsigned targets_;
    const double cycle_ns_;
    const sc_core::sc_time end_;
    SplitMix64 random_;
    std::list<Payload> payloads_;
    std::vector<Payload*> unused_;
    std::uint64_t completed_ = 0;
    unsigned under_way_ = 0;
    sc_core::sc_event one_has_ended_; ///< or END_REQ has come
    bool awaits_end_request_ = false;
};

/// Bytes of addresses that each target has.
inline constexpr std::uint64_t target_bytes = 4096;

/// An initiator and a target at each processor of the topology.
FabricPorts ports_everywhere(const Topology& topology);
AddressMap map_everywhere(const Topology& topology);

} // namespace nocturne::fabric_timing
