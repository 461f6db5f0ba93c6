// An initiator that draws its transactions and knows what must come back.
#pragma once

#include "models/routing/random.hpp"

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace nocturne::test {

/// An extension that must come back as it was, unseen by the network.
struct NumberExtension final : tlm::tlm_extension<NumberExtension> {
    std::uint64_t number = 0;
    tlm::tlm_extension_base* clone() const override { return new NumberExtension(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override
    {
        number = static_cast<const NumberExtension&>(other).number;
    }
};

/// Random commands, sizes, alignments, byte enables, streaming widths, delays and phases, in its own slice of
/// each target's memory. What a read must bring is known when it begins, because requests to a target come
/// there in their order.
class RandomInitiator final : public sc_core::sc_module,
                              private tlm::tlm_bw_transport_if<>,
                              private tlm::tlm_mm_interface {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};

    struct Config {
        bool is_blocking = false; ///< b_transport with a quantum, or nb_transport
        std::uint64_t transactions = 1000;
        unsigned quantum_ns = 200;     ///< of b_transport, global
        unsigned most_outstanding = 4; ///< of nb_transport
        unsigned most_bytes = 64;
        unsigned most_gap_ns = 30;
        std::vector<std::uint64_t> slices; ///< where its slice of each target begins
        std::uint64_t slice_bytes = 512;   ///< more than most_bytes
        std::uint64_t unmapped = 0;        ///< an address that nobody answers for
        std::uint64_t seed = 1;
    };
    RandomInitiator(const sc_core::sc_module_name& name, const Config& config);

    std::uint64_t completed() const { return completed_; }
    /// Payloads that somebody holds.
    std::size_t held() const { return payloads_.size() - free_.size(); }
    /// The first thing that was not as it must be; empty if all was.
    const std::string& error() const { return error_; }

private:
    struct Payload : tlm::tlm_generic_payload {
        explicit Payload(tlm::tlm_mm_interface* manager) : tlm_generic_payload(manager)
        {
            set_extension(&number);
        }
        ~Payload() override { clear_extension(&number); }
        NumberExtension number;
        std::vector<std::uint8_t> data;
        std::vector<std::uint8_t> enables;
        std::vector<std::uint8_t> expected; ///< data when it comes back
        std::uint64_t sent_address = 0;
        std::uint64_t order = 0; ///< among those of its slice
        std::size_t slice = 0;
        bool is_mapped = true;
    };

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void free(tlm::tlm_generic_payload* payload) override;

    void run();
    void run_blocking();
    void run_nonblocking();
    void end_responses();
    void begin_request(Payload& payload);
    Payload& draw();
    void draw_data(Payload& payload);
    void check(Payload& payload);
    void fail(const std::string& what);
    sc_core::sc_time draw_delay(unsigned most_ns);

    const Config config_;
    SplitMix64 random_;
    std::list<Payload> payloads_;
    std::vector<Payload*> free_;
    std::vector<std::vector<std::uint8_t>> reference_; ///< by slice
    std::uint64_t numbers_ = 0;
    std::uint64_t completed_ = 0;
    std::uint64_t outstanding_ = 0;
    bool request_is_open_ = false;
    tlm::tlm_generic_payload* request_ = nullptr; ///< whose phase is open
    sc_core::sc_event changed_;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> ending_{"ending"};
    std::string error_;
};

} // namespace nocturne::test
