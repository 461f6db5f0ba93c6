// The rules of the base protocol of TLM-2.0 at one pair of sockets.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace nocturne {

/// A call of nb_transport as it was made, or as it came back.
struct TransportCall {
    tlm::tlm_phase phase;
    sc_core::sc_time delay;
};

/// Follows the calls between an initiator socket and a target socket, and notes what breaks the base protocol
/// (IEEE 1666-2011, clauses 11.1, 14 and 15.2): phases out of order or twice; a second request phase, or
/// response phase, before the first has ended; a payload that is used again before its transaction has ended,
/// has no memory manager or no reference to it, or whose attributes change on the way; a response without a
/// status; times that run backwards; returned values that a call cannot have. A value.
class ProtocolRules {
public:
    void forward_call(const tlm::tlm_generic_payload& payload, const TransportCall& call);
    void forward_return(const tlm::tlm_generic_payload& payload, const TransportCall& call,
                        tlm::tlm_sync_enum answer, const TransportCall& returned);
    void backward_call(const tlm::tlm_generic_payload& payload, const TransportCall& call);
    void backward_return(const tlm::tlm_generic_payload& payload, const TransportCall& call,
                         tlm::tlm_sync_enum answer, const TransportCall& returned);
    void blocking_call(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void blocking_return(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

    /// b_transport is left by an exception: its transaction is over.
    void blocking_abandoned(const tlm::tlm_generic_payload& payload);

    /// The transactions of nb_transport are dropped on both sides (Fabric::reset()): their payloads may be
    /// used again, and no phase of theirs comes any more. Those of b_transport go on; what was noted stays.
    void reset();

    /// A line for each, with its time, at most the first hundred; violation_count() counts all.
    const std::vector<std::string>& violations() const { return violations_; }
    std::uint64_t violation_count() const { return violation_count_; }
    /// Transactions that have begun and not ended.
    std::size_t in_progress() const { return transactions_.size(); }
    /// Transactions that have ended.
    std::uint64_t completed() const { return completed_; }

private:
    enum class Stage : std::uint8_t { request, request_ended, response, blocking };
    struct Attributes {
        tlm::tlm_command command;
        const unsigned char* data;
        unsigned length;
        const unsigned char* byte_enables;
        unsigned byte_enable_length;
        unsigned streaming_width;
        friend bool operator==(const Attributes&, const Attributes&) = default;
    };
    struct Transaction {
        Stage stage;
        Attributes attributes;
        std::uint64_t time; ///< of its last phase, annotated delay included
    };

    static Attributes attributes_of(const tlm::tlm_generic_payload& payload);
    void begin(const tlm::tlm_generic_payload& payload, Stage stage, const sc_core::sc_time& delay);
    void end(const tlm::tlm_generic_payload& payload);
    Transaction* find(const tlm::tlm_generic_payload& payload, const char* phase,
                      const sc_core::sc_time& delay);
    void begin_request(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void end_request(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void begin_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void end_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
    void require_status(const tlm::tlm_generic_payload& payload);
    void close_request(const tlm::tlm_generic_payload& payload);
    void note(const tlm::tlm_generic_payload& payload, const char* what);

    std::unordered_map<const tlm::tlm_generic_payload*, Transaction> transactions_;
    const tlm::tlm_generic_payload* open_request_ = nullptr;
    const tlm::tlm_generic_payload* open_response_ = nullptr;
    std::vector<std::string> violations_;
    std::uint64_t violation_count_ = 0;
    std::uint64_t completed_ = 0;
};

} // namespace nocturne
