// The DMA engine of a processor: it runs a program of transfers, started and watched through registers.
#pragma once

#include "models/hardware/barrier.hpp"
#include "models/hardware/dma_program.hpp"
#include "models/hardware/network_interface.hpp"

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace nocturne {

/// Byte offsets of the registers, 32 bits each.
namespace dma_register {
inline constexpr std::uint32_t control = 0x00; ///< write: see dma_control
inline constexpr std::uint32_t status =
    0x04; ///< read: see dma_status; write 1 to `done` or `error` to clear it
inline constexpr std::uint32_t program = 0x08;  ///< address of the program in memory, a multiple of 4
inline constexpr std::uint32_t step = 0x0c;     ///< read: the present step
inline constexpr std::uint32_t sent = 0x10;     ///< read: messages sent since the start
inline constexpr std::uint32_t received = 0x14; ///< read: messages received since the start
inline constexpr std::uint32_t time_out =
    0x18; ///< cycles from the beginning of a step, start-up included, to its time-out; 0 = none
inline constexpr std::uint32_t arrivals =
    0x1c; ///< address of the arrival records in memory (see DmaEngine), a multiple of 4; 0 = none
inline constexpr std::uint32_t missing = 0x20; ///< read: messages of the present step that have not come
inline constexpr std::uint32_t unsent = 0x24;  ///< read: issued messages that have not left yet
inline constexpr std::uint32_t discarded =
    0x28; ///< read: messages since the start that came with their rest cut off
inline constexpr std::uint32_t size = 0x2c;
} // namespace dma_register

namespace dma_control {
inline constexpr std::uint32_t start = 1u << 0;
inline constexpr std::uint32_t interrupt_enable = 1u << 1; ///< raise the interrupt when done or in error
inline constexpr std::uint32_t self_timed =
    1u << 2; ///< go on when the own step is done; otherwise wait at the barrier
inline constexpr std::uint32_t chained = 1u << 3; ///< start-up time before the first step only
inline constexpr std::uint32_t halt = 1u
                                      << 4; ///< stop; messages that are issued still leave, others still come
} // namespace dma_control

namespace dma_status {
inline constexpr std::uint32_t busy =
    1u << 0; ///< running; beside `error`, while messages of the failed run still leave
inline constexpr std::uint32_t done = 1u << 1;
inline constexpr std::uint32_t error =
    1u << 2; ///< bad program, memory access refused, or a time-out; see DmaEngine::error()
inline constexpr std::uint32_t timed_out =
    1u << 3; ///< beside `error`: a step took too long, see `missing` and `unsent`
inline constexpr std::uint32_t halted = 1u << 4; ///< by the control register
} // namespace dma_status

struct DmaEngineConfig {
    sc_core::sc_time start_up; ///< of a step with something to send, whole clock cycles
    unsigned flit_bytes = 4;
    sc_core::sc_time cycle{2, sc_core::SC_NS}; ///< what time-outs are counted in
};

/// What an engine writes to memory for each message that has come whole, in the order of their arrival:
/// little-endian words of 32 bits. Since the start there are as many as the register `received` says; who
/// starts the engine provides the room.
struct ArrivalRecord {
    ProcessorId source = 0;
    std::uint32_t step = 0;    ///< that it counts for
    std::uint32_t address = 0; ///< where it lies
    std::uint32_t length = 0;  ///< bytes

    friend bool operator==(const ArrivalRecord&, const ArrivalRecord&) = default;
};

/// Turns a message into a packet with its way to the destination set.
using PacketMaker = std::function<PacketId(ProcessorId destination, std::uint64_t bytes, const Route& route)>;

/// Each step: fetch its descriptors, wait the start-up time if there is something to send, send all at once
/// (the network interface sends as many as it has ports), wait until all are sent and everything expected has
/// arrived, then the barrier; behind it what has come is copied or added to where it belongs, which takes no
/// time, so that of a step that failed nothing has been added. Payload moves through the initiator socket:
/// read from memory when a message is sent, written flit by flit as it arrives.
///
/// A step that is not over when its time-out expires ends in an error: the engine stops, with the bit
/// `timed_out`, an interrupt, and `missing` and `unsent` saying what is owed. Messages of the failed run that
/// come late are still written, recorded and counted. A message whose rest a fault cut off is never counted
/// as received, nor is it recorded; what came of it is in its place in memory. A halted or failed engine does
/// not hold up the others at the barrier for good: a host halts them, too, and starts all of them again.
class DmaEngine final : public sc_core::sc_module, public PacketClient {
public:
    tlm_utils::simple_target_socket<DmaEngine> registers{"registers"};
    tlm_utils::simple_initiator_socket<DmaEngine> memory{"memory"};
    sc_core::sc_out<bool> interrupt{"interrupt"};

    DmaEngine(const sc_core::sc_module_name& name, const DmaEngineConfig& config, NetworkInterface& interface,
              PacketPool& packets, PacketMaker make_packet, Barrier& barrier);

    /// When each step began and ended; steps that are not over yet end at zero.
    struct StepTime {
        sc_core::sc_time begin;
        sc_core::sc_time end;
    };
    const std::vector<StepTime>& step_times() const { return step_times_; }
    /// Clock cycles that the messages which have come were under way, source queue included, summed over all
    /// runs.
    std::uint64_t latency_cycles() const { return latency_cycles_; }
    /// Messages that have come, in all runs.
    std::uint64_t messages() const { return messages_; }
    /// Why the error bit is set.
    const std::string& error() const { return error_; }

    void packet_sent(const Packet& packet) override;
    void flit_arrived(const Packet& packet, std::uint32_t sequence) override;
    void packet_arrived(const Packet& packet) override;
    void packet_discarded(const Packet&) override { ++discarded_; }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction);
    std::uint32_t read_register(std::uint32_t offset) const;
    void write_register(std::uint32_t offset, std::uint32_t value);

    void start();
    void fetch_step();
    void issue();
    void fill(PacketId message, const DmaDescriptor& send);
    void proceed();
    void next_step();
    void combine(const DmaDescriptor& line);
    void finish();
    void expire();
    void halt();
    void stop(std::uint32_t status);
    std::uint32_t missing() const;
    void record(const Packet& packet);
    void fail(const std::string& reason);
    void update_interrupt();

    void access_memory(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes);
    void require_readable(std::uint64_t address, std::uint32_t bytes);
    std::vector<std::uint32_t> read_bytes(std::uint32_t address, std::uint32_t bytes);
    std::uint32_t read_word(std::uint32_t address);

    const DmaEngineConfig config_;
    NetworkInterface& interface_;
    PacketPool& packets_;
    PacketMaker make_packet_;
    Barrier& barrier_;

    std::uint32_t control_ = 0;
    std::uint32_t status_ = 0;
    std::uint32_t program_ = 0;
    std::uint32_t sent_ = 0;
    std::uint32_t received_ = 0;
    std::uint32_t time_out_ = 0;
    std::uint32_t arrivals_ = 0;
    std::uint32_t discarded_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t latency_cycles_ = 0;

    enum class Phase { idle, starting_up, transferring, at_barrier };
    Phase phase_ = Phase::idle;
    std::uint32_t step_ = 0;
    std::uint32_t cursor_ = 0;            ///< address of the next descriptor
    DmaDescriptor next_;                  ///< the descriptor at the cursor
    std::vector<DmaDescriptor> sends_;    ///< of this step
    std::vector<DmaDescriptor> combines_; ///< likewise: copies and additions at its end
    std::uint32_t expected_ = 0;          ///< messages for this step
    std::uint32_t unsent_ = 0;            ///< messages that the network interface still has
    bool started_up_ = false;
    std::unordered_map<std::uint32_t, std::uint32_t> arrived_; ///< messages by the step that they count for
    std::vector<StepTime> step_times_;
    std::string error_;
    sc_core::sc_event timer_;
    sc_core::sc_event time_is_up_;
    bool is_expiring_ = false;
    sc_core::sc_event interrupt_changed_;
    tlm::tlm_generic_payload transaction_;
    tlm::tlm_dmi region_; ///< of the memory, once it has granted direct access
};

} // namespace nocturne
