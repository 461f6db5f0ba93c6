// The network as an interconnect of a virtual platform: TLM-2.0 sockets outside, packets inside.
#pragma once

#include "models/fabric/fabric_plan.hpp"
#include "models/fabric/fabric_sockets.hpp"
#include "models/fabric/fabric_transfer.hpp"
#include "models/fabric/link_calendar.hpp"
#include "models/fabric/packet_carrier.hpp"
#include "models/fabric/request_limit.hpp"
#include "models/fabric/timed_queue.hpp"

#include <systemc>
#include <tlm>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// A transaction that has ended, transport calls only.
struct FabricTransaction {
    FlowId flow = 0;
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    std::uint64_t bytes = 0;          ///< of data
    std::uint32_t request_flits = 0;  ///< in the network; 0 with FabricTiming::fixed, which has none
    std::uint32_t response_flits = 0; ///< likewise
    sc_core::sc_time began;           ///< its request
    sc_core::sc_time ended;           ///< where its response begins
};

/// What has passed between an initiator and a target, transport calls only.
struct FabricFlowStats {
    std::uint64_t transactions = 0;
    std::uint64_t bytes = 0; ///< of data
    std::uint64_t request_flits = 0;
    std::uint64_t response_flits = 0;
    sc_core::sc_time latency; ///< sum, from the beginning of the request to that of the response
    sc_core::sc_time longest_latency;
};

/// One interconnect between any number of initiators and targets, with the whole base protocol of TLM-2.0
/// (IEEE 1666-2011, clauses 11 to 16). A transaction goes to the target that the address map names, with the
/// target's address, and has the initiator's again when it comes back. Its request, a header with the data of
/// a write and one bit for each byte if there are byte enables, travels as one packet, its response, a header
/// with the data of a read, as another.
///
/// - b_transport: with the timings `fixed` and `lt` it never waits: it adds to the delay and calls the target
///   at once. With `at` and `flit` it waits for the packets, the delay that it is given first.
/// - nb_transport: END_REQ comes back at once as long as the initiator has less than
///   FabricConfig::requests_in_flight under way, otherwise when one of them ends. Targets may answer in one,
///   two or four phases. Requests of an initiator come to a target in their order, responses come back in the
///   order in which the target began them.
/// - Threads in b_transport and the request of nb_transport that find requests_in_flight of their initiator
///   under way go on in the order in which they came. With `lt` the delay of such a thread says so, and those
///   of b_transport and of nb_transport are counted apart.
/// - A thread that leaves b_transport by an exception (a reset, a kill, one that the target throws) has its
///   transaction dropped: a packet in the network travels to its end, where nothing is called for it.
/// - From end_of_elaboration() on, of whatever module, debug and direct memory calls work, and b_transport
///   where it does not wait. What waits is refused before the simulation runs.
/// - What no range has, or not all bytes of which are in one range, is answered with
///   TLM_ADDRESS_ERROR_RESPONSE; it takes no time. transport_dbg takes the bytes that are in the range.
/// - Direct memory access is refused unless the configuration grants it: it takes no time in the network.
///   The hint tlm_generic_payload::is_dmi_allowed() is false then, whatever the target says.
///
/// What is wrong is reported with SC_REPORT_ERROR, of type `nocturne/fabric`, with the name of the module.
class Fabric final : public sc_core::sc_module, private ArrivalSink {
public:
    /// Reports what check_ports() and plan_fabric() throw, hardware that the timing cannot model, and a clock
    /// cycle or a fixed latency that is no multiple of the time resolution. A port whose socket is not bound,
    /// or more than once, is reported, by its name, at the end of elaboration. A construction that is
    /// reported is not finished: if the report does not throw, std::invalid_argument is thrown.
    Fabric(const sc_core::sc_module_name& name, const Topology& topology, const AddressMap& map,
           const FabricPorts& ports, const FabricConfig& config);
    ~Fabric() override;

    /// The socket that an initiator of this name is bound to. Reports, and throws likewise, for a name that
    /// no initiator has, and for another bus width than its port's.
    template <unsigned Width>
    FabricTargetSocket<Width>& target_socket(const std::string& initiator)
    {
        const std::uint32_t index = initiator_index(initiator);
        require_width(ports_.initiators[index], Width);
        return *std::get<std::unique_ptr<FabricTargetSocket<Width>>>(initiators_[index]->port.socket());
    }
    /// The socket that is bound to the target of this name; reports likewise.
    template <unsigned Width>
    FabricInitiatorSocket<Width>& initiator_socket(const std::string& target)
    {
        const std::uint32_t index = target_index(target);
        require_width(ports_.targets[index], Width);
        return *std::get<std::unique_ptr<FabricInitiatorSocket<Width>>>(targets_[index]->port.socket());
    }

    const FabricPlan& plan() const { return plan_; }
    /// With as many virtual channels as the hardware has, FabricConfig::automatic_vcs resolved.
    const FabricConfig& config() const { return config_; }
    const FabricFlowStats& stats(std::uint32_t initiator, std::uint32_t target) const
    {
        return stats_[plan_.flow(initiator, target)];
    }
    /// In the order in which they ended; none unless FabricConfig::records_transactions.
    const std::vector<FabricTransaction>& transactions() const { return transactions_; }
    /// Transactions that were answered with TLM_ADDRESS_ERROR_RESPONSE.
    std::uint64_t address_errors() const { return address_errors_; }
    /// Transactions that have begun and not ended; those of b_transport with `fixed` and `lt` do not count.
    std::size_t in_flight() const { return transfers_.in_flight(); }
    /// Who owes what to the transactions in flight: each initiator and target with the phases, or calls, that
    /// are missing, and how many. The empty string where none is in flight. When the simulation ends, or the
    /// fabric, while transactions are in flight and no process has anything left to do, this is a warning.
    std::string describe_waits() const;

    /// Reset, beside that of the initiators and targets: the transactions of nb_transport are dropped. Their
    /// payloads are released, no call is made for them any more, and a phase that comes for one of them is a
    /// violation of the protocol. Packets in the network travel to their ends and hold their places until
    /// then. Threads in b_transport go on; those that are reset themselves are dropped by that. Call it from
    /// a process, or between two calls of sc_start().
    void reset();

private:
    friend class FabricInitiatorPort;
    friend class FabricTargetPort;

    class BlockingTransfer;

    enum class Due : std::uint8_t {
        dropped,
        request_enters,
        request_arrives,
        request_ends,
        response_begins,
        response_arrives,
        response_ends
    };
    struct DueEntry {
        Due what;
        FabricTransferId id;
    };
    /// One request phase, or response phase, at a time, and those that wait for it.
    struct PhaseChannel {
        bool is_busy = false;
        FabricTransferId first = ~0u;
        FabricTransferId last = ~0u;
    };
    struct Initiator {
        Initiator(Fabric& fabric, std::uint32_t index, const FabricPort& where,
                  std::shared_ptr<const AddressView> addresses)
            : port(fabric, index, where), view(std::move(addresses)), limit(fabric.config_.requests_in_flight)
        {
        }
        FabricInitiatorPort port;
        std::shared_ptr<const AddressView> view; ///< one for all that see the same
        RequestLimit limit;                      ///< of b_transport with FabricTiming::lt
        SocketTransfers transfers;
        PhaseChannel responses;
        std::uint32_t in_flight = 0;
        std::deque<FabricTransferId> waiting; ///< until one of those ends, the first first
        bool is_request_waiting = false;      ///< one of nb_transport, whose request phase stays open
        tlm::tlm_bw_transport_if<>* calls = nullptr;
    };
    struct Target {
        Target(Fabric& fabric, std::uint32_t index, const FabricPort& where) : port(fabric, index, where) {}
        FabricTargetPort port;
        SocketTransfers transfers;
        PhaseChannel requests;
        std::uint32_t queued = 0; ///< requests that have a place in its queue
    };

    void end_of_elaboration() override;
    void end_of_simulation() override { warn_of_stall(); }
    void warn_of_stall();
    std::string what_is_awaited(FabricTransferId id) const;
    std::uint32_t initiator_index(const std::string& name) const;
    std::uint32_t target_index(const std::string& name) const;
    void require_width(const FabricPort& port, unsigned width) const;
    bool connect();
    bool is_connected() { return is_connected_ || connect(); }
    bool is_running(const std::string& socket);
    void require_bound(int bindings, const FabricPort& port, std::string_view kind);
    void report_error(const std::string& what) const;
    [[noreturn]] void refuse(const std::string& what) const;
    template <class Make>
    auto reporting(Make make) const;

    // Calls at the sockets.
    tlm::tlm_sync_enum nb_transport_fw(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_bw(std::uint32_t target, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void b_transport(std::uint32_t initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    bool get_direct_mem_ptr(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& memory);
    unsigned transport_dbg(std::uint32_t initiator, tlm::tlm_generic_payload& payload);
    void invalidate_direct_mem_ptr(std::uint32_t target, std::uint64_t first, std::uint64_t last);

    // Addresses and sizes.
    const AddressRegion* find_region(const Initiator& initiator,
                                     const tlm::tlm_generic_payload& payload) const;
    std::uint32_t request_flits(const tlm::tlm_generic_payload& payload) const;
    std::uint32_t response_flits(const tlm::tlm_generic_payload& payload) const;
    std::uint32_t flits(std::uint32_t bytes) const { return bytes == 0 ? 1 : 1 + (bytes - 1) / flit_bytes_; }

    // Blocking transport.
    void pass_fixed(std::uint32_t initiator, const AddressRegion& region, tlm::tlm_generic_payload& payload,
                    sc_core::sc_time& delay);
    void pass_estimated(std::uint32_t initiator, const AddressRegion& region,
                        tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    void pass_waiting(std::uint32_t initiator, const AddressRegion& region, tlm::tlm_generic_payload& payload,
                      sc_core::sc_time& delay);
    static void await_arrival(FabricTransfer& transfer);
    void hide_dmi_hint(tlm::tlm_generic_payload& payload) const;
    sc_core::sc_time estimated_delay(Leg leg, FlowId flow, std::uint32_t flits);
    std::uint64_t advance_calendar();
    void count(const FabricTransaction& transaction);
    void count_ended(const FabricTransfer& transfer);

    // The network.
    FabricTransferId start_transfer(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                    const AddressRegion& region);
    void send(Leg leg, FabricTransferId id);
    bool takes_request(std::uint32_t id) override;
    void message_arrived(Leg leg, std::uint32_t id) override;
    void take_request(FabricTransfer& transfer);
    void put_in_order(Leg leg, FabricTransferId id);
    void deliver(Leg leg, FabricTransferId id);

    // Phases.
    void run();
    void push(Due what, FabricTransferId id, const sc_core::sc_time& delay);
    void handle(const DueEntry& entry);
    void append(PhaseChannel& channel, FabricTransferId id);
    FabricTransferId take_first(PhaseChannel& channel);
    tlm::tlm_sync_enum begin_request(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    void enter(FabricTransferId id, const sc_core::sc_time& delay);
    void present_requests(PhaseChannel& channel);
    void present_request(FabricTransferId id);
    tlm::tlm_sync_enum call_target(FabricTransferId id, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void end_request(FabricTransferId id, const sc_core::sc_time& delay);
    void end_request_phase(FabricTransferId id);
    void respond(FabricTransferId id, const sc_core::sc_time& delay);
    void begin_response_phase(FabricTransferId id);
    void present_responses(PhaseChannel& channel);
    void present_response(FabricTransferId id);
    void end_response(FabricTransferId id, const sc_core::sc_time& delay);
    void end_response_phase(FabricTransferId id);
    void end_response_at_target(FabricTransfer& transfer);
    void finish(FabricTransferId id);
    bool take_slot(FabricTransferId id);
    void admit_next(Initiator& initiator);

    // What is dropped.
    void drop(FabricTransferId id);
    void handle_dropped(const DueEntry& entry);
    void end_dropped(FabricTransferId id);
    /// Its slot goes to the next that waits at the initiator; released itself once nothing is pending.
    void leave_slot(FabricTransferId id);

    // Phases from end to end.
    void run_bus_requests();
    void run_bus_responses();
    void pass_bus_request(FabricTransferId id);
    void pass_bus_response(FabricTransferId id);
    void await_end_of_bus_request(FabricTransfer& transfer, const tlm::tlm_phase& phase,
                                  const sc_core::sc_time& delay);
    void end_bus_request(FabricTransferId id, const sc_core::sc_time& delay);
    void begin_bus_response(FabricTransferId id, const sc_core::sc_time& delay);
    void end_bus_response(FabricTransferId id, const sc_core::sc_time& delay);

    void report_violation(const std::string& socket, const char* what) const;

    const FabricPorts ports_;
    const FabricPlan plan_;
    const FabricConfig config_; ///< with the virtual channels of the plan
    const sc_core::sc_time fixed_latency_;
    const std::uint64_t period_; ///< of the clock, in units of the time resolution
    const std::uint32_t flit_bytes_;
    std::vector<std::unique_ptr<Initiator>> initiators_;
    std::vector<std::unique_ptr<Target>> targets_;
    std::vector<tlm::tlm_fw_transport_if<>*> target_calls_; ///< by target
    FabricTransferPool transfers_;
    std::vector<Reordering> request_orders_;  ///< by flow
    std::vector<Reordering> response_orders_; ///< by flow
    TimedQueue<DueEntry> due_;
    TimedQueue<FabricTransferId> bus_requests_; ///< with FabricPhases::end_to_end; of all initiators
    TimedQueue<FabricTransferId> bus_responses_;
    sc_core::sc_event bus_request_ended_;
    sc_core::sc_event bus_response_ended_;
    LinkCalendar calendar_;
    std::uint64_t calendar_time_ = 0; ///< that it has been told of
    std::unique_ptr<PacketCarrier> carrier_;
    bool is_connected_ = false;          ///< what is bound to the sockets is known
    std::vector<FabricFlowStats> stats_; ///< by flow
    std::vector<FabricTransaction> transactions_;
    std::uint64_t address_errors_ = 0;
    bool has_warned_ = false; ///< of a stall
};

} // namespace nocturne
