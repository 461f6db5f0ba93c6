// A memory that answers in all the ways that the base protocol allows.
#pragma once

#include "models/routing/random.hpp"

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::test {

/// How many phases nb_transport takes.
enum class TargetPhases {
    one,  ///< TLM_COMPLETED
    two,  ///< TLM_UPDATED, with END_REQ or BEGIN_RESP
    four, ///< TLM_ACCEPTED, then END_REQ (or not) and BEGIN_RESP
    any   ///< drawn for each transaction
};

/// What is read and written is so when a request begins, so that the order of requests can be seen.
class RandomTarget final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};

    struct Config {
        std::size_t bytes = 4096;
        TargetPhases phases = TargetPhases::any;
        unsigned most_delay_ns = 40; ///< of a phase
        std::uint64_t seed = 1;
    };
    RandomTarget(const sc_core::sc_module_name& name, const Config& config);

    std::uint64_t requests() const { return requests_; }
    /// What must not be: empty.
    const std::string& error() const { return error_; }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& memory) override;

    void execute(tlm::tlm_generic_payload& payload);
    tlm::tlm_sync_enum answer_later(tlm::tlm_generic_payload& payload);
    tlm::tlm_sync_enum update(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                              sc_core::sc_time& delay);
    void end_requests();
    void respond();
    sc_core::sc_time draw_delay();

    const Config config_;
    SplitMix64 random_;
    std::vector<std::uint8_t> bytes_;
    std::uint64_t requests_ = 0;
    std::string error_;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> ending_{"ending"};
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> responding_{"responding"};
    sc_core::sc_event response_ended_;
    bool response_is_open_ = false;
};

} // namespace nocturne::test
